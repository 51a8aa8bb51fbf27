// (j) Storage that fails: a browser that refuses to store anything (case 41), and a disk that is full (case 42). The page goes on, says so, and
// lets its memory be taken along.

import { readFile } from "node:fs/promises";

import { App } from "./app.mjs";
import { assert, until } from "./driver.mjs";

const REFUSALS = {
  "is not there": "undefined",
  "throws": "{ open() { throw new DOMException('not here', 'SecurityError'); } }",
};

/** Writes fail in the middle of their transactions while `diskIsFull`. */
const FULL_ON_REQUEST = `for (const name of ["put", "add"]) {
  const real = IDBObjectStore.prototype[name];
  IDBObjectStore.prototype[name] = function (...row) {
    if (window.diskIsFull) throw new DOMException("no space", "QuotaExceededError");
    return real.apply(this, row);
  };
}`;

/** What the open memory's export holds. */
async function exported(app, button) {
  const [download] = await Promise.all([app.page.waitForEvent("download"), button.click()]);
  return JSON.parse(await readFile(await download.path(), "utf8"));
}

export async function storage(run, context) {
  for (const [how, value] of Object.entries(REFUSALS)) {
    await run.step(`case 41: where the browser's database ${how}, the page works, says that nothing is kept, and exports`, async () => {
      const page = await context.newPage();
      await page.addInitScript(`Object.defineProperty(window, "indexedDB", { value: ${value} })`);
      await page.goto(run.site);
      const app = new App(page);
      await app.ready();
      assert((await app.data("storage-banner", "kind")) === "memory-only", "it does not say so");
      await app.say("I live in Lisbon.");
      await app.remembered("Lisbon");
      const bundle = await exported(app, app.id("storage-banner").getByRole("button", { name: "Export" }));
      assert(JSON.stringify(bundle).includes("Lisbon"), "the export lacks what was said");
      await page.close();
    });
  }
  await run.step("case 42: a full disk is said, loses nothing, lets the memory be exported, and goes by", async () => {
    const page = await context.newPage();
    await page.addInitScript(FULL_ON_REQUEST);
    await page.goto(run.site);
    const app = new App(page);
    await app.ready();
    await app.say("I live in Lisbon.");
    await app.remembered("Lisbon");
    const full = (is) => page.evaluate((is) => void (window.diskIsFull = is), is);
    await full(true);
    await app.go("memory");
    await app.openProposition("Lisbon");
    await app.id("prop-pin").click();
    await until("it says that the disk is full", async () => (await app.id("storage-banner").getAttribute("data-kind").catch(() => null)) === "quota");
    assert((await app.data("prop", "pinned")) === "false", "what was not stored is shown as done");
    const bundle = await exported(app, app.id("storage-banner").getByRole("button", { name: "Export" }));
    assert(JSON.stringify(bundle).includes("Lisbon"), "the export lacks what was there");
    await full(false);
    await app.id("prop-pin").click();
    await until("with room again it is done", async () => (await app.data("prop", "pinned")) === "true");
    await app.reload();
    await app.go("memory");
    await until("nothing is lost", async () => (await app.rows("active").filter({ hasText: "Lisbon" }).count()) === 1);
  });
}
