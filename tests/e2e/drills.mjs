// Drills: things that go wrong in a browser are made to go wrong, and what is stored afterwards is looked at. A renderer and now and then the
// whole browser is killed while it commits; two tabs write at once; the disk is full; an old tab blocks an upgrade; the clock jumps back; the
// browser refuses to store anything, or empties what it finds damaged.
//
//   node drills.mjs --page FOLDER [--quick] [--only NAME]…     the drills; figures as one JSON object on standard output
//   node drills.mjs --page FOLDER --measure                    the journal beside bare IndexedDB, in milliseconds
//
// FOLDER holds the page's wasm and glue (`cargo xtask drill` builds it). Ctrl-C ends it with the figures so far.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { chromium } from "playwright-core";

const { values: options } = parseArgs({
  options: {
    page: { type: "string" },
    quick: { type: "boolean", default: false },
    measure: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
  },
});

const ARGS = [
  ...["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
  // A tab behind another one would wait between its timers, and the two would never meet.
  ...["--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding"],
];
/** Every this many kills it is the browser that goes, not the tab alone. */
const WHOLE_BROWSER = 10;
const STATEMENTS = 20;
const SIZES = options.quick ? { kills: 12, commits: 150 } : { kills: 200, commits: 5_000 };

const say = (line) => process.stderr.write(`${line}\n`);
const assert = (holds, message) => {
  if (!holds) throw new Error(message);
};
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The same pauses in every run. */
let seed = 20_260_308;
function random() {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
}

/** Serves the page; every path but its two files is a blank one that loads them. */
async function serve(folder) {
  const files = {
    "/drills.js": ["text/javascript", readFileSync(join(folder, "drills.js"))],
    "/drills_bg.wasm": ["application/wasm", readFileSync(join(folder, "drills_bg.wasm"))],
  };
  const page = `<!doctype html><link rel="icon" href="data:,"><script type="module">
    import init, { Writer, measure } from "/drills.js";
    await init();
    Object.assign(window, { Writer, measure, ready: true });
  </script>`;
  const server = createServer((request, response) => {
    const [type, body] = files[request.url] ?? ["text/html", page];
    response.writeHead(200, { "content-type": type }).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, origin: `http://127.0.0.1:${server.address().port}` };
}

class Browser {
  constructor(origin) {
    this.origin = origin;
    this.folder = mkdtempSync(join(tmpdir(), "credence-drills-"));
  }

  async start() {
    const executablePath = process.env.CHROME;
    this.context = await chromium.launchPersistentContext(this.folder, { executablePath, args: ARGS });
  }

  async page(before) {
    const page = await this.context.newPage();
    if (before) await page.addInitScript(before);
    await page.goto(this.origin);
    await page.waitForFunction(() => window.ready === true);
    return page;
  }

  /** Processes of this browser of a type, by the browser's own word. */
  async processes(type) {
    const client = await this.context.browser().newBrowserCDPSession();
    const { processInfo } = await client.send("SystemInfo.getProcessInfo");
    await client.detach();
    return processInfo.filter((process) => process.type === type).map((process) => process.id);
  }

  async stop() {
    await this.context?.close().catch(() => undefined);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** What is stored; `volatile` where the page found no store and looked at its own memory, `emptied` where it was told that the browser had emptied it. */
const stored = async (page, database, context) => {
  const [volatile, emptied, json] = await page.evaluate(
    async ([database, context]) => {
      const writer = await Writer.open(database, context);
      return [writer.volatile, writer.emptied, await writer.stored()];
    },
    [database, context],
  );
  return { volatile, emptied, ...JSON.parse(json) };
};

/**
 * Kills while commits are made. Acknowledged is what the page was told is durable. A browser that was killed may find its own store damaged when
 * it comes back ("checksum mismatch") and empty it, which no page can prevent: that is counted apart, and must be told.
 */
async function kills(browser, figures) {
  Object.assign(figures, { kills: 0, torn: 0, acknowledged_lost: 0, without_store: 0, emptied_by_browser: 0 });
  let page = await browser.page();
  for (let n = 1; n <= SIZES.kills; n++) {
    const context = `kill ${n}`;
    let acknowledged = 0;
    let homeless = "";
    page.on("console", (message) => {
      const [word, seq] = message.text().split(" ");
      if (word === "acknowledged") acknowledged = Number(seq);
      if (word === "volatile") homeless = `it wrote to its own memory: ${message.text()}`;
    });
    const gone = new Promise((resolve) => {
      page.once("crash", resolve);
      page.once("close", resolve);
    });
    const writing = page.evaluate(
      async ([context, statements]) => {
        const writer = await Writer.open("kills", context);
        if (writer.volatile) console.log(`volatile ${writer.volatile}`);
        for (let n = 1; ; n++) console.log(`acknowledged ${await writer.say(`commit ${n}`, statements)}`);
      },
      [context, STATEMENTS],
    );
    writing.catch(() => undefined);
    while (acknowledged === 0) await sleep(2);
    await sleep(random() * 60);
    if (n % WHOLE_BROWSER === 0) {
      const [pid] = await browser.processes("browser");
      process.kill(pid, "SIGKILL");
      await gone;
      await sleep(300);
      await browser.start();
    } else {
      const session = await browser.context.newCDPSession(page);
      // The renderer ends as if it had been killed: nothing of it runs any more.
      session.send("Page.crash").catch(() => undefined);
      await gone;
      await page.close().catch(() => undefined);
    }
    page = await browser.page();
    const { volatile, emptied, damages, sound, commits } = await stored(page, "kills", context);
    if (volatile) homeless ||= `it was read from its own memory: ${volatile}`;
    const torn = commits.filter((commit) => commit.statements !== STATEMENTS).length + damages + (sound ? 0 : 1);
    figures.kills = n;
    figures.torn += torn;
    const lost = Math.max(0, acknowledged - commits.length);
    // Only a browser that was killed does that.
    const isEmptied = emptied && n % WHOLE_BROWSER === 0;
    if (isEmptied) figures.emptied_by_browser++;
    else figures.acknowledged_lost += lost;
    if (homeless) figures.without_store++;
    if (torn > 0 || lost > 0 || homeless) {
      const what = n % WHOLE_BROWSER === 0 ? "the browser" : "the tab";
      say(`  kill ${n}, of ${what}: ${commits.length} of ${acknowledged} commits are stored, ${torn} torn${isEmptied ? "; the browser emptied its store, and said so" : ""}${homeless && `; ${homeless}`}`);
    }
    if (n % 20 === 0 || n === SIZES.kills) {
      say(`  ${n} of ${SIZES.kills} kills: ${figures.torn} torn, ${figures.acknowledged_lost} acknowledged lost`);
    }
  }
  await page.close();
  assert(figures.torn === 0, `${figures.torn} commits were torn`);
  assert(figures.without_store === 0, `a page found no store after ${figures.without_store} kills`);
  assert(figures.acknowledged_lost === 0, `${figures.acknowledged_lost} acknowledged commits were lost`);
}

/** Two tabs that write to one memory at once. */
async function tabs(browser, figures) {
  const names = ["left", "right"];
  const pages = [await browser.page(), await browser.page()];
  for (const page of pages) await page.evaluate(async () => (window.writer = await Writer.open("tabs", "shared")) && undefined);
  const start = Date.now() + 1_000;
  const progress = setInterval(async () => {
    const done = await Promise.all(pages.map((page) => page.evaluate(() => window.done ?? 0).catch(() => 0)));
    say(`  ${done.join(" + ")} of 2 x ${SIZES.commits} commits`);
  }, 10_000);
  try {
    await Promise.all(
      pages.map((page, at) =>
        page.evaluate(
          async ([name, count, start]) => {
            // Both begin in the same moment.
            await new Promise((resolve) => setTimeout(resolve, start - Date.now()));
            for (let n = 1; n <= count; n++) {
              await window.writer.say(`${name} ${n}`, 1);
              window.done = n;
            }
          },
          [names[at], SIZES.commits, start],
        ),
      ),
    );
  } finally {
    clearInterval(progress);
  }
  const { damages, sound, commits } = await stored(pages[0], "tabs", "shared");
  const said = new Set(commits.map((commit) => commit.said));
  const expected = names.flatMap((name) => Array.from({ length: SIZES.commits }, (_, n) => `${name} ${n + 1}`));
  figures.two_tab_commits = commits.length;
  figures.two_tab_lost = expected.filter((text) => !said.has(text)).length;
  await Promise.all(pages.map((page) => page.close()));
  assert(damages === 0 && sound, `${damages} rows are damaged`);
  assert(figures.two_tab_lost === 0, `${figures.two_tab_lost} commits were lost`);
  assert(commits.length === expected.length, `${commits.length} commits instead of ${expected.length}`);
  const turns = commits.filter((commit, n) => n > 0 && commit.said[0] !== commits[n - 1].said[0]).length;
  assert(turns > 1, "the tabs never met");
}

/** The disk is full in the middle of writing, and has room again. */
async function quota(browser, figures) {
  const page = await browser.page();
  const session = await browser.context.newCDPSession(page);
  const limit = (quotaSize) => session.send("Storage.overrideQuotaForOrigin", { origin: browser.origin, ...(quotaSize && { quotaSize }) });
  const usage = await page.evaluate(async () => (await navigator.storage.estimate()).usage);
  await limit(usage + 3_000_000);
  const { count, refusal } = await page.evaluate(async () => {
    window.writer = await Writer.open("quota", "full");
    for (let count = 0; count < 2_000; count++) {
      try {
        await window.writer.say(`commit ${count + 1}`, 500);
      } catch (error) {
        return { count, refusal: String(error) };
      }
    }
    return { count: 2_000, refusal: "" };
  });
  assert(refusal.includes("store-quota"), `after ${count} commits the refusal was: ${refusal || "none"}`);
  const full = await stored(page, "quota", "full");
  assert(full.damages === 0 && full.sound, "rows are damaged");
  assert(full.commits.length === count, `${full.commits.length} commits are stored and ${count} were acknowledged`);
  assert(full.commits.every((commit) => commit.statements === 500), "a commit is torn");
  await limit();
  const seq = await page.evaluate(() => window.writer.say("with room again", 1));
  assert(seq === count + 1, `the next commit is ${seq}`);
  figures.quota_commits_kept = count;
  await page.close();
}

/** A tab of the first release holds the database open and does not give way. */
async function blocked(browser, figures) {
  const old = await browser.page();
  await old.evaluate(
    () =>
      new Promise((done, fail) => {
        const request = indexedDB.open("blocked", 1);
        request.onupgradeneeded = () => {
          const db = request.result;
          db.createObjectStore("commits", { keyPath: ["context", "seq"] });
          db.createObjectStore("heads", { keyPath: "context" });
          const uses = db.createObjectStore("uses", { keyPath: ["context", "id"] });
          uses.createIndex("time", ["context", "at"]);
          db.createObjectStore("vectors");
        };
        request.onsuccess = () => done((window.held = request.result) && undefined);
        request.onerror = () => fail(request.error);
      }),
  );
  const page = await browser.page();
  const begun = Date.now();
  const answer = await page.evaluate(() => Writer.open("blocked", "a").then(() => "opened", String));
  figures.blocked_told_ms = Date.now() - begun;
  assert(answer.includes("store-blocked") && answer.includes("close it"), `the answer was: ${answer}`);
  assert(figures.blocked_told_ms < 15_000, `it took ${figures.blocked_told_ms} ms`);
  await old.evaluate(() => window.held.close());
  const seq = await page.evaluate(async () => (await Writer.open("blocked", "a")).say("after the old tab closed", 1));
  assert(seq === 1, `the first commit is ${seq}`);
  await Promise.all([old.close(), page.close()]);
}

/** The clock is set back between two commits. */
async function clock(browser) {
  const page = await browser.page();
  await page.evaluate(async () => {
    const Real = Date;
    const writer = await Writer.open("clock", "a");
    await writer.say("before", 1);
    window.Date = class extends Real {
      constructor(...given) {
        super(...(given.length > 0 ? given : [Real.now() - 30_000]));
      }
      static now() {
        return Real.now() - 30_000;
      }
    };
    await writer.say("thirty seconds earlier", 1);
    window.Date = Real;
    await writer.say("after", 1);
  });
  const { damages, sound, commits } = await stored(page, "clock", "a");
  assert(damages === 0 && sound, "the log is not sound");
  assert(commits.map((commit) => commit.said).join() === "before,thirty seconds earlier,after", "the order is another");
  assert(commits[1].clock < commits[0].clock - 20_000, "the page's clock did not go back");
  assert(commits.every((commit, n) => n === 0 || commit.at >= commits[n - 1].at), "commit times are not in order");
  await page.close();
}

/** The browser refuses to store anything. */
async function refused(browser) {
  for (const refuse of ["undefined", "{ open() { throw new DOMException('not here', 'SecurityError'); } }"]) {
    const page = await browser.page(`Object.defineProperty(window, "indexedDB", { value: ${refuse} })`);
    const [volatile, seq] = await page.evaluate(async () => {
      const writer = await Writer.open("refused", "a");
      return [writer.volatile, await writer.say("kept while the page is open", 1)];
    });
    assert(volatile && volatile.includes("data cannot be kept here"), `what was said is: ${volatile}`);
    assert(seq === 1, `the first commit is ${seq}`);
    await page.close();
  }
}

/** The browser finds its store damaged and empties it: the next page is told, once; so is nobody who has deleted everything. */
async function emptied(browser) {
  let page = await browser.page();
  await page.evaluate(async () => (await Writer.open("emptied", "a")).say("kept", 20));
  await page.evaluate(async () => (await Writer.open("emptied", "a")).say("kept too", 5));
  assert((await stored(page, "emptied", "a")).commits.length > 0, "nothing was stored");
  // What is on its way to the disk gets there.
  await sleep(500);
  await browser.context.close();
  spoil(join(browser.folder, "Default", "IndexedDB"));
  await browser.start();
  page = await browser.page();
  const first = await stored(page, "emptied", "a");
  assert(first.commits.length === 0, "the browser read what was damaged");
  assert(first.emptied, "nobody is told that the store was emptied");
  assert(!(await stored(page, "emptied", "a")).emptied, "it is told twice");
  await page.close();
}

/** Changes a byte in the middle of every file that holds records of an IndexedDB of Chromium. */
function spoil(folder) {
  const files = readdirSync(folder, { recursive: true }).map(String).filter((name) => /\.(log|ldb)$/.test(name));
  assert(files.length > 0, `no store is in ${folder}`);
  for (const name of files) {
    const bytes = readFileSync(join(folder, name));
    for (const share of [0.1, 0.5, 0.9]) bytes[Math.floor(bytes.length * share)] ^= 0xff;
    writeFileSync(join(folder, name), bytes);
  }
}

/** The journal beside bare IndexedDB: small and large memories. */
async function measure(browser) {
  const page = await browser.page();
  const figures = {};
  for (const [name, commits, rounds] of [["10k", 100, 7], ["100k", 1_000, 3]]) {
    say(`  a memory of ${commits * 100} statements`);
    figures[name] = JSON.parse(
      await page.evaluate(([name, commits, rounds]) => measure(name, commits, rounds), [name, commits, rounds]),
    );
  }
  return figures;
}

const DRILLS = { kills, tabs, quota, blocked, clock, refused, emptied };
const NAMES = {
  kills: "the tab or the browser is killed while it commits",
  tabs: "two tabs write at once",
  quota: "the disk is full",
  blocked: "an old tab blocks the upgrade",
  clock: "the clock is set back",
  refused: "the browser refuses to store",
  emptied: "the browser empties a store that it finds damaged",
};

assert(options.page, "--page FOLDER: where the page's wasm is");
const { server, origin } = await serve(options.page);
const browser = new Browser(origin);
const figures = {};
let passed = 0;
let failed = 0;
const finish = async (code) => {
  console.log(JSON.stringify(figures));
  await browser.stop();
  server.close();
  process.exit(code);
};
process.on("SIGINT", () => {
  say("cancelled; the figures so far:");
  finish(130);
});
try {
  await browser.start();
  if (options.measure) {
    Object.assign(figures, await measure(browser));
  } else {
    for (const [name, drill] of Object.entries(DRILLS)) {
      if (options.only.length > 0 && !options.only.includes(name)) continue;
      say(`# ${NAMES[name]}`);
      try {
        await drill(browser, figures);
        passed++;
        say(`ok - ${NAMES[name]}`);
      } catch (error) {
        failed++;
        say(`not ok - ${NAMES[name]}: ${error.message}`);
      }
    }
    Object.assign(figures, { passed, failed });
    say(`# pass ${passed}\n# fail ${failed}`);
  }
  // What failed is among the figures; a code of its own is for what could not be run.
  await finish(0);
} catch (error) {
  say(String(error.stack ?? error));
  await finish(1);
}
