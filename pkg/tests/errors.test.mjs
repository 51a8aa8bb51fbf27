// What bad input gets: an error with a code and words that name the argument.

import assert from "node:assert/strict";
import { test } from "node:test";

import { CredenceError, memoryJournal, openMemory } from "credence";
import { fileJournal } from "credence/node";

const plain = () => openMemory({ journal: memoryJournal(), embedding: false });

async function refused(promise, code, words) {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof CredenceError, `${error}`);
    assert.ok(error instanceof Error);
    assert.equal(error.name, "CredenceError");
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
    return true;
  });
}

test("opening", async () => {
  const journal = memoryJournal();
  await refused(openMemory(), "invalid-argument", /options\.journal: .*fileJournal/);
  await refused(openMemory(null), "invalid-argument", /options/);
  await refused(openMemory({ journl: journal }), "invalid-argument", /unknown field `journl`/);
  await refused(openMemory({ journal, context: 7 }), "invalid-argument", /options\.context: expected a string, got number/);
  await refused(openMemory({ journal, context: " " }), "bad-context", /1 to 200 characters/);
  await refused(openMemory({ journal, embedding: false, settings: { recallLimit: 1000 } }), "invalid-argument", /options\.settings\.recallLimit must be 0 to 100/);
  await refused(openMemory({ journal, embedding: false, settings: { recalLimit: 1 } }), "invalid-argument", /unknown field `recalLimit`/);
  await refused(openMemory({ journal, embedding: "big" }), "invalid-argument", /options\.embedding/);
  await refused(openMemory({ journal, embedding: new Uint8Array([1, 2, 3]) }), "embedding-failed", /embedding model/);
  await refused(openMemory({ journal, embedding: new URL("file:///nowhere/model.sem1") }), "embedding-failed", /nowhere/);
  await refused(openMemory({ journal: {} }), "invalid-argument", /`contexts` is missing/);
  await refused(openMemory({ journal: { kind: "tape" } }), "invalid-argument", /unknown kind "tape"/);
  await refused(openMemory({ journal, model: {} }), "invalid-argument", /options\.model/);
  await refused(openMemory({ journal, embedding: false, endpoint: { preset: "nope" } }), "invalid-argument", /options\.endpoint: `nope` is not a known kind/);
  await refused(openMemory({ journal, embedding: false, endpoint: { preset: "openai", key: "a b" } }), "invalid-argument", /options\.endpoint\.key/);
  await refused(openMemory({ journal, embedding: false, endpoint: { preset: "openai", models: { chatt: "x" } } }), "invalid-argument", /options\.endpoint\.models/);
  await refused(openMemory({ journal, endpoint: {}, model: { complete: () => "" } }), "invalid-argument", /not both/);
  assert.throws(() => fileJournal(""), { name: "CredenceError", code: "invalid-argument" });
});

test("a key never comes back in an error", async () => {
  const key = "sk-secret-0123456789 with a space";
  await assert.rejects(openMemory({ journal: memoryJournal(), embedding: false, endpoint: { preset: "openai", key } }), (error) => {
    assert.ok(!`${error.message}${error.stack}`.includes("secret-0123"));
    return true;
  });
});

test("arguments of calls are refused by name, and nothing is written", async () => {
  const memory = await plain();
  await refused(memory.remember(" "), "invalid-argument", /^text: /);
  await refused(memory.remember(7), "invalid-argument", /^text: expected a string, got number/);
  await refused(memory.search(""), "invalid-argument", /^query: /);
  await refused(memory.search("x", { limit: "ten" }), "invalid-argument", /^options\.limit: invalid type: string "ten"/);
  await refused(memory.search("x", { limit: -1 }), "invalid-argument", /^options\.limit: /);
  await refused(memory.search("x", { limt: 1 }), "invalid-argument", /unknown field `limt`/);
  await refused(memory.propositions({ status: "GONE" }), "invalid-argument", /^options\.status: .*`LIVE`/);
  await refused(memory.propositions({ status: [] }), "invalid-argument", /^options\.status: an empty list/);
  await refused(memory.propositions({ order: "up" }), "invalid-argument", /^options\.order: /);
  await refused(memory.propositions({ limit: 1n }), "invalid-argument", /^options: .*bigint/);
  await refused(memory.proposition("E1"), "invalid-argument", /^id: expected an id that starts with `P`/);
  await refused(memory.history(`P${"0".repeat(32)}`), "not-found", /P0000/);
  await refused(memory.undo("nonsense"), "invalid-argument", /^commit: /);
  await refused(memory.undo(`C${"0".repeat(32)}`), "not-found", /C0000/);
  await refused(memory.say({ text: "x" }), "invalid-argument", /^utterance.*conversation/);
  await refused(memory.say({ conversation: `V${"0".repeat(32)}`, text: "x" }), "not-found", /V0000/);
  await refused(memory.say({ conversation: `V${"0".repeat(32)}`, text: "x", speaker: "God" }), "invalid-argument", /^utterance\.speaker: expected "user"/);
  await refused(memory.analyse("V1"), "invalid-argument", /^conversation: /);
  await refused(memory.answer(`V${"0".repeat(32)}`, { ontext() {} }), "invalid-argument", /unknown field `ontext`/);
  const { propositions: [tea] } = await memory.remember("I like green tea.");
  await refused(memory.edit(tea.id, { confidence: 2 }), "invalid-argument", /confidence/);
  await refused(memory.edit(tea.id, { text: " " }), "invalid-proposition", /text/);
  await refused(memory.edit(tea.id, { colour: "red" }), "invalid-argument", /^changes.*: unknown field `colour`/);
  assert.deepEqual((await memory.commits()).map(({ cause }) => cause), ["manual", "promotion"], "remembering, and nothing else");
});

test("a closed memory says so, and what is under way finishes", async () => {
  const memory = await plain();
  const running = memory.remember("I like green tea.");
  memory.close();
  assert.equal((await running).propositions.length, 1);
  await refused(memory.propositions(), "closed", /open it again/);
  assert.throws(() => memory.subscribe(() => {}), { code: "closed" });
});
