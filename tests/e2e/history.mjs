// (g) History: what was said is changed and changed back, a branch, a conversation without memory, forgetting for ever, backups, and old history that goes.

import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";

import { App } from "./app.mjs";
import { assert, until } from "./driver.mjs";

/** Everything that the browser's databases hold, as one text; vectors by their keys. */
async function raw(page) {
  return page.evaluate(async () => {
    const settled = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    let text = "";
    for (const { name } of await indexedDB.databases()) {
      const db = await settled(indexedDB.open(name));
      for (const store of db.objectStoreNames) {
        const rows = db.transaction(store).objectStore(store);
        text += JSON.stringify(await settled(rows.getAllKeys())) + JSON.stringify(await settled(rows.getAll()));
      }
      db.close();
    }
    return text;
  });
}

/** Opens a message's menu and does one thing of it. */
async function act(message, what) {
  await message.getByTestId("message-more").click();
  await message.getByTestId(what).click();
}

const slide = async (app, testid, seq) => {
  await app.id(testid).evaluate((element, seq) => {
    element.value = String(seq);
    element.dispatchEvent(new Event("input", { bubbles: true }));
  }, seq);
};

export async function history(run, context) {
  let app;
  const active = (part) => app.rows("active").filter({ hasText: part }).count();
  await run.step("a message is worded anew, and what rested on its old words goes", async () => {
    app = await App.open(context, run.site);
    await app.say("I'm allergic to peanuts.");
    await app.remembered("peanuts");
    const message = app.messages("user").first();
    await act(message, "message-edit");
    await app.id("message-words").fill("I'm allergic to shellfish.");
    await app.id("message-save").click();
    await app.remembered("shellfish");
    await app.go("memory");
    await until("the new statement alone is in force", async () => (await active("shellfish")) === 1 && (await active("peanuts")) === 0);
  });
  await run.step("a step back brings the old words back, with what rested on them", async () => {
    await app.openConversation();
    const message = app.messages("user").first();
    assert((await message.getByTestId("message-swipe").getAttribute("data-wordings")) === "2", "the old words are not kept");
    await message.getByTestId("message-swipe-back").click();
    await until("the old words are there", async () => (await app.messages("user").first().innerText()).includes("peanuts"));
    await app.go("memory");
    await until("so is what they said", async () => (await active("peanuts")) === 1 && (await active("shellfish")) === 0);
  });
  await run.step("an answer that is given again stays a step away", async () => {
    await app.openConversation();
    await app.id("chat-regenerate").click();
    await app.answer(1);
    await until("there are two wordings", async () =>
      (await app.messages("assistant").last().getByTestId("message-swipe").getAttribute("data-wordings").catch(() => null)) === "2");
  });
  await run.step("a branch knows what was known there, and nothing later", async () => {
    await app.say("My brother Tomas lives in Riga.");
    await app.remembered("Riga");
    await act(app.messages("user").first(), "message-branch");
    await app.id("branch-name").fill("other way");
    await app.id("branch-go").click();
    await until("the branch is open", async () => (await app.messages("user").count()) === 1);
    await app.go("memory");
    await until("nothing later is in it", async () => (await active("Riga")) === 0);
    await app.go("settings");
    await app.page.locator('[data-testid="context"]:not([aria-current])').getByRole("button", { name: "Open" }).first().click();
    await until("the first memory is open again", async () => (await app.page.locator('[data-testid="context"][aria-current]').getAttribute("data-context")) !== "other way");
    await app.go("memory");
    await until("it has everything", async () => (await active("Riga")) === 1);
  });
  await run.step("a conversation without memory leaves nothing", async () => {
    await app.go("chat");
    await app.newConversation();
    await app.say("Good morning.");
    await app.id("conversation-mode").selectOption("off");
    await until("it says so", async () => (await app.data("conversation-bar", "mode")) === "off");
    await app.say("My parrot is called Zanzibar.");
    await app.go("memory");
    assert((await app.rows("active").filter({ hasText: "Zanzibar" }).count()) === 0, "it was remembered");
  });
  await run.step("forgetting for ever shows what goes, and leaves no word of it in the store", async () => {
    await app.go("memory");
    await app.openProposition("Riga");
    assert((await raw(app.page)).includes("Riga"), "it is not in the store to begin with");
    await app.id("prop-forget").click();
    await until("what would go is shown", () => app.id("forget-preview").count());
    assert((await app.number("forget-preview", "gone")) >= 1, "no statement is shown to go");
    assert(!(await app.id("forget-preview").innerText()).includes("Destroyed"), "with a way back, nothing is destroyed");
    await app.id("forget-for-ever").check();
    await until("what would be destroyed is shown", async () => (await app.id("forget-preview").innerText()).includes("Destroyed"));
    assert((await app.number("forget-preview", "turns")) >= 1, "the message that said it is not shown");
    await app.forget(true);
    await until("the page is left", async () => (await app.data("app", "page")) === "memory");
    assert(!(await raw(app.page)).includes("Riga"), "the word is still in the store");
    await app.reload();
    assert(!(await raw(app.page)).includes("Riga"), "the word came back");
  });
  await run.step("a span of days is forgotten after a look at what goes, and comes back", async () => {
    await app.go("chat");
    await app.newConversation();
    await app.say("I keep two goats.");
    await app.remembered("goats");
    await app.go("settings");
    await app.id("data-forget-span").click();
    await until("what today would take is shown", () => app.id("forget-preview").count());
    assert((await app.number("forget-preview", "gone")) >= 2, "not everything of today is shown");
    await app.id("forget-from").fill("2020-01-01");
    await app.id("forget-to").fill("2020-01-02");
    await app.id("forget-to").blur();
    await until("nothing was said in those days", async () => (await app.data("forget-dialog", "state")) === "failed");
    assert((await app.id("forget-problem").innerText()).includes("Nothing was said"), "it does not say so");
    await app.id("forget-from").fill("2020-01-03");
    await app.id("forget-from").blur();
    await until("a span that ends before it begins is refused", async () => (await app.id("forget-problem").innerText()).includes("before the first"));
    assert(!(await app.id("forget-go").isEnabled()), "it could be forgotten all the same");
    const today = await app.page.evaluate(() => {
      const now = new Date();
      return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
    });
    await app.id("forget-to").fill(today);
    await app.id("forget-to").blur();
    await app.forget();
    await app.go("memory");
    await until("nothing of it is left", async () => (await active("goats")) === 0 && (await active("peanuts")) === 0);
    await app.id("toast").filter({ hasText: "Forgotten" }).getByRole("button", { name: "Undo" }).click();
    await until("it is back", async () => (await active("goats")) === 1 && (await active("peanuts")) === 1);
  });
  let backup;
  await run.step("every memory is saved in one packed file", async () => {
    await app.go("settings");
    await app.id("data-packed").check();
    const [download] = await Promise.all([app.page.waitForEvent("download"), app.id("data-export-all").click()]);
    assert(download.suggestedFilename().endsWith(".json.gz"), "the file is not named as packed");
    backup = await readFile(await download.path());
    const bundle = JSON.parse(gunzipSync(backup).toString("utf8"));
    assert(bundle.contexts.length === 2, `${bundle.contexts.length} memories are in it`);
  });
  await run.step("after a wipe it comes back whole, with its history", async () => {
    await app.id("data-wipe-context").click();
    await app.id("confirm-word").fill((await app.id("confirm-word").getAttribute("data-word")) ?? "");
    await app.confirm();
    await until("nothing is left", async () => (await app.number("data-size", "propositions")) === 0);
    await app.id("data-restore").click();
    await app.id("restore-file").setInputFiles({ name: "backup.json.gz", mimeType: "application/gzip", buffer: backup });
    await until("what would happen is shown", async () => (await app.data("restore-dialog", "state")) === "preview");
    assert((await app.number("restore-plan", "contexts")) === 2, "not every memory is shown");
    await app.id("restore-go").click();
    await until("it is done", async () => (await app.data("restore-dialog", "state")) === "done");
    await app.id("restore-close").click();
    await app.go("memory");
    await until("the statement is back", async () => (await active("peanuts")) === 1);
  });
  await run.step("the same file again adds nothing", async () => {
    await app.go("settings");
    const before = await app.number("data-size", "commits");
    await app.id("data-restore").click();
    await app.id("restore-file").setInputFiles({ name: "backup.json.gz", mimeType: "application/gzip", buffer: backup });
    await until("what would happen is shown", async () => (await app.data("restore-dialog", "state")) === "preview");
    await app.id("restore-go").click();
    await until("it is done", async () => (await app.data("restore-dialog", "state")) === "done");
    await app.id("restore-close").click();
    assert((await app.number("data-size", "commits")) === before, "commits were added");
  });
  await run.step("a file that is no backup is refused in words", async () => {
    await app.id("data-restore").click();
    await app.id("restore-file").setInputFiles({ name: "odd.json", mimeType: "application/json", buffer: Buffer.from("{\"a\": 1}") });
    await until("it is refused", async () => (await app.data("restore-dialog", "state")) === "refused");
    assert((await app.id("restore-problem").innerText()).length > 10, "no reason is given");
    await app.id("restore-close").click();
  });
  await run.step("the memory goes back to an earlier change, as one more change", async () => {
    await app.go("chat");
    await app.newConversation();
    await app.say("I collect old maps.");
    await app.remembered("maps");
    await app.go("timeline");
    const last = await app.number("timeline", "commits");
    await slide(app, "timeline-slider", last - 4);
    await until("an earlier change is shown", async () => (await app.number("timeline-at", "seq")) === last - 4);
    await app.id("timeline-compare").click();
    await slide(app, "timeline-other", last - 1);
    await until("what lies between two is counted", async () => (await app.number("timeline-differs", "count")) > 0);
    await app.id("timeline-revert").click();
    await app.confirm();
    await until("there is one more change", async () => (await app.number("timeline", "commits")) > last);
    await app.go("memory");
    await until("what was learned since is gone", async () => (await active("maps")) === 0);
  });
  await run.step("old history is dropped on request, and says so where it is asked for", async () => {
    await app.go("settings");
    await app.id("history-keep").selectOption("revisions");
    await app.id("history-number").fill("5");
    await until("something would go", async () => (await app.number("history-worth", "revisions")) > 0);
    await app.id("history-compact").click();
    await app.confirm();
    await until("nothing more would go", async () => (await app.number("history-worth", "revisions")) === 0);
    await app.go("timeline");
    await slide(app, "timeline-slider", 2);
    await until("the view says why it is empty", () => app.id("timeline-compacted").count());
    await app.go("memory");
    assert((await active("peanuts")) === 1, "what is remembered changed");
  });
}
