// Drives Chromium for the checks: launches it, watches what it does, runs steps and reports them.
//
// Three things fail a step besides its own assertions: an exception in the page, an error on its console (a refused
// script or style is one), and a request to anything but the loopback address.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const ARGS = [
  "--headless=new",
  // Chromium refuses to run as root with its sandbox, and build machines run as root.
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Names resolve to nothing: what the browser or the page tries to reach outside fails, and is seen below.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];
const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);
const PATIENCE_MS = 20_000;

/** Waits until `condition` gives something true, and returns that. */
export async function until(what, condition, patienceMs = PATIENCE_MS) {
  const end = Date.now() + patienceMs;
  let problem = "";
  for (;;) {
    try {
      const value = await condition();
      if (value) return value;
      problem = "";
    } catch (error) {
      problem = ` (${String(error).split("\n")[0]})`;
    }
    if (Date.now() > end) throw new Error(`not within ${patienceMs / 1000} s: ${what}${problem}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export function assert(holds, message) {
  if (!holds) throw new Error(message);
}

/** A run of checks against a site. */
export class Run {
  passed = 0;
  failed = 0;
  /** The group that runs: a page tells its own group alone, however late its words arrive. */
  #group = new Group();

  constructor({ site, out, browser, log }) {
    Object.assign(this, { site, out, browser, log });
  }

  static async open({ site, out, executablePath, log = console.log }) {
    mkdirSync(out, { recursive: true });
    const browser = await chromium.launch({ executablePath, args: ARGS });
    return new Run({ site, out, browser, log });
  }

  async close() {
    await this.browser.close();
  }

  /**
   * Steps that belong together, in a browser profile of their own. The first step that fails ends the group, since the
   * next ones stand on it; other groups still run.
   */
  async group(name, body) {
    this.log(`# ${name}`);
    const group = (this.#group = new Group());
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 860 }, acceptDownloads: true });
    context.setDefaultTimeout(PATIENCE_MS);
    context.on("page", (page) => group.watch(page));
    try {
      await body(context);
      group.settle();
    } catch (error) {
      if (!(error instanceof StepFailed)) {
        this.#fail(`${name}: between steps`, error);
      }
      this.log(`  (the rest of this group was not tried)`);
    } finally {
      await context.close();
    }
  }

  /** One thing that must hold. `expect`: patterns of console errors that the step provokes. */
  async step(what, body, { expect = [] } = {}) {
    const group = this.#group;
    group.begin(expect);
    try {
      await body();
      group.settle();
      this.passed += 1;
      this.log(`ok - ${what}`);
    } catch (error) {
      await this.#evidence();
      this.#fail(what, error);
      throw new StepFailed(what);
    } finally {
      group.trouble = [];
    }
  }

  #fail(what, error) {
    this.failed += 1;
    const trouble = this.#group.trouble.map((words) => `\n    meanwhile: ${words}`).join("");
    this.log(`not ok - ${what}\n    ${plain(error).replaceAll("\n", "\n    ")}${trouble}`);
  }

  async #evidence() {
    for (const [at, page] of this.#group.pages.entries()) {
      const path = join(this.out, `failure-${this.failed + 1}-page-${at + 1}.png`);
      try {
        await page.screenshot({ path, fullPage: false, timeout: 5_000 });
        this.log(`  screenshot: ${path}`);
      } catch {
        this.log(`  no screenshot: the page is gone or does not answer (${page.url()})`);
      }
    }
  }
}

/** The pages of one group, and what they did that they should not. */
class Group {
  pages = [];
  /** Cleared by the step that reports it. */
  trouble = [];
  /** Console errors that the current step provokes on purpose, and those that the step before it did: the browser tells
   * of a request's end when it gets to it, which may be after the page has shown it and the step has ended. */
  #expected = { now: [], before: [] };

  begin(expect) {
    this.#expected = { now: expect, before: this.#expected.now };
  }

  /** @throws what happened, if anything did. */
  settle() {
    assert(this.trouble.length === 0, "the pages did what they should not");
  }

  watch(page) {
    this.pages.push(page);
    page.on("close", () => (this.pages = this.pages.filter((other) => other !== page)));
    page.on("pageerror", (error) => this.trouble.push(`exception in the page: ${error}`));
    page.on("crash", () => this.trouble.push("the page crashed"));
    page.on("console", (message) => {
      if (message.type() !== "error") return;
      const text = `${message.text()} ${message.location().url ?? ""}`.trim();
      const { now, before } = this.#expected;
      if (![...now, ...before].some((pattern) => pattern.test(text))) this.trouble.push(`error on the console: ${text}`);
    });
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (["http:", "https:", "ws:", "wss:"].includes(url.protocol) && !LOOPBACK.has(url.hostname)) {
        this.trouble.push(`a request left this machine: ${url.origin}${url.pathname}`);
      }
    });
  }
}

class StepFailed extends Error {}

/** An error's words without terminal colours. */
function plain(error) {
  return String(error?.message ?? error).replace(/\u001b\[\d+m/g, "").trim();
}
