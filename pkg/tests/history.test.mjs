// History through the package's own name: turns that are changed, branches, taking back, questions to the past, retention.

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

const texts = async (memory) => (await memory.propositions()).map(({ text }) => text);
const seq = async (memory) => (await memory.commits()).length;

/** A memory with one analysed turn. */
async function told(text = "I live in Lisbon.") {
  const memory = await open();
  const { id: conversation } = await memory.startConversation();
  const turn = await memory.say({ conversation, text });
  await memory.analyse(conversation);
  return { memory, conversation, turn };
}

test("a turn is worded anew, its old words are chosen again, and taken out", async () => {
  const { memory, turn } = await told();
  const [lisbon] = await memory.propositions();
  assert.match(lisbon.text, /Lisbon/);
  const edited = await memory.editTurn(turn.id, "I live in Porto.");
  assert.deepEqual(edited.retraction.retracted, [lisbon.id]);
  assert.equal(edited.pending, true);
  assert.deepEqual(edited.turn.wordings.map(({ text }) => text), ["I live in Lisbon.", "I live in Porto."]);
  assert.equal(edited.turn.chosen, 1);
  assert.deepEqual(await texts(memory), []);
  const back = await memory.swipe(turn.id, 0);
  assert.equal(back.turn.text, "I live in Lisbon.");
  assert.ok(back.restored.includes(lisbon.id), `${back.restored}`);
  assert.deepEqual(await texts(memory), [lisbon.text]);
  assert.equal((await memory.swipe(turn.id, 0)).commit, null, "it says that already");
  await refused(memory.swipe(turn.id, 7), "invalid-argument", /2 wordings/);
  const gone = await memory.deleteTurn(turn.id);
  assert.equal(gone.turn, null);
  assert.deepEqual(await texts(memory), []);
  await memory.undo(gone.commit);
  assert.deepEqual(await texts(memory), [lisbon.text]);
  await refused(memory.editTurn(turn.id, "  "), "invalid-argument", /delete it/);
});

test("an answer is given again and keeps its earlier wording; a conversation is cut off", async () => {
  const replies = ["In Lisbon.", "You live in Lisbon."];
  const model = { complete: async ({ role }) => (role === "chat" ? replies.shift() : "{}") };
  const memory = await open({ model });
  const { id: conversation } = await memory.startConversation();
  const question = await memory.say({ conversation, text: "Where do I live?" });
  const { turn, changes } = await memory.answer(conversation);
  assert.deepEqual(changes, []);
  const pieces = [];
  const again = await memory.reroll(turn.id, { onText: (piece) => pieces.push(piece) });
  assert.equal(again.turn.id, turn.id);
  assert.equal(pieces.join(""), "You live in Lisbon.");
  assert.deepEqual(again.turn.wordings.map(({ text }) => text), ["In Lisbon.", "You live in Lisbon."]);
  await refused(memory.reroll(question.id), "invalid-argument", /last answer/);
  const whole = await memory.replay(turn.id);
  assert.equal(whole.turn.text, "You live in Lisbon.");
  assert.equal(whole.xray.use, again.turn.use);
  assert.equal(whole.execution.finish, "stop");
  assert.equal(await memory.replay(question.id), null);
  await memory.deleteFrom(question.id);
  assert.deepEqual(await memory.turns(conversation), []);
});

test("a branch begins as the memory was when a turn was said", async () => {
  const { memory, conversation, turn } = await told();
  await memory.say({ conversation, text: "I like tea." });
  const made = await memory.branch("before", { turn: turn.id, reason: "what if" });
  assert.deepEqual([made.context, made.from], ["before", memory.name]);
  const branch = await memory.context("before");
  assert.deepEqual((await branch.turns(conversation)).map(({ text }) => text), ["I live in Lisbon."]);
  const head = (await branch.commits()).at(-1);
  assert.deepEqual([head.id, head.cause, head.actor], [made.commit, "branch", "host"]);
  assert.equal((await memory.branch("now")).seq, await seq(memory));
  await refused(memory.branch("both", { turn: turn.id, seq: 1 }), "invalid-argument", /not both/);
});

test("a program's undo acts as the program: it gives back no CANON; a preview says so", async () => {
  const memory = await open();
  const { propositions: [{ id }] } = await memory.remember("I am allergic to peanuts.");
  if (!(await memory.unit(id))) await memory.addToWorkingSet(id);
  const { commit } = await memory.canonizeUnit(id);
  const preview = await memory.previewUndo(commit);
  assert.match(preview.refused, /CANON/);
  assert.ok(preview.restoring.length > 0);
  await refused(memory.undo(commit), "invalid-argument", /CANON by a person alone/);
  assert.equal((await memory.unit(id)).authority, "CANON");
  assert.equal((await memory.previewUndo(commit, { by: "person" })).refused, null);
  await memory.undo(commit, { by: "person" });
  assert.notEqual((await memory.unit(id)).authority, "CANON");
  const pinned = await memory.pin(id);
  const undone = await memory.undo([pinned.id]);
  assert.deepEqual([undone.conflicts, undone.lost], [[], []]);
  assert.equal((await memory.commits()).at(-1).actor, "host");
});

test("the memory goes back to a commit, in one commit", async () => {
  const memory = await open();
  await memory.remember("I live in Lisbon.");
  const at = await seq(memory);
  const { propositions: [tea] } = await memory.remember("I like green tea.");
  const options = { overPersons: true };
  const preview = await memory.previewRevertTo(at, options);
  assert.ok(preview.restoring.some(({ record, then }) => record === tea.id && then === null));
  const before = await seq(memory);
  const done = await memory.revertTo(at, options);
  assert.ok(done.restored.includes(tea.id));
  assert.equal(await seq(memory), before + 1);
  assert.equal((await texts(memory)).length, 1);
  await refused(memory.revertTo(9999), "no-such-commit", /9999/);
});

test("the past answers questions", async () => {
  const { memory, conversation, turn } = await told();
  const [home] = await memory.propositions();
  const then = await seq(memory);
  const edited = await memory.edit(home.id, { confidence: 0.5 });
  const past = await memory.memoryAt({ commit: then });
  assert.deepEqual(past.propositions.map(({ confidence }) => confidence), [home.confidence]);
  assert.equal(past.commit.seq, then);
  assert.equal((await memory.memoryAt({ time: 0 })).commit, null);
  const changed = await memory.changedBetween({ commit: then }, { commit: edited.seq });
  assert.deepEqual(changed.commits.map(({ commit }) => commit), [edited.id]);
  const change = changed.changes.find(({ record }) => record === home.id);
  assert.equal(change.kind, "changed");
  assert.ok(change.steps[0].fields.some(({ field, to }) => field === "confidence" && to === 0.5));
  const { steps, compacted } = await memory.lifeOf(home.id);
  assert.equal(compacted, false);
  assert.equal(steps.at(-1).actor, "person");
  const belief = await memory.whyBelieved(home.id);
  assert.deepEqual(belief.sources.map((source) => source.turn), [turn.id]);
  assert.equal(belief.path.at(-1).confidence, 0.5);
  const { successor } = await memory.supersede(home.id, "I live in Porto.");
  assert.deepEqual((await memory.derivedFrom(home.id)).map(({ proposition, by, depth }) => [proposition.id, by, depth]), [
    [successor, "supersession", 1],
  ]);
  await memory.say({ conversation, text: "Where do I live?" });
  const { turn: answer } = await memory.answer(conversation);
  const used = await memory.usedByTurn(answer.id);
  assert.equal(used[0].use, answer.use);
  assert.ok(used[0].items.some(({ proposition, then }) => proposition === successor && /Porto/.test(then.text)));
  await refused(memory.memoryAt({ commit: 9999 }), "no-such-commit", /9999/);
  await refused(memory.memoryAt({}), "invalid-argument", /^point/);
});

test("history is compacted by a policy, after a look at what would go", async () => {
  const memory = await open();
  const { propositions: [{ id }] } = await memory.remember("I live in Lisbon.");
  for (const confidence of [0.4, 0.5, 0.6, 0.7]) await memory.edit(id, { confidence });
  const present = await texts(memory);
  const preview = await memory.previewCompactHistory({ revisions: 1 });
  assert.ok(preview.revisions > 0 && preview.commit === null);
  const done = await memory.compactHistory({ revisions: 1 });
  assert.equal(done.revisions, preview.revisions);
  assert.equal((await memory.commits()).at(-1).cause, "retention");
  assert.deepEqual(await texts(memory), present);
  assert.equal((await memory.lifeOf(id)).compacted, true);
  await refused(memory.compactHistory({ days: 0 }), "invalid-argument", /1 to 36500/);
});
