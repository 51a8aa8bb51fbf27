// What a memory does, through the package's own name, in this process.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

import { JournalError, memoryJournal, openMemory } from "credence";

import { root } from "./support.mjs";

const open = (options = {}) => openMemory({ journal: memoryJournal(), embedding: false, ...options });

test("remember, list, look at, edit, pin, forget, undo", async () => {
  const memory = await open();
  const { propositions: [tea], outcomes } = await memory.remember("I like green tea.");
  assert.equal(outcomes[0].kind, "new");
  assert.match(tea.text, /green tea/);
  assert.match(tea.id, /^P[0-9a-f]{32}$/);
  assert.ok(tea.effectiveConfidence > 0 && tea.effectiveConfidence <= tea.confidence);
  assert.ok(Math.abs(tea.created - Date.now()) < 60_000, "times are milliseconds");
  assert.equal(tea.model, null, "null stands where there is nothing");

  const edited = await memory.edit(tea.id, { text: "The user likes oolong tea.", importance: 0.9 });
  assert.equal(edited.actor, "person");
  const [, promoted] = await memory.commits();
  assert.equal(promoted.cause, "promotion", "what was remembered was offered to the working set");
  assert.equal(edited.parent, promoted.id);
  assert.equal(await memory.edit(tea.id, { importance: 0.9 }), null, "an edit that changes nothing is no commit");
  assert.equal((await memory.pin(tea.id)).reason, "pinned");
  assert.equal(await memory.pin(tea.id), null);
  assert.equal((await memory.propositions({ pinned: true })).length, 1);
  await memory.unpin(tea.id);
  const gone = await memory.forget(tea.id);
  assert.deepEqual(await memory.propositions({ status: "ALL" }), []);
  const detail = await memory.proposition(tea.id);
  assert.equal(detail.removed, true);
  assert.equal(detail.revisions[0].value, null);
  const undone = await memory.undo(gone.id);
  assert.deepEqual(undone.restored.map((id) => id[0]).sort(), ["G", "P", "W"], "the statement, its unit and what the report said of it");
  assert.ok(undone.restored.includes(tea.id));
  const [back] = await memory.propositions();
  assert.equal(back.text, "The user likes oolong tea.");
  const stale = await memory.undo(edited.id);
  assert.equal(stale.commit, null);
  assert.ok(stale.conflicts.includes(tea.id), "later commits have changed it");
  assert.deepEqual(
    (await memory.history(tea.id)).map((revision) => revision.seq),
    [7, 6, 5, 4, 3, 1],
  );
  assert.equal((await memory.commits({ after: 2, limit: 3 })).length, 3);
});

test("filters and orders", async () => {
  const memory = await open();
  for (const text of ["I like green tea.", "I own a red bicycle.", "My sister lives in Lisbon."]) await memory.remember(text);
  const texts = async (options) => (await memory.propositions(options)).map((p) => p.text);
  assert.equal((await texts()).length, 3);
  assert.match((await texts({ order: "newest", limit: 1 }))[0], /Lisbon/);
  assert.match((await texts({ text: "BICYCLE red" }))[0], /bicycle/);
  assert.deepEqual(await texts({ status: ["STALE", "SUPERSEDED"] }), []);
  assert.equal((await texts({ status: ["ACTIVE", "PROMOTED"], minConfidence: 0.01 })).length, 3);
  const user = (await memory.entities())[0];
  assert.equal(user.isUser, true);
});

test("a search says why, what was left out, and keeps a use record", async () => {
  const memory = await open({ embedding: "default" });
  for (const text of ["I am allergic to peanuts.", "I own a red bicycle."]) await memory.remember(text);
  const events = [];
  const end = memory.subscribe((event) => events.push(event));
  const { hits, use, notes } = await memory.search("food allergies", { limit: 1, step: "menu" });
  assert.match(hits[0].proposition.text, /peanuts/);
  assert.equal(hits[0].rank, 1);
  assert.ok(hits[0].why.length > 0);
  assert.deepEqual(notes, [], "it was searched by meaning too");
  assert.deepEqual(
    events.map(({ type, use, step, propositions }) => ({ type, use, step, propositions })),
    [{ type: "used", use, step: "menu", propositions: [hits[0].proposition.id] }],
  );
  end();
  await memory.search("bicycle");
  assert.equal(events.length, 1, "an ended subscription hears nothing");
  const bundle = JSON.parse(await memory.export());
  assert.equal(bundle.format, "credence-bundle");
  const [bundled] = bundle.contexts;
  assert.deepEqual(bundled.uses.map((record) => record.id)[0], use);
  assert.deepEqual(bundled.commits.map(({ cause }) => cause), ["manual", "promotion", "manual", "promotion"]);
});

test("without an embedding model searches go by words, and say so", async () => {
  const memory = await open();
  await memory.remember("I am allergic to peanuts.");
  const { hits, notes } = await memory.search("peanuts");
  assert.equal(hits.length, 1);
  assert.match(notes[0], /by words alone/);
});

test("contexts of one journal are apart, and openings of one journal share", async () => {
  const journal = memoryJournal();
  const ada = await open({ journal, context: "ada" });
  const bob = await ada.context("bob");
  await ada.remember("I like green tea.");
  assert.deepEqual(await bob.propositions(), []);
  await bob.remember("I like coffee.");
  assert.deepEqual((await ada.contexts()).map(({ context, seq }) => [context, seq]), [["ada", 2], ["bob", 2]]);
  const again = await open({ journal, context: "ada" });
  await again.remember("I own a red bicycle.");
  const heard = [];
  ada.subscribe((event) => heard.push(event));
  assert.equal((await ada.propositions()).length, 2, "a read takes in what others have committed");
  assert.deepEqual(heard.filter(({ type }) => type === "committed").map(({ remote }) => remote), [true, true]);
  assert.equal(await ada.refresh(), 0);
  await bob.erase();
  assert.deepEqual((await ada.contexts()).map(({ context }) => context), ["ada"]);
  await assert.rejects(bob.propositions(), { code: "closed" });
});

test("a conversation is kept, analysed and answered", async () => {
  const memory = await open({ embedding: "default" });
  const { id: conversation, title } = await memory.startConversation();
  assert.equal(title, "");
  const turn = await memory.say({ conversation, text: "I work as a nurse in Leeds." });
  assert.deepEqual([turn.index, turn.speaker, turn.state, turn.failure], [0, "user", "complete", null]);
  await memory.say({ conversation, speaker: { name: "Nora" }, text: "I play the violin." });
  assert.equal((await memory.pending(conversation)).turns, 2);
  const steps = [];
  const [report] = await memory.analyse(conversation, { onProgress: (progress) => steps.push(progress) });
  assert.equal(report.extractor, "rules");
  assert.ok(report.outcomes.some((outcome) => /nurse/.test(outcome.text)), JSON.stringify(report));
  assert.deepEqual(steps.at(-1), { done: 2, total: 2 });
  assert.equal((await memory.pending(conversation)).turns, 0);
  const { sources } = await memory.proposition(report.outcomes[0].proposition);
  assert.equal(sources[0].turn, turn.id);

  await memory.say({ conversation, text: "Where do I work?" });
  let streamed = "";
  const answer = await memory.answer(conversation, { onText: (piece) => (streamed += piece) });
  assert.match(answer.turn.text, /nurse/);
  assert.equal(streamed, answer.turn.text);
  assert.equal(answer.turn.model, "built-in");
  assert.equal((await memory.turns(conversation)).length, 4);
  assert.equal((await memory.conversations())[0].title, "I work as a nurse in Leeds.");
});

test("an abort signal ends an analysis", async () => {
  const memory = await open();
  const { id: conversation } = await memory.startConversation();
  await memory.say({ conversation, text: "I work as a nurse in Leeds." });
  await assert.rejects(memory.analyse(conversation, { signal: AbortSignal.abort() }), { name: "CredenceError", code: /cancelled/ });
  assert.equal((await memory.pending(conversation)).turns, 1, "the turns wait");
});

test("a model of the program's own answers and extracts", async () => {
  const asked = [];
  const model = {
    complete({ role, messages, schema }, { signal }) {
      asked.push(role);
      assert.ok(signal instanceof AbortSignal);
      assert.equal(messages[0].role, "system");
      if (role === "chat") return { text: `I see ${messages.length} messages.`, model: "mine-1" };
      assert.ok(schema.schema.properties, "the wanted shape comes along");
      return Promise.resolve('{"propositions": []}');
    },
  };
  const memory = await open({ model });
  const { id: conversation } = await memory.startConversation({ title: "test" });
  await memory.say({ conversation, text: "Hello there, my cat is called Miso." });
  const { turn } = await memory.answer(conversation);
  assert.deepEqual([turn.text, turn.model, turn.state], ["I see 2 messages.", "mine-1", "complete"]);
  const [report] = await memory.analyse(conversation);
  assert.ok(report.calls >= 1);
  assert.deepEqual([...new Set(asked)], ["chat", "extract"]);
});

test("a model that fails gives a failed turn with a code; a cancelled one a stopped turn", async () => {
  let fail = () => {
    throw Object.assign(new Error("key sk-abcdefgh12345678 refused"), { status: 401 });
  };
  const memory = await open({ model: { complete: (...call) => fail(...call) } });
  const { id: conversation } = await memory.startConversation();
  await memory.say({ conversation, text: "Hello?" });
  const refused = (await memory.answer(conversation)).turn;
  assert.deepEqual([refused.state, refused.failure.code], ["failed", "model-bad-key"]);
  assert.ok(!refused.failure.reason.includes("abcdefgh"), refused.failure.reason);

  fail = async () => 7;
  await memory.say({ conversation, text: "Again?" });
  const wrong = (await memory.answer(conversation)).turn;
  assert.equal(wrong.failure.code, "model-failed");
  assert.match(wrong.failure.reason, /must return a string/);

  const abort = new AbortController();
  let told;
  fail = (_, { signal }) => {
    signal.addEventListener("abort", () => (told = true));
    setTimeout(() => abort.abort(), 5);
    return new Promise(() => {});
  };
  await memory.say({ conversation, text: "And now?" });
  const stopped = (await memory.answer(conversation, { signal: abort.signal })).turn;
  assert.equal(stopped.state, "stopped");
  assert.equal(told, true, "the model is told");
});

test("a store of the program's own, and what it may report", async () => {
  const shelves = new Map();
  const shelf = (context) => shelves.get(context) ?? shelves.set(context, []).get(context);
  const uses = new Map();
  let trouble;
  const journal = {
    contexts: () => [...shelves].filter(([, list]) => list.length).map(([context, list]) => ({ context, seq: list.length, head: list.at(-1).id })),
    read: async (context, after) => shelf(context).slice(after).map((entry) => entry.json),
    append: async (entry) => {
      if (trouble) throw trouble;
      const list = shelf(entry.context);
      if (entry.seq !== list.length + 1 || entry.parent !== (list.at(-1)?.id ?? null)) {
        throw new JournalError("store-stale", "moved on", { found: list.length });
      }
      list.push(entry);
    },
    appendUse: async (use) => void uses.set(use.id, use),
    uses: async (context) => [...uses.values()].filter((use) => use.context === context).map((use) => use.json),
    erase: async (context) => void shelves.delete(context),
  };
  const [one, two] = [await open({ journal }), await open({ journal })];
  await Promise.all([one.remember("I like green tea."), two.remember("I own a red bicycle.")]);
  assert.equal((await one.propositions()).length, 2, "both writers got in, one after the other");
  await one.search("tea");
  assert.equal(JSON.parse(await two.export()).contexts[0].uses.length, 1);
  assert.equal((await one.contexts())[0].seq, 4, "each was remembered and offered to the working set");

  const told = async (error, code, words) => {
    trouble = error;
    await assert.rejects(one.remember("I play the violin."), (thrown) => {
      assert.equal(thrown.code, code, thrown.message);
      assert.match(thrown.message, words);
      return true;
    });
  };
  await told(new JournalError("store-quota", "full"), "store-quota", /free space/);
  await told(new JournalError("store-unavailable", "no such drive"), "store-unavailable", /no such drive/);
  await told(new JournalError("store-newer-schema", "new", { found: 9, supported: 1 }), "store-newer-schema", /schema 9.*update/);
  await told(new TypeError("x is not a function"), "store-failed", /x is not a function/);
  await told("a bare string", "store-failed", /a bare string/);
  trouble = undefined;
  shelf("default")[0] = { json: "{" };
  const hurt = await open({ journal });
  const { isSound, damages } = await hurt.checkHealth();
  assert.deepEqual([isSound, damages.map(({ key, raw }) => [key, raw])], [false, [["1", "{"]]], "it opens without that commit, and says so");
  await assert.rejects(hurt.repair(), { code: "store-unavailable" });
  await one.erase();
  assert.deepEqual(shelves.size, 0);
});

test("a listener that throws breaks nothing, and its error is reported as any uncaught one", () => {
  const program = `
    import { memoryJournal, openMemory } from "credence";
    const reported = new Promise((resolve) => process.once("uncaughtException", resolve));
    const memory = await openMemory({ journal: memoryJournal(), embedding: false });
    memory.subscribe(() => { throw new Error("a listener's own trouble"); });
    const { propositions } = await memory.remember("I like green tea.");
    console.log(propositions.length, (await reported).message);`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], { cwd: root, encoding: "utf8" });
  assert.equal(stdout, "1 a listener's own trouble\n", stderr);
});
