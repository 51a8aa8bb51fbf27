// Forgetting through the package's own name: softly and for ever; conversations that are not remembered.

import assert from "node:assert/strict";
import { test } from "node:test";

import { CredenceError, memoryJournal, openMemory } from "credence";

const open = (options = {}) => openMemory({ journal: memoryJournal(), embedding: false, ...options });

async function refused(promise, code, words) {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof CredenceError, `${error}`);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
    return true;
  });
}

test("a target is forgotten softly after a look at what goes, and comes back", async () => {
  const memory = await open();
  const { id: conversation } = await memory.startConversation();
  const { id: turn } = await memory.say({ conversation, text: "I live in Lisbon." });
  await memory.analyse(conversation);
  const [home] = await memory.propositions();
  const target = { kind: "turn", id: turn };
  const preview = await memory.previewForgetting(target);
  assert.deepEqual(preview.removed, [{ id: home.id, name: home.text }]);
  assert.equal(preview.commit, null);
  const gone = await memory.forgetTarget(target);
  assert.deepEqual({ ...gone, commit: null }, preview);
  assert.deepEqual(await memory.propositions(), []);
  await memory.undo(gone.commit);
  assert.equal((await memory.propositions())[0].text, home.text);
  for (const forget of [memory.previewForgetting, memory.forgetTarget].map((method) => method.bind(memory))) {
    const heard = [];
    const { commit, removed } = await forget(target, { onProgress: (progress) => heard.push(progress) });
    assert.deepEqual(removed.map(({ id }) => id), [home.id]);
    const { done, total } = heard.at(-1);
    assert.ok(heard[0].done === 0 && done === total && total > 0, JSON.stringify(heard));
    if (commit) await memory.undo(commit);
    const commits = (await memory.commits()).length;
    await refused(forget(target, { signal: AbortSignal.abort() }), "cancelled", /./);
    await refused(forget(target, { progress() {} }), "invalid-argument", /progress/);
    assert.equal((await memory.commits()).length, commits, "nothing was written");
  }
  await refused(memory.forgetTarget({ kind: "everything" }), "invalid-argument", /^target.*everything/);
  await refused(memory.forgetTarget({ kind: "turn", id: "nonsense" }), "invalid-argument", /^target/);
});

test("what is erased is gone from all of history, and stays away until its tombstones are lifted", async () => {
  const memory = await open();
  const { propositions: [secret] } = await memory.remember("I live in Xanthippeville.");
  const target = { kind: "proposition", id: secret.id };
  const heard = [];
  const onProgress = (progress) => heard.push(progress);
  const preview = await memory.previewErasure(target, { onProgress });
  const { done, total } = heard.at(-1);
  assert.ok(heard.every((step) => step.done <= step.total) && done === total && total > 0, JSON.stringify(heard));
  await refused(memory.previewErasure(target, { signal: AbortSignal.abort() }), "cancelled", /./);
  await refused(memory.eraseTarget(target, { signal: AbortSignal.abort() }), "cancelled", /./);
  await refused(memory.eraseTarget(target, { progress: onProgress }), "invalid-argument", /progress/);
  assert.ok(preview.statements.some(({ id, after }) => id === secret.id && after === null));
  assert.match(await memory.export(), /Xanthippeville/);
  const report = await memory.eraseTarget(target);
  assert.deepEqual(report.target, target);
  assert.ok(report.records.includes(secret.id));
  assert.ok(report.tombstones > 0);
  assert.doesNotMatch(await memory.export(), /Xanthippeville/i);
  assert.equal((await memory.commits()).at(-1).cause, "erasure");
  assert.deepEqual(await memory.erasures(), [report]);
  assert.equal(await memory.liftTombstones(report.id), true);
  assert.equal(await memory.liftTombstones(report.id), false);
  const [lifted] = await memory.erasures();
  assert.deepEqual([lifted.lifted, lifted.tombstones], [true, 0]);
  await refused(memory.eraseTarget(target), "not-found", new RegExp(secret.id));
});

test("a store that cannot rewrite refuses to erase, in words", async () => {
  const commits = [];
  const journal = {
    contexts: async () => commits.slice(-1).map(({ context, seq, id }) => ({ context, seq, head: id })),
    read: async (_, after) => commits.filter(({ seq }) => seq > after).map(({ json }) => json),
    append: async (entry) => void commits.push(entry),
    appendUse: async () => {},
    uses: async () => [],
    erase: async () => void commits.splice(0),
  };
  const memory = await open({ journal });
  const { propositions: [{ id }] } = await memory.remember("I live in Lisbon.");
  const before = commits.length;
  await refused(memory.eraseTarget({ kind: "proposition", id }), "store-unavailable", /no function `rewrite`/);
  assert.equal(commits.length, before);
});

test("a conversation that is not remembered teaches nothing, also not later", async () => {
  const memory = await open();
  const { id: conversation, mode } = await memory.startConversation({ mode: "off" });
  assert.equal(mode, "off");
  const said = await memory.say({ conversation, text: "I live in Lisbon." });
  assert.equal(said.offRecord, true);
  await memory.analyse(conversation);
  assert.deepEqual(await memory.propositions(), []);
  assert.ok(await memory.setConversationMode(conversation, "full"));
  assert.equal(await memory.setConversationMode(conversation, "full"), null);
  await memory.say({ conversation, text: "I like green tea." });
  await memory.analyse(conversation);
  const texts = (await memory.propositions()).map(({ text }) => text).join("\n");
  assert.match(texts, /tea/);
  assert.doesNotMatch(texts, /Lisbon/);
  await refused(memory.setConversationMode(conversation, "maybe"), "invalid-argument", /^mode/);
});
