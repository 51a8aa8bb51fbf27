// The main job, done in Chromium against the built site; `cargo xtask demo --check` builds, serves and calls this.
//
//   node check.mjs --site http://127.0.0.1:8080/ [--out FOLDER] [--only a,b,c,d,e,f,g,h,i,j,k]
//
// CHROME names the browser (default: /usr/bin/chromium). CREDENCE_LOCOMO names a folder of LoCoMo conversations; where
// one is found, the import of (c) takes the first of them, otherwise the conversation in fixtures/.
// One line a step, `ok - …` or `not ok - …`; the last line is PASS or FAIL. Failures leave screenshots in --out.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { App } from "./app.mjs";
import { Run, assert, until } from "./driver.mjs";
import { experiments } from "./experiments.mjs";
import { knowledge } from "./knowledge.mjs";
import { startEndpoint } from "./scripted-endpoint.mjs";
import { said, script } from "./script.mjs";
import { history } from "./history.mjs";
import { runs } from "./runs.mjs";
import { scenarios } from "./scenarios.mjs";
import { storage } from "./storage.mjs";
import { elsewhere } from "./tabs.mjs";
import { workingSet } from "./working-set.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    site: { type: "string" },
    out: { type: "string", default: join(here, "out") },
    only: { type: "string", default: "a,b,c,d,e,f,g,h,i,j,k" },
  },
});
assert(options.site, "--site ADDRESS is missing");
const only = options.only.split(",");
const run = await Run.open({
  site: options.site,
  out: options.out,
  executablePath: process.env.CHROME || "/usr/bin/chromium",
});

/** (a) No key, no network: rules extract, the built-in responder answers. */
async function withoutModel(context) {
  const statements = [
    { text: "I live in Lisbon.", part: "Lisbon" },
    { text: "My sister Ines is allergic to peanuts.", part: "peanuts" },
    { text: "I play the cello.", part: "cello" },
  ];
  let app;
  await run.step("the page opens, and says that no model is connected", async () => {
    app = await App.open(context, run.site);
    assert((await app.data("model-status", "state")) === "none", "a model seems to be connected");
    assert((await app.id("storage-banner").count()) === 0, "the storage is not the browser's database");
  });
  for (const { text, part } of statements) {
    await run.step(`“${text}” becomes a proposition, marked as found by rule`, async () => {
      await app.say(text);
      const chip = await app.remembered(part);
      assert((await chip.getAttribute("data-origin")) === "rule", "it is not marked as rule-based");
    });
  }
  await run.step("the memory lists three propositions", async () => {
    await app.go("memory");
    await until("three rows are active", async () => (await app.rows("active").count()) === 3);
  });
  for (const { text, part } of statements) {
    await run.step(`the one on ${part} has an explanation, a confidence and its source turn`, async () => {
      await app.openProposition(part);
      assert((await app.id("prop-explanation").innerText()).trim().length > 10, "the explanation is empty");
      const confidence = await app.number("prop-confidence", "value");
      const effective = await app.number("prop-effective", "value");
      assert(confidence > 0 && confidence <= 1 && effective <= confidence, `confidence ${confidence}, effective ${effective}`);
      assert((await app.id("prop-source").first().innerText()).includes(text), "the source does not quote the turn");
      assert((await app.id("prop-revision").count()) === 1, "there should be one revision");
      assert((await app.data("prop", "origin")) === "rule", "its origin is not a rule");
      await app.go("memory");
    });
  }
  await run.step("searching finds the one that is meant", async () => {
    await app.id("memory-search").fill("peanut allergy");
    await until("the first row is on peanuts", async () => (await app.rows().first().innerText()).includes("peanuts"));
    await app.id("memory-search").fill("");
  });
  await run.step("a reload loses nothing", async () => {
    await app.reload();
    await app.go("memory");
    await until("three rows are active", async () => (await app.rows("active").count()) === 3);
    await app.openConversation();
    await until("the conversation is there", async () => (await app.messages("user").count()) === 3);
  });
  await run.step("a new conversation knows: the fact is injected, and the answer uses it", async () => {
    await app.newConversation();
    const answer = await app.say("Where do I live?");
    const injected = await app.injected();
    assert(injected.some((text) => text.includes("Lisbon")), `injected: ${injected.join(" | ")}`);
    assert((await app.id("message-text", answer).innerText()).includes("Lisbon"), "the answer does not use it");
  });
  await run.step("a question is not remembered as a fact", async () => {
    await app.go("memory");
    await until("three rows are active", async () => (await app.rows("active").count()) === 3);
  });
  await run.step("a chip can be undone", async () => {
    await app.go("chat");
    await app.say("I own a red kayak.");
    const chip = await app.remembered("kayak");
    await app.id("remembered-undo", chip).click();
    await until("the chip says so", async () => (await app.id("remembered").filter({ hasText: "kayak" }).first().getAttribute("data-undone")) === "true");
    await app.go("memory");
    await until("three rows are active", async () => (await app.rows("active").count()) === 3);
  });
  await run.step("an edit, a pin and a forgetting hold over a reload", async () => {
    await app.openProposition("cello");
    await app.id("prop-pin").click();
    await until("it is pinned", async () => (await app.data("prop", "pinned")) === "true");
    await app.id("prop-edit").click();
    await app.id("prop-edit-text").fill("The user plays the viola.");
    await app.id("prop-edit-save").click();
    await until("the text is the new one", async () => (await app.id("prop-text").innerText()).includes("viola"));
    await until("three revisions are listed", async () => (await app.id("prop-revision").count()) === 3);
    await app.go("memory");
    await app.openProposition("peanuts");
    await app.id("prop-forget").click();
    await app.forget();
    // The page is left once the forgetting is kept; a reload before that would be one before it was acknowledged.
    await until("it is forgotten", async () => (await app.data("app", "page")) === "memory");
    await app.reload();
    await app.go("memory");
    await until("two rows are active", async () => (await app.rows("active").count()) === 2);
    assert((await app.rows().filter({ hasText: "viola" }).count()) === 1, "the edit is gone");
    await app.openProposition("viola");
    assert((await app.data("prop", "pinned")) === "true", "the pin is gone");
  });
  await run.step("the theme switches", async () => {
    const seen = new Set();
    for (let at = 0; at < 3; at += 1) {
      seen.add(await app.data("app", "theme"));
      await app.id("theme-switch").click();
    }
    assert(seen.has("light") && seen.has("dark"), `seen: ${[...seen].join(", ")}`);
  });
  await run.step("the export is JSON and holds what is known", async () => {
    await app.go("settings");
    const [download] = await Promise.all([app.page.waitForEvent("download"), app.id("data-export").click()]);
    const text = readFileSync(await download.path(), "utf8");
    JSON.parse(text);
    assert(text.includes("Lisbon"), "the export lacks a proposition");
    assert((await app.number("data-size", "commits")) > 0, "no commits are counted");
  });
  await run.step("wiping leaves nothing, also after a reload", async () => {
    await app.id("data-wipe").click();
    if ((await app.id("confirm-word").count()) > 0) {
      await app.id("confirm-word").fill((await app.data("confirm-word", "word")) ?? "");
    }
    // The app starts afresh by itself once everything is gone.
    await Promise.all([app.page.waitForEvent("load"), app.id("confirm-yes").click()]);
    await app.ready();
    await app.go("memory");
    await until("the memory is empty", () => app.id("memory-empty").count());
    await app.reload();
    await app.go("memory");
    await until("the memory is still empty", () => app.id("memory-empty").count());
    assert(!(await app.stored({ session: true })).includes("Lisbon"), "something of it is still stored");
  });
}

/** (b) A model behind a key: streaming, model extraction, contradiction; and what went over the wire. */
async function withModel(context) {
  const key = "sk-check-3f9c2a";
  const endpoint = await startEndpoint({ key, script });
  try {
    await modelSteps(context, endpoint, key);
  } finally {
    await endpoint.close().catch(() => {});
  }
}

async function modelSteps(context, endpoint, key) {
  const refused = { expect: [/Failed to load resource: .* 401/] };
  let app;
  await run.step("a wrong key is told apart, in words that say what to do", async () => {
    app = await App.open(context, run.site);
    await app.connect({ url: endpoint.url, key: "sk-wrong", model: "scripted", keep: "session" });
    const result = await app.testConnection();
    assert(result.state === "failed" && result.kind === "bad-key", `${result.state}, ${result.kind}: ${result.text}`);
    assert(/key/i.test(result.text) && !result.text.includes("sk-wrong"), `the words: ${result.text}`);
  }, refused);
  await run.step("the right key connects", async () => {
    await app.id("settings-key").fill(key);
    const result = await app.testConnection();
    assert(result.state === "ok", result.text);
    await app.id("settings-save").click();
    await until("a model is ready", async () => (await app.data("model-status", "state")) === "ready");
    await app.go("chat");
  });
  for (const { text, remembered } of [said.techno, said.harbour, said.allergy]) {
    await run.step(`“${text}” is answered in a stream and remembered by the model`, async () => {
      const answer = await app.say(text);
      const shown = await app.id("message-text", answer).innerText();
      assert(shown.includes("Ünïcödé and 日本語 pass through whole."), `the answer is damaged: ${shown}`);
      assert((await app.id("message-text", answer).locator("em").count()) === 1, "Markdown is not rendered");
      const chip = await app.remembered(remembered);
      assert((await chip.getAttribute("data-origin")) === "model", "it is not marked as the model's");
    });
  }
  await run.step("over the wire: streamed chats, the pipeline's prompts, the key in its header and nowhere else", async () => {
    const chats = endpoint.of("chat").filter(({ headers }) => headers.authorization === `Bearer ${key}`);
    assert(chats.length >= 3 && chats.slice(-3).every(({ body }) => body.stream === true), "the chats were not streamed");
    assert(endpoint.of("extract").length >= 3, `${endpoint.of("extract").length} extraction calls`);
    assert(endpoint.of("extract").length + endpoint.of("revise").length <= 6, "more than two calls a window");
    for (const { path, headers, body } of endpoint.requests) {
      const rest = JSON.stringify({ path, body, headers: { ...headers, authorization: "" } });
      assert(!rest.includes(key), `the key is elsewhere in ${path}`);
    }
  });
  await run.step("the key is in no database, no export and no address", async () => {
    assert(!(await app.stored()).includes(key), "the key is stored");
    assert(!app.page.url().includes(key), "the key is in the address");
    await app.go("settings");
    const [download] = await Promise.all([app.page.waitForEvent("download"), app.id("data-export").click()]);
    assert(!readFileSync(await download.path(), "utf8").includes(key), "the key is in the export");
  });
  await run.step("a reload loses nothing", async () => {
    await app.reload();
    await app.go("memory");
    await until("three rows are active", async () => (await app.rows("active").count()) === 3);
    await app.openProposition("walnuts");
    assert((await app.id("prop-source").first().innerText()).includes("walnuts"), "the source is gone");
    assert((await app.id("prop-explanation").innerText()).includes("allergy"), "the explanation is not the model's");
    await app.go("chat");
  });
  await run.step("a new conversation knows: injected, in the prompt, and used", async () => {
    await app.newConversation();
    const answer = await app.say("What music do I love?");
    assert((await app.injected()).some((text) => text.includes("loves techno")), "it is not among the injected");
    const prompt = endpoint.of("chat").at(-1).body.messages.map(({ content }) => JSON.stringify(content)).join("\n");
    assert(/<memory>[\s\S]*loves techno[\s\S]*<\/memory>/.test(prompt), "it is not in the prompt's memory");
    assert((await app.id("message-text", answer).innerText()).includes("loves techno"), "the answer does not use it");
  });
  await run.step("the X-ray shows byte for byte what went over the wire", async () => {
    const sent = endpoint.of("chat").at(-1).body.messages.map(({ role, content }) => ({
      role,
      text: typeof content === "string" ? content : content.map((part) => part.text ?? "").join(""),
    }));
    await app.messages("assistant").last().getByTestId("message-xray").click();
    await until("the prompt is shown", () => app.id("xray-message").count());
    const shown = await app.id("xray-message").evaluateAll((all) => all.map((one) => ({ role: one.dataset.role, text: one.textContent })));
    assert(JSON.stringify(shown) === JSON.stringify(sent), `shown: ${JSON.stringify(shown)}\nsent: ${JSON.stringify(sent)}`);
    await app.id("xray-close").click();
  });
  await run.step("a contradiction strikes the old statement through and keeps it visible", async () => {
    await app.say(said.noTechno.text);
    await app.remembered(said.noTechno.remembered);
    const struck = app.id("struck").filter({ hasText: "loves techno" });
    await until("the turn shows what it put out of force", () => struck.count());
    await app.go("memory");
    const old = app.rows("contradicted").filter({ hasText: "loves techno" });
    await until("the old row is marked", () => old.count());
    assert((await old.locator("s, del").count()) > 0, "the old row is not struck through");
    assert(await old.isVisible(), "the old row is hidden");
    assert((await app.rows("active").filter({ hasText: "can't stand techno" }).count()) === 1, "the new row is missing");
    await app.go("chat");
  });
  await run.step("what is out of force is no longer injected", async () => {
    await app.newConversation();
    await app.say("Do I still love techno?");
    const injected = await app.injected();
    assert(injected.some((text) => text.includes("can't stand techno")), `injected: ${injected.join(" | ")}`);
    assert(!injected.some((text) => text.includes("loves techno")), "the contradicted statement is injected");
  });
  await run.step("stopping keeps the text that has come", async () => {
    const before = await app.messages("assistant").count();
    await app.send("Tell me a long story.");
    const answer = app.messages("assistant").nth(before);
    await until("the story has begun", async () => (await app.id("message-text", answer).innerText()).includes("Wave 3"));
    await app.id("chat-stop").click();
    await until("it is stopped", async () => (await answer.getAttribute("data-state")) === "stopped");
    const text = await app.id("message-text", answer).innerText();
    assert(text.includes("Wave 3") && !text.includes("Wave 400"), `${text.length} characters were kept`);
  });
  await run.step("an answer can be had again", async () => {
    const before = endpoint.of("chat").length;
    const count = await app.messages("assistant").count();
    await app.say("Where do I work?");
    await app.id("chat-regenerate").last().click();
    await until("the endpoint is asked again", () => endpoint.of("chat").length === before + 2);
    const answer = await app.answer(count + 1);
    assert((await app.id("message-text", answer).innerText()).includes("harbour"), "the second answer is not one");
    assert((await app.messages("assistant").count()) === count + 1, "the first answer still stands beside it");
  });
  await run.step("an answer that runs into the limit of tokens is kept and says so", async () => {
    const limit = async (tokens) => {
      await app.go("settings");
      await app.id("properties-open").click();
      await app.id("properties-search").fill("chat.max-tokens");
      const value = app.page.locator('[data-testid="property"][data-name="chat.max-tokens"]').getByTestId("property-value");
      await value.fill(String(tokens));
      await value.blur();
      await app.id("settings-save").click();
      await until("it is in force", () => app.page.getByText("Everything here is in force.").count());
      await app.go("chat");
    };
    await limit(4);
    await app.newConversation();
    const answer = await app.say("Hello once more.");
    assert((await answer.getAttribute("data-state")) === "cut", `the answer is ${await answer.getAttribute("data-state")}`);
    assert((await answer.innerText()).includes("cut at the limit of tokens"), "it is not said");
    assert(endpoint.of("chat").at(-1).body.max_tokens === 4, "the limit did not go over the wire");
    await limit(0);
  });
  await run.step("what a model asked to remember is in the X-ray, and a person is asked", async () => {
    const proposing = async (on) => {
      await app.go("settings");
      await app.id("settings-advanced-open").click();
      const others = JSON.parse(await app.id("settings-advanced").inputValue());
      others.tools.propose_fact = on;
      await app.id("settings-advanced").fill(JSON.stringify(others));
      await app.id("settings-save").click();
      await until("it is in force", () => app.page.getByText("Everything here is in force.").count());
      await app.go("chat");
    };
    await proposing(true);
    await app.newConversation();
    const answer = await app.say("I speak Norwegian with my neighbours.");
    await app.id("message-xray", answer).click();
    await until("how it was answered is shown", () => app.id("xray-execution").count());
    assert((await app.id("xray-execution").innerText()).includes("scripted"), "the model is not named");
    assert((await app.id("xray-change").innerText()).includes("speaks Norwegian"), "what it asked for is not there");
    assert((await app.id("xray-change").getAttribute("data-outcome")) === "asked", "nobody is asked");
    await app.id("xray-close").click();
    await proposing(false);
  });
  await run.step("a model narrates a scenario in the worker", async () => {
    const before = endpoint.of("chat").length;
    await app.go("simulate");
    await until("a scenario is chosen", () => app.id("sim-details").count());
    await app.id("sim-scenario").selectOption("story-iron-gate");
    await app.id("sim-narrator").selectOption("model");
    await app.id("sim-turns").fill("2");
    await app.id("sim-run").click();
    await until("the run is over", async () => (await app.data("simulate", "phase")) === "completed", 120_000);
    assert((await app.number("sim-log", "turns")) >= 2, "hardly a turn was played");
    assert((await app.id("sim-log").innerText()).includes("Ünïcödé and 日本語 pass through whole."), "the model's words are not there");
    assert(endpoint.of("chat").slice(before).some(({ headers }) => headers.authorization === `Bearer ${key}`), "the worker did not ask");
    await app.go("chat");
  });
  await run.step("a role is played at an endpoint of its own, with its own key", async () => {
    const reader = await startEndpoint({ key: "reader-key-77", models: ["reader"], script });
    try {
      await app.go("settings");
      if (!(await app.id("settings-elsewhere-add").isVisible())) await app.id("settings-elsewhere").locator("summary").click();
      await app.id("settings-elsewhere-add").selectOption("extract");
      await app.id("settings-extract-base-url").fill(reader.url);
      await app.id("settings-extract-key").fill("reader-key-77");
      await app.id("settings-model-extract").fill("");
      await app.id("settings-save").click();
      await until("a role without a model is refused", () => app.page.getByText("no model is named for it").count());
      await app.id("settings-extract-test").click();
      await until("it answers", async () => (await app.data("settings-extract-test-result", "state")) === "ok");
      await app.id("settings-extract-test-result").getByRole("button", { name: "reader" }).click();
      await app.id("settings-save").click();
      await until("it is in force", () => app.page.getByText("Everything here is in force.").count());
      const before = endpoint.of("extract").length;
      await app.go("chat");
      await app.say("I keep bees on the roof.");
      await until("it is read", async () => reader.of("extract").length > 0 && (await app.data("chat-log", "analysis")) === "idle");
      assert(endpoint.of("extract").length === before, "the endpoint of the others was asked to extract");
      assert(reader.requests.every(({ headers }) => !headers.authorization?.includes(key)), "the other endpoint's key went there");
      assert(reader.of("extract").at(-1).body.model === "reader", "another model was asked for");
      await app.go("settings");
      await app.id("settings-extract-here").click();
      await app.id("settings-model-extract").fill("scripted");
      await app.id("settings-save").click();
      await until("it is as before", () => app.page.getByText("Everything here is in force.").count());
      await app.go("chat");
    } finally {
      await reader.close();
    }
  });
  await run.step("an analysis that fails is visible, loses no turn, and succeeds when tried again", async () => {
    endpoint.break("extract", 400);
    await app.say(said.chess.text);
    await until("the failure is shown", async () => (await app.data("chat-log", "analysis")) === "failed");
    endpoint.recover("extract");
    await app.id("analysis-retry").click();
    await app.remembered(said.chess.remembered);
    await until("nothing is pending", async () => (await app.data("chat-log", "analysis")) === "idle");
  }, { expect: [/Failed to load resource: .* 400/] });
  await run.step("an import can be cancelled in the middle", async () => {
    endpoint.delay("extract", 400);
    await app.go("memory");
    await openImport(app, conversation("fixtures"));
    await app.id("import-start").click();
    await until("it runs", async () => (await app.number("import-progress", "total")) > 0);
    await app.id("import-cancel").click();
    await until("it is cancelled", async () => (await app.data("import-dialog", "state")) === "cancelled");
    const calls = endpoint.of("extract").length;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert(endpoint.of("extract").length <= calls + 1, "the analysis goes on");
    await app.id("import-close").click();
    endpoint.delay("extract", 0);
  }, { expect: [/net::ERR_ABORTED/] });
  await run.step("a server that is gone is told apart", async () => {
    await endpoint.close();
    await app.go("chat");
    await app.newConversation();
    const answer = await app.say("Are you there?");
    assert((await answer.getAttribute("data-state")) === "failed", "the answer did not fail");
    assert((await app.data("message-error", "kind", answer)) === "unreachable", await app.id("message-error", answer).innerText());
  }, { expect: [/Failed to load resource: net::ERR_CONNECTION_REFUSED/] });
}

/** A conversation to import: `{path, turns, kind}`. */
function conversation(kind) {
  const folder = resolve(process.env.CREDENCE_LOCOMO || join(here, "..", "..", "..", "shared", "data", "locomo"));
  if (kind === "locomo" && existsSync(folder)) {
    const name = readdirSync(folder).filter((file) => file.endsWith(".json")).sort()[0];
    if (name) {
      const path = join(folder, name);
      const sessions = Object.entries(JSON.parse(readFileSync(path, "utf8"))).filter(([field]) => /^session_\d+$/.test(field));
      return { path, turns: sessions.reduce((sum, [, turns]) => sum + turns.length, 0), what: `the LoCoMo conversation ${name}` };
    }
  }
  const path = join(here, "fixtures", "two-friends.txt");
  const turns = readFileSync(path, "utf8").split("\n").filter((line) => /^\w+: /.test(line)).length;
  return { path, turns, what: "a long conversation" };
}

async function openImport(app, { path, turns }) {
  await app.id("memory-import").click();
  await app.id("import-file").setInputFiles(path);
  await until("the preview stands", async () => (await app.data("import-dialog", "state")) === "preview");
  const read = await app.number("import-preview", "turns");
  assert(read === turns, `the preview has ${read} turns, the file ${turns}`);
}

/** (c) A long conversation, imported to the end. */
async function imports(context) {
  const file = conversation("locomo");
  let app;
  await run.step("a broken file names line and reason and imports nothing", async () => {
    app = await App.open(context, run.site);
    await app.go("memory");
    await app.id("memory-import").click();
    await app.id("import-text").fill('[\n  {"role": "user", "content": "I live in Oslo."},\n  {"role": "user", "content": 7}\n]');
    await until("the error is shown", () => app.id("import-error").count());
    const words = await app.id("import-error").innerText();
    assert(words.trim().length > 15 && /\d/.test(words), `the words: ${words}`);
    assert(await app.id("import-start").isDisabled(), "it can be started");
    await app.id("import-close").click();
    await until("nothing is stored", () => app.id("memory-empty").count());
  });
  await run.step(`${file.what} is imported to the end (${file.turns} turns)`, async () => {
    await openImport(app, file);
    await app.id("import-start").click();
    await until("progress is shown or it is done", async () =>
      ["running", "done"].includes(await app.data("import-dialog", "state")));
    await until("it is done", async () => (await app.data("import-dialog", "state")) === "done", 300_000);
  });
  let kept = 0;
  await run.step("the result counts turns, propositions, and what was dropped, by reason", async () => {
    assert((await app.number("import-result", "turns")) === file.turns, "not every turn is counted");
    kept = await app.number("import-result", "propositions");
    assert(kept > 0, "no proposition came of it");
    const dropped = app.id("import-dropped");
    const reasons = [];
    for (const row of await dropped.all()) {
      reasons.push([await row.getAttribute("data-reason"), Number(await row.getAttribute("data-count"))]);
    }
    assert(reasons.length > 0 && reasons.every(([reason, count]) => reason && count > 0), "no reasons are given");
    console.log(`  ${file.turns} turns, ${kept} propositions; dropped: ${reasons.map((pair) => pair.join(" ")).join(", ")}`);
    await app.id("import-close").click();
  });
  await run.step("what was imported is in the memory, with its sources, and stays", async () => {
    await app.reload();
    await app.go("memory");
    await until("rows are listed", () => app.rows().count());
    assert((await app.number("memory-list", "count")) > 0, "the list counts nothing");
    await app.rows().first().getByTestId("memory-row-text").click();
    await until("a proposition's page is shown", () => app.id("prop").count());
    assert((await app.id("prop-source").first().innerText()).trim().length > 0, "it has no source");
  });
}

/** (d) Two tabs of one browser. */
async function twoTabs(context) {
  let [left, right] = [];
  await run.step("what one tab learns, the other shows", async () => {
    left = await App.open(context, run.site);
    right = await App.open(context, run.site);
    await right.go("memory");
    await left.say("I live in Bergen.");
    await left.remembered("Bergen");
    await until("the row appears in the other tab", () => right.rows("active").filter({ hasText: "Bergen" }).count());
  });
  await run.step("and the other way round, both keeping everything", async () => {
    await right.go("chat");
    await right.newConversation();
    await right.say("My dog is called Biscuit.");
    await right.remembered("Biscuit");
    await left.go("memory");
    await until("both rows are in the first tab", async () =>
      (await left.rows("active").filter({ hasText: "Biscuit" }).count()) === 1 &&
      (await left.rows("active").filter({ hasText: "Bergen" }).count()) === 1);
  });
  await run.step("both talk at once, and no statement is lost", async () => {
    await left.go("chat");
    await Promise.all([left.say("I play chess on Fridays."), right.say("My brother Tomas lives in Riga.")]);
    await Promise.all([left.remembered("chess"), right.remembered("Riga")]);
    await left.reload();
    await left.go("memory");
    await until("all four are there", async () => (await left.rows("active").count()) >= 4);
    for (const part of ["Bergen", "Biscuit", "chess", "Riga"]) {
      assert((await left.rows("active").filter({ hasText: part }).count()) > 0, `${part} is missing`);
    }
  });
  await elsewhere(run, context, left, right);
}

const groups = {
  a: ["(a) no key, no network", withoutModel],
  b: ["(b) a model endpoint", withModel],
  c: ["(c) a long conversation", imports],
  d: ["(d) two tabs", twoTabs],
  e: ["(e) what the pipeline decided, seen and acted on", (context) => knowledge(run, context)],
  f: ["(f) the working set and the timeline", (context) => workingSet(run, context)],
  g: ["(g) history, changed and kept", (context) => history(run, context)],
  h: ["(h) scenarios", (context) => scenarios(run, context)],
  i: ["(i) runs from inside, and two of them side by side", (context) => runs(run, context)],
  j: ["(j) storage that fails", (context) => storage(run, context)],
  k: ["(k) experiments", (context) => experiments(run, context)],
};
try {
  for (const [letter, [name, body]] of Object.entries(groups)) {
    if (only.includes(letter)) await run.group(name, body);
  }
} finally {
  await run.close();
}
console.log(`${run.passed} steps passed, ${run.failed} failed`);
console.log(run.failed === 0 && run.passed > 0 ? "PASS" : "FAIL");
process.exitCode = run.failed === 0 && run.passed > 0 ? 0 : 1;
