// (d) What one tab does to the memory that another one has open: it is followed without a reload, and said.

import { readFile } from "node:fs/promises";

import { App } from "./app.mjs";
import { assert, until } from "./driver.mjs";

/** Types the word that a dangerous question asks for, and says yes. */
async function confirmed(app) {
  await app.id("confirm-word").fill((await app.id("confirm-word").getAttribute("data-word")) ?? "");
  await app.id("confirm-yes").click();
}

async function toldOf(app, kind) {
  await until(`the tab says what happened (${kind})`, async () => (await app.id("elsewhere-banner").getAttribute("data-kind").catch(() => null)) === kind);
  assert((await app.id("elsewhere-banner").innerText()).length > 20, "it says nothing");
  assert((await app.id("storage-banner").count()) === 0, "an alarm is raised");
}

/** Shuts what was said, so that the next thing is seen to be said. */
async function read(app) {
  await app.id("elsewhere-close").click();
  await until("the banner is gone", async () => (await app.id("elsewhere-banner").count()) === 0);
}

const toast = (app, text) => app.id("toast").filter({ hasText: text });

export async function elsewhere(run, context, left, right) {
  const empty = async (app) => {
    await app.go("memory");
    await until("nothing is remembered", async () => (await app.rows("active").count()) === 0);
  };
  await run.step("a conversation that is deleted in one tab is said to be gone in the other", async () => {
    await left.go("chat");
    await left.newConversation();
    await left.say("I own a kite.");
    await left.remembered("kite");
    const address = new URL(left.page.url()).hash;
    await right.page.evaluate((hash) => (window.location.hash = hash), address);
    await until("the other tab shows it", () => right.messages("user").count());
    await left.id("conversation-forget").click();
    await left.forget();
    await toldOf(right, "conversation");
    await until("its messages are gone", async () => (await right.messages("user").count()) === 0);
    assert((await left.id("elsewhere-banner").count()) === 0, "the tab that did it is told of it");
    await read(right);
  });
  await run.step("what one tab looks after, the other leaves alone and says so; a closed tab is no hindrance", async () => {
    await left.go("settings");
    const memory = await left.page.locator('[data-testid="context"][aria-current]').getAttribute("data-context");
    const busy = await App.open(context, run.site);
    await busy.page.evaluate(
      (name) => new Promise((held) => void navigator.locks.request(name, () => new Promise(() => held()))),
      `credence:credence:look after ${memory}`,
    );
    await left.go("activity");
    await left.id("tidy-look").click();
    await until("the tab says that another one is at it", () => toast(left, "Another tab is looking after this memory").count());
    await until("it is not running here", async () => (await left.id("tidy-look").isEnabled()));
    await busy.page.close();
    await until("it can be done now", async () => {
      await left.id("tidy-look").click();
      return (await toast(left, "tidying").count()) + (await toast(left, "would be touched").count()) > 0;
    });
  });
  let backup;
  await run.step("a memory that is wiped in one tab begins anew in the other", async () => {
    await left.go("settings");
    const [download] = await Promise.all([left.page.waitForEvent("download"), left.id("data-export").click()]);
    backup = await readFile(await download.path());
    await right.openConversation();
    await left.id("data-wipe-context").click();
    await confirmed(left);
    await toldOf(right, "wiped");
    await until("the conversation is left", async () => (await right.messages("user").count()) === 0);
    await read(right);
    await empty(right);
    await right.go("chat");
    await right.say("I collect stamps.");
    await right.remembered("stamps");
    await left.go("memory");
    await until("and the first tab hears of it", async () => (await left.rows("active").filter({ hasText: "stamps" }).count()) === 1);
  });
  await run.step("a backup that one tab puts in the memory's place is shown in the other", async () => {
    await left.go("settings");
    await left.id("data-restore").click();
    await left.id("restore-file").setInputFiles({ name: "backup.json", mimeType: "application/json", buffer: backup });
    await until("what would happen is shown", async () => (await left.data("restore-dialog", "state")) === "preview");
    await left.id("restore-choice").selectOption("replace");
    await left.id("restore-go").click();
    await until("it is done", async () => (await left.data("restore-dialog", "state")) === "done");
    await left.id("restore-close").click();
    await toldOf(right, "replaced");
    await read(right);
    await right.go("memory");
    await until("what the backup holds is there", async () =>
      (await right.rows("active").filter({ hasText: "Bergen" }).count()) === 1 && (await right.rows("active").filter({ hasText: "stamps" }).count()) === 0);
  });
  await run.step("when everything is deleted in one tab, the other begins anew by itself", async () => {
    await left.id("data-wipe").click();
    await confirmed(left);
    await left.ready();
    await toldOf(right, "everything");
    await right.ready();
    await empty(right);
    await right.go("chat");
    await right.say("I live in Oslo.");
    await right.remembered("Oslo");
  });
}
