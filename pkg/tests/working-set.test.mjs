// The working set through the package's own name: units, acts, prompts, settings by name, upkeep and events.

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

/** A memory with one unit, and its id. */
async function withUnit(text = "I am allergic to peanuts.", options) {
  const memory = await open(options);
  const { propositions } = await memory.remember(text);
  const [{ id }] = propositions;
  if (!(await memory.unit(id))) await memory.addToWorkingSet(id);
  return { memory, id };
}

test("a unit is listed with what it is worth, and acts on it are told", async () => {
  const { memory, id } = await withUnit();
  const told = [];
  memory.subscribe((event) => event.type === "unit" && told.push(event.event.kind));
  const act = await memory.confirmUnit(id);
  assert.equal(act.change.deed.did, "reinforced");
  assert.equal(act.change.deed.count, 1);
  assert.equal(act.commit, (await memory.commits()).at(-1).id);
  const [unit] = await memory.workingSet();
  assert.deepEqual([unit.id, unit.standing.state, unit.authority], [id, "active", "PROVISIONAL"]);
  assert.deepEqual(unit.evidence.map(({ kind, turn }) => [kind, turn]), [["confirmation", null]]);
  assert.ok(unit.activation >= 100 && unit.activation <= 900);
  assert.deepEqual(await memory.unit(id), { ...unit, activation: (await memory.unit(id)).activation });
  for (const { audit } of await memory.trustTrail(id)) {
    const sum = audit.signals.reduce((total, { added }) => total + added, 0);
    assert.ok(Math.abs(sum - audit.score) < 1e-9, "the audit adds up");
  }
  assert.ok(told.includes("reinforced"), `${told}`);

  await memory.setActivation(id, 800);
  assert.equal((await memory.unit(id)).tier, "HOT");
  await memory.archiveUnit(id, { note: "not now" });
  assert.deepEqual(await memory.workingSet(), []);
  assert.equal((await memory.unit(id)).standing.state, "archived");
  assert.equal((await memory.reviveUnit(id)).change.deed.did, "revived");
  await refused(memory.unit("X1"), "invalid-argument", /^id: /);
  await refused(memory.archiveUnit(id, { nte: "x" }), "invalid-argument", /unknown field `nte`/);
});

test("CANON is asked for by the program and given by a person", async () => {
  const { memory, id } = await withUnit();
  const asked = await memory.requestCanon(id, { note: "safety" });
  assert.equal(asked.status, "pending");
  const question = (await memory.inbox()).find((item) => item.id === asked.question);
  assert.deepEqual([question.kind, question.canon.asker, question.canon.reason], ["canonization", "host", "safety"]);
  assert.notEqual((await memory.unit(id)).authority, "CANON");
  await memory.decide(asked.question, "accept");
  const unit = await memory.unit(id);
  assert.deepEqual([unit.authority, unit.canon.question], ["CANON", asked.question]);
  await memory.decanonizeUnit(id);
  assert.notEqual((await memory.unit(id)).authority, "CANON");
});

test("a preview writes nothing, an assembled prompt has its X-ray, and a host's tokenizer counts", async () => {
  const { memory, id } = await withUnit();
  const { id: conversation } = await memory.startConversation();
  const before = await memory.preview(conversation, "What may I not eat?");
  assert.equal(before.use, null);
  assert.ok(before.items.some((item) => item.proposition === id), "what is vital always comes");
  await memory.useTokenCounter((text) => text.length);
  const { tokens } = await memory.preview(conversation, "What may I not eat?");
  assert.equal(tokens.block.low, tokens.block.high, "exact");
  await memory.useTokenCounter(null);
  await memory.say({ conversation, text: "What may I not eat?" });
  const { turn } = await memory.answer(conversation);
  assert.equal(turn.compliance, null);
  const xray = await memory.xray(turn.use);
  assert.equal(xray.isExact, true);
  assert.equal(xray.wasSent, false, "the built-in responder is sent nothing");
  assert.ok(xray.propositions.includes(id));
  const { summary, whyNot } = await memory.compact(conversation);
  assert.ok(summary || whyNot);
});

test("settings have names, and a refusal says the range", async () => {
  const { memory } = await withUnit();
  const named = (await memory.properties()).find(({ name }) => name === "unit.budget");
  assert.equal(named.value, named.default);
  await memory.setProperty("unit.budget", 3);
  assert.equal(await memory.property("unit.budget"), 3);
  assert.equal((await memory.pressure()).budget, 3);
  await refused(memory.setProperty("unit.budget", "many"), "invalid-argument", /unit\.budget must be a whole number/);
  await refused(memory.setProperty("unit.bugdet", 3), "invalid-argument", /no property unit\.bugdet/);
});

test("a rule that is given at opening stands, and is named", async () => {
  const rules = [{ id: "keep-peanuts", type: "eviction-immunity", unitTextPattern: "peanuts" }];
  const { memory } = await withUnit("I am allergic to peanuts.", { settings: { unit: { budget: 1, invariants: { rules } } } });
  const { propositions: [home] } = await memory.remember("I live in Lisbon.");
  await refused(memory.addToWorkingSet(home.id), "refused", /keep-peanuts/);
  const bad = (settings, words) => refused(open({ settings }), "invalid-argument", words);
  await bad({ unit: { invariants: { rules: [{ id: "x", type: "luck" }] } } }, /^options\.settings\.unit\.invariants\.rules\[0\]\.type: unknown variant `luck`/);
  await bad({ unit: { tier: { hotTreshold: 700 } } }, /^options\.settings\.unit\.tier\.hotTreshold: there is no such setting/);
  await bad({ unit: { budget: 0 } }, /^options\.settings\.unit\.budget must be/);
  await bad({ history: { keepDays: 0 } }, /^options\.settings\.history\.keepDays must be 1 to 36500, got 0/);
});

test("an answer tells what the model asked to change, and a person decides", async () => {
  const replies = ['{"tool": "propose_fact", "statement": "Ada plays the cello."}', "Noted."];
  const model = { complete: async ({ role }) => (role === "chat" ? replies.shift() : "{}") };
  const memory = await open({ model, settings: { tools: { proposeFact: true } } });
  const { id: conversation } = await memory.startConversation();
  await memory.say({ conversation, text: "Please note that Ada plays the cello." });
  const { turn, changes } = await memory.answer(conversation);
  assert.equal(turn.text, "Noted.");
  const [{ question }] = changes.map(({ outcome }) => outcome);
  const { commit } = changes[0];
  assert.deepEqual(changes, [
    { tool: "propose_fact", statement: "Ada plays the cello.", unit: null, outcome: { came: "asked", question }, commit },
  ]);
  assert.deepEqual((await memory.inbox()).map(({ id }) => id), [question]);
  assert.deepEqual((await memory.replay(turn.id)).execution.changes, changes);
});

test("upkeep, lineage and the past are read", async () => {
  const { memory, id } = await withUnit("I live in Leeds.");
  const dry = await memory.sweep({ dryRun: true });
  assert.deepEqual([dry.kind, dry.dry, dry.trigger], ["LIGHT", true, "asked"]);
  assert.deepEqual(dry.audited.map(({ unit }) => unit), [id]);
  assert.equal((await memory.sweeps())[0].id, dry.id);
  assert.deepEqual((await memory.attention()).units.map(({ unit }) => unit), [id]);
  assert.ok(Array.isArray((await memory.mentionGraph()).nodes));
  const { successor } = await memory.supersede(id, "I live in Lisbon.");
  const { steps } = await memory.lineage(successor);
  assert.deepEqual(steps.map(({ proposition }) => proposition.id), [id, successor]);
  assert.deepEqual(steps[1].follows, [{ proposition: id, how: "moved-on" }]);
  assert.deepEqual(await memory.asOf({ recorded: 0 }), []);
  const report = await memory.promote([successor]);
  assert.equal(report.candidates[0].proposition, successor);
  assert.deepEqual(report.violations, []);
  const { conflicts } = await memory.detectConflicts([successor]);
  assert.equal(conflicts.length, 1);
});
