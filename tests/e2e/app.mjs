// The app as a person uses it, in terms of the test ids of TESTIDS.md: what the steps of check.mjs are made of.

import { assert, until } from "./driver.mjs";

/** One tab with the app in it. */
export class App {
  constructor(page) {
    this.page = page;
  }

  static async open(context, site) {
    const app = new App(await context.newPage());
    await app.page.goto(site);
    await app.ready();
    return app;
  }

  id(testId, scope = this.page) {
    return scope.getByTestId(testId);
  }

  async ready() {
    await until("the app is ready", () => this.page.locator('[data-testid="app"][data-ready="true"]').count(), 60_000);
  }

  async reload() {
    await this.page.reload();
    await this.ready();
  }

  /** `chat`, `memory` or `settings`. */
  async go(place) {
    await this.id(`nav-${place}`).click();
    await until(`the page ${place} is shown`, async () => (await this.id("app").getAttribute("data-page")) === place);
  }

  async data(testId, name, scope) {
    return this.id(testId, scope).first().getAttribute(`data-${name}`);
  }

  async number(testId, name, scope) {
    const text = await this.data(testId, name, scope);
    assert(text !== null && text !== "" && !Number.isNaN(Number(text)), `${testId} has no number in data-${name}: ${text}`);
    return Number(text);
  }

  // ── chat ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  messages(role) {
    return this.page.locator(`[data-testid="chat-log"] [data-testid="message"][data-role="${role}"]`);
  }

  /** Types and sends; does not wait for the answer. */
  async send(text) {
    const before = await this.messages("user").count();
    await this.id("chat-input").fill(text);
    await this.id("chat-send").click();
    await until("the message stands in the log", async () => (await this.messages("user").count()) === before + 1);
  }

  /** Says something and returns the finished answer's element. */
  async say(text) {
    const before = await this.messages("assistant").count();
    await this.send(text);
    return this.answer(before + 1);
  }

  /** The `count`th answer, once it has ended. */
  async answer(count) {
    const answer = this.messages("assistant").nth(count - 1);
    await until("the answer is complete", async () => {
      const streaming = await this.data("chat-log", "streaming");
      return streaming === "false" && (await answer.getAttribute("data-state")) !== "streaming";
    }, 60_000);
    return answer;
  }

  /** Waits for a chip whose text contains `part`. */
  async remembered(part) {
    const chip = this.id("remembered").filter({ hasText: part }).first();
    await until(`a chip says that «${part}» is remembered`, () => chip.count(), 30_000);
    return chip;
  }

  /** Opens the latest conversation of the list. */
  async openConversation() {
    await this.go("chat");
    await until("the list has a conversation", () => this.id("conversation").count());
    await this.id("conversation").first().click();
    // What is said next is counted from what stands there.
    await until("its messages are shown", () => this.messages("user").count());
  }

  async newConversation() {
    await this.id("chat-new").click();
    await until("the new conversation is empty", async () => (await this.messages("user").count()) === 0);
  }

  /** The texts injected into the last answer's prompt. */
  async injected() {
    const panel = this.messages("assistant").last().getByTestId("injected");
    await until("the answer shows what was injected", () => panel.count());
    if ((await this.id("injected-item", panel).count()) === 0 || !(await this.id("injected-item", panel).first().isVisible())) {
      await this.id("injected-toggle", panel).click();
    }
    await until("the injected propositions are listed", () => this.id("injected-item", panel).first().isVisible());
    const texts = await this.id("injected-item", panel).allInnerTexts();
    assert(texts.length === Number(await panel.getAttribute("data-count")), "the panel's count is not that of its rows");
    return texts;
  }

  // ── memory ────────────────────────────────────────────────────────────────────────────────────────────────────────

  rows(status) {
    const wanted = status ? `[data-status="${status}"]` : "";
    return this.page.locator(`[data-testid="memory-row"]${wanted}`);
  }

  /** Opens the page of the row whose text contains `part`. */
  async openProposition(part) {
    await this.rows().filter({ hasText: part }).first().getByTestId("memory-row-text").click();
    await until("the proposition's page is shown", () => this.id("prop").count());
  }

  async confirm() {
    await this.id("confirm-yes").click();
    await until("the question is gone", async () => (await this.id("confirm").count()) === 0);
  }

  /** In the open dialog: softly, or for ever. */
  async forget(forEver = false) {
    await until("what would go is shown", () => this.id("forget-preview").count());
    if (forEver) {
      await this.id("forget-for-ever").check();
      await this.id("forget-word").fill((await this.id("forget-word").getAttribute("data-word")) ?? "");
    }
    await this.id("forget-go").click();
    await until("the dialog is gone", async () => (await this.id("forget-dialog").count()) === 0);
  }

  // ── settings ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Fills in a custom endpoint; `keep` says where the key stays. */
  async connect({ url, key, model, keep }) {
    await this.go("settings");
    await this.id("settings-preset").selectOption("custom");
    await this.id("settings-base-url").fill(url);
    await this.id("settings-key").fill(key);
    await this.id("settings-key-keep").selectOption(keep);
    for (const role of ["chat", "extract", "revise"]) {
      await this.id(`settings-model-${role}`).fill(model);
    }
  }

  /** Tests the connection; `{state, kind, text}`. */
  async testConnection() {
    await this.id("settings-test").click();
    const result = this.id("settings-test-result");
    await until("the connection test ends", async () => ["ok", "failed"].includes(await result.getAttribute("data-state")));
    return {
      state: await result.getAttribute("data-state"),
      kind: await result.getAttribute("data-kind"),
      text: await result.innerText(),
    };
  }

  /** Everything that the page has stored, as text. */
  async stored({ session = false } = {}) {
    return this.page.evaluate(async (withSession) => {
      const done = (request) =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      // A key may hide in bytes as well as in text.
      const words = (value) =>
        JSON.stringify(value, (_, inner) => {
          if (inner instanceof ArrayBuffer) return new TextDecoder().decode(inner);
          return ArrayBuffer.isView(inner) ? new TextDecoder().decode(inner) : inner;
        });
      const found = [words({ ...localStorage })];
      if (withSession) found.push(words({ ...sessionStorage }));
      for (const { name } of await indexedDB.databases()) {
        const database = await done(indexedDB.open(name));
        for (const store of database.objectStoreNames) {
          found.push(words(await done(database.transaction(store).objectStore(store).getAll())));
        }
        database.close();
      }
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        found.push(words((await cache.keys()).map(({ url }) => url)));
      }
      return found.join("\n");
    }, session);
  }
}
