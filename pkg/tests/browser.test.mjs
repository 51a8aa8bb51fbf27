// The package in a plain page: no bundler, files served as they were installed, IndexedDB as the store.

import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { test } from "node:test";

import { chromium } from "playwright-core";

import { examples, installed } from "./support.mjs";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

/** The browser: `$CHROME`, else where it usually is. Without one the tests fail: a page is half of what the package promises. */
function executable() {
  const usual = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];
  const found = process.env.CHROME ?? usual.find((path) => existsSync(path));
  assert.ok(found && existsSync(found), "no Chromium found: `cargo xtask setup --test` gets it, or name one in $CHROME");
  return found;
}

/** Serves a folder on loopback. */
async function serve(t, folder) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
    try {
      const bytes = await readFile(join(folder, path));
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${server.address().port}`;
}

test("the package in a plain page", async (t) => {
  const project = installed(t);
  const [example] = examples("html");
  writeFileSync(join(project, "index.html"), `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><body>${example}`);
  writeFileSync(join(project, "blank.html"), '<!doctype html><link rel="icon" href="data:,">');
  const origin = await serve(t, project);
  const browser = await chromium.launch({ executablePath: executable(), args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] });
  t.after(() => browser.close());
  const context = await browser.newContext();
  const page = await context.newPage();
  const troubles = [];
  const foreign = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
  page.on("request", (request) => !/^(data|blob):/.test(request.url()) && !request.url().startsWith(origin) && foreign.push(request.url()));

  const shown = () => page.waitForFunction(() => !document.querySelector("script") && document.body.textContent);
  /** What a memory of this page holds. */
  const look = (from) =>
    from.evaluate(async () => {
      const { openMemory } = await import("/node_modules/credence/dist/index.js");
      const memory = await openMemory({ context: "ada" });
      const seen = { propositions: (await memory.propositions()).length, commits: (await memory.commits()).length, volatile: memory.volatile };
      memory.close();
      return seen;
    });

  await t.test("the README's example remembers and finds", async () => {
    await page.goto(`${origin}/index.html`);
    assert.match(await (await shown()).jsonValue(), /allergic to peanuts/);
    assert.deepEqual(await look(page), { propositions: 1, commits: 2, volatile: null });
  });
  await t.test("a reload keeps it", async () => {
    await page.reload();
    await shown();
    assert.deepEqual(await look(page), { propositions: 1, commits: 2, volatile: null });
  });
  await t.test("another tab sees what this one writes, and is told", async () => {
    const other = await context.newPage();
    await other.goto(`${origin}/blank.html`);
    await other.evaluate(async () => {
      const { openMemory } = await import("/node_modules/credence/dist/index.js");
      window.memory = await openMemory({ context: "ada" });
      window.heard = new Promise((resolve) => window.memory.subscribe((event) => event.type === "committed" && resolve(event)));
    });
    await page.evaluate(async () => {
      const { openMemory } = await import("/node_modules/credence/dist/index.js");
      const memory = await openMemory({ context: "ada" });
      await memory.remember("I own a red bicycle.");
    });
    const event = await other.evaluate(() => window.heard);
    assert.deepEqual([event.remote, event.commit.seq], [true, 3]);
    assert.equal(await other.evaluate(async () => (await window.memory.propositions()).length), 2);
    await other.close();
  });
  await t.test("errors have their codes here too", async () => {
    const error = await page.evaluate(async () => {
      const { openMemory, CredenceError } = await import("/node_modules/credence/dist/index.js");
      const memory = await openMemory({ context: "ada" });
      return memory.search("x", { limit: "ten" }).catch((error) => ({
        isOurs: error instanceof CredenceError,
        name: error.name,
        code: error.code,
        message: error.message,
      }));
    });
    assert.deepEqual([error.isOurs, error.name, error.code], [true, "CredenceError", "invalid-argument"]);
    assert.match(error.message, /options\.limit/);
  });
  await t.test("a page that may not store works and says that it will not last", async () => {
    const refused = await context.newPage();
    await refused.addInitScript(() => Object.defineProperty(globalThis, "indexedDB", { value: undefined }));
    await refused.goto(`${origin}/blank.html`);
    const told = await refused.evaluate(async () => {
      const { openMemory } = await import("/node_modules/credence/dist/index.js");
      const memory = await openMemory({ context: "ada" });
      await memory.remember("I like green tea.");
      return { volatile: memory.volatile, propositions: (await memory.propositions()).length };
    });
    assert.match(told.volatile, /cannot be kept here/);
    assert.equal(told.propositions, 1);
    await refused.close();
  });
  await t.test("a worker can open it as well", async () => {
    writeFileSync(
      join(project, "worker.js"),
      'import { openMemory } from "./node_modules/credence/dist/index.js";\n' +
        'const memory = await openMemory({ context: "ada" });\n' +
        "postMessage((await memory.propositions()).length);\n",
    );
    const count = await page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const worker = new Worker("/worker.js", { type: "module" });
          worker.onmessage = (event) => resolve(event.data);
          worker.onerror = (event) => reject(new Error(event.message));
        }),
    );
    assert.equal(count, 2);
  });
  await t.test("nothing failed unseen, and nothing came from elsewhere", () => {
    assert.deepEqual(troubles, []);
    assert.deepEqual(foreign, []);
  });
});
