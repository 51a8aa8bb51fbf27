// Entities, questions, documents, maintenance and settings, through the package's own name, in this process.

import assert from "node:assert/strict";
import { test } from "node:test";

import { CredenceError, memoryJournal, openMemory } from "credence";

import { everySetting } from "./every-setting.mjs";

const open = (settings = {}, options = {}) => openMemory({ journal: memoryJournal(), embedding: false, settings, ...options });

async function refused(promise, code, words) {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof CredenceError, `${error}`);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
    return true;
  });
}

async function talk(memory, ...texts) {
  const { id: conversation } = await memory.startConversation();
  for (const text of texts) await memory.say({ conversation, text });
  return { conversation, reports: await memory.analyse(conversation) };
}

const byName = async (memory, name) => (await memory.entities()).find((entity) => entity.name === name);
const texts = (propositions) => propositions.map((proposition) => proposition.text);

test("the index of entities is filtered and ordered, the user first", async () => {
  const memory = await open();
  await talk(memory, "Zed owns a red kayak.", "Pia loves techno.", "Pia lives in Lisbon.", "I live in Leeds.");
  const names = async (options) => (await memory.entities(options)).map((entity) => entity.name);
  const [user, ...others] = await memory.entities();
  assert.equal(user.isUser, true);
  assert.deepEqual(others.map(({ name }) => name), others.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b)));
  assert.deepEqual(await names({ text: "PIA" }), ["Pia"]);
  assert.deepEqual(await names({ text: "nobody" }), []);
  assert.equal((await names({ order: "statements" }))[1], "Pia", "two propositions");
  assert.deepEqual((await names({ order: "recent", limit: 2 })).length, 2);
  const [pia] = await memory.entities({ text: "pia" });
  assert.deepEqual([pia.propositions, pia.retired, pia.description], [2, 0, ""]);
  assert.ok(Math.abs(pia.lastTouched - Date.now()) < 60_000);
  const places = await names({ label: "place" });
  assert.ok(places.includes("Lisbon") && !places.includes("Pia"), `${places}`);
  await memory.forget((await memory.propositions({ text: "kayak" }))[0].id);
  assert.ok(!(await names({ withStatements: true })).includes("Zed"));
  await refused(memory.entities({ order: "size" }), "invalid-argument", /^options\.order: /);
  await refused(memory.entities({ txt: "x" }), "invalid-argument", /unknown field `txt`/);
});

test("a merge moves mentions and names, shows on the page, and can be taken back", async () => {
  const memory = await open();
  await talk(memory, "Zed owns a red kayak.", "Zedekiah owns a green kayak.");
  const [keep, other] = [await byName(memory, "Zedekiah"), await byName(memory, "Zed")];
  const change = await memory.mergeEntities(keep.id, other.id);
  assert.equal(change.entity, keep.id);
  assert.deepEqual([change.names, change.propositions.length], [["Zed"], 1]);
  assert.equal(change.commit, (await memory.commits()).at(-1).id);

  const page = await memory.entity(other.id);
  assert.deepEqual([page.entity.id, page.redirectedFrom], [keep.id, other.id]);
  assert.deepEqual(page.names.map(({ name, mergedFrom }) => [name, mergedFrom]).toSorted(), [["Zed", other.id], ["Zedekiah", null]]);
  assert.equal(page.statements.length, 2);
  assert.deepEqual(page.retired, []);
  assert.deepEqual(new Set(page.mentions.map(({ cameFrom }) => cameFrom)), new Set([null, other.id]));
  assert.deepEqual(page.turns.map(({ text }) => text), ["Zed owns a red kayak.", "Zedekiah owns a green kayak."]);
  assert.deepEqual(page.merged.map(({ entity, names }) => [entity, names]), [[other.id, ["Zed"]]]);
  assert.equal(page.merged[0].merged.commit, change.commit);
  assert.equal(page.timeline[0].commit, change.commit);
  assert.equal(page.timeline[0].actor, "person");
  assert.equal(page.timelineLeftOut, 0);

  await refused(memory.mergeEntities(keep.id, keep.id), "invalid-argument", /with itself/);
  await refused(memory.mergeEntities("E1", other.id), "invalid-argument", /^keep: /);
  await refused(memory.entity(`E${"0".repeat(32)}`), "not-found", /E0000/);
  assert.equal((await memory.unmergeEntity(other.id)).entity, other.id);
  assert.deepEqual(texts((await memory.entity(other.id)).statements), ["Zed owns a red kayak."]);
  await refused(memory.unmergeEntity(other.id), "invalid-argument", /merged/);
});

test("a split makes another entity of some mentions", async () => {
  const memory = await open();
  await talk(memory, "Pia loves techno.", "Pia owns a red kayak.");
  const pia = await byName(memory, "Pia");
  const { mentions } = await memory.entity(pia.id);
  const [{ proposition, mention }] = mentions;
  await refused(memory.splitEntity(pia.id, {}), "invalid-argument", /^split: missing field `name`/);
  await refused(memory.splitEntity(pia.id, { name: "Pia", mentions: [{ proposition, mention, span: "x" }] }), "invalid-argument", /^split\.mentions\[0\]\.span: unknown field/);
  const change = await memory.splitEntity(pia.id, { name: "Pia Berg", mentions: [{ proposition, mention }], labels: ["Person"] });
  assert.deepEqual(change.propositions, [proposition]);
  const split = await memory.entity(change.entity);
  assert.deepEqual([split.entity.name, split.statements.length, split.entity.labels], ["Pia Berg", 1, ["Person"]]);
  assert.ok(split.distinctFrom.includes(pia.id) || (await memory.entity(pia.id)).distinctFrom.includes(change.entity));
  await memory.undo(change.commit);
  assert.equal((await memory.entity(pia.id)).statements.length, 2);
});

test("names, kinds and description are a person's to change, and an entity can be forgotten", async () => {
  const memory = await open();
  await talk(memory, "Pia loves techno.");
  const { id } = await byName(memory, "Pia");
  const renamed = await memory.renameEntity(id, "Pia Berg");
  assert.deepEqual([renamed.actor, renamed.cause], ["person", "manual"]);
  assert.equal(await memory.renameEntity(id, "Pia Berg"), null, "nothing differs");
  await memory.addAlias(id, "P. Berg");
  await memory.setEntityLabels(id, ["Person", "Friend"]);
  await memory.describeEntity(id, "A friend from school.");
  const page = await memory.entity(id);
  assert.deepEqual([page.entity.name, page.nameIsChosen], ["Pia Berg", true]);
  assert.deepEqual(page.entity.aliases.toSorted(), ["P. Berg", "Pia"]);
  assert.deepEqual([page.entity.labels, page.entity.description], [["Person", "Friend"], "A friend from school."]);
  await memory.removeAlias(id, "P. Berg");
  assert.deepEqual((await memory.entity(id)).entity.aliases, ["Pia"]);
  await refused(memory.removeAlias(id, "Pia Berg"), "invalid-argument", /name/);
  await refused(memory.renameEntity(id, 7), "invalid-argument", /^name: expected a string/);
  await refused(memory.setEntityLabels(id, "Person"), "invalid-argument", /^labels: /);

  const gone = await memory.forgetEntity(id);
  assert.equal(gone.propositions.length, 1);
  const [techno] = await memory.propositions();
  assert.equal(techno.mentions.find(({ span }) => span === "Pia").entity, null, "the proposition stays, the mention is text");
  await refused(memory.entity(id), "not-found", /E/);
  await memory.undo(gone.commit);
  assert.equal((await memory.entity(id)).entity.name, "Pia Berg");
});

test("possible duplicates are listed, and a person can say no for good", async () => {
  const memory = await open();
  await talk(memory, "Pia Berg lives in Lisbon.", "Pia Bergh owns a red kayak.");
  const [one, other] = [await byName(memory, "Pia Berg"), await byName(memory, "Pia Bergh")];
  const [pair, ...more] = await memory.possibleDuplicates();
  assert.deepEqual([pair.one, pair.other, more], [one.id, other.id, []], "the older one first");
  assert.ok(pair.score > 0 && pair.score <= 1 && pair.why.length > 0);
  const { duplicates } = await memory.entity(one.id);
  assert.deepEqual(duplicates.map(({ pair, other }) => [pair.one, other.name]), [[one.id, "Pia Bergh"]]);
  assert.equal((await memory.dismissDuplicate(one.id, other.id)).actor, "person");
  assert.equal(await memory.dismissDuplicate(one.id, other.id), null, "said before");
  assert.deepEqual([await memory.possibleDuplicates(), (await memory.entity(one.id)).distinctFrom.length + (await memory.entity(other.id)).distinctFrom.length > 0], [[], true]);
  await refused(memory.dismissDuplicate(one.id, "x"), "invalid-argument", /^b: /);
});

test("a held change waits in the inbox until a person decides", async () => {
  const memory = await open({ gates: { gates: [{ gate: "conflict-classification" }] } });
  const { reports } = await talk(memory, "Pia loves techno.", "Pia hates techno.");
  const report = reports.at(-1);
  assert.deepEqual(texts(await memory.propositions()), ["Pia loves techno."]);
  const [item] = await memory.inbox();
  const check = report.gates.find(({ inbox }) => inbox === item.id);
  assert.deepEqual([check.change, check.decision.decision, check.decision.gate], ["contradicted", "route-to-review", null]);
  assert.deepEqual(check.evaluations.map(({ gate, decision }) => [gate, decision]), [["conflict-classification", "route-to-review"]]);
  assert.equal(report.dropped[0].reason, "held");
  assert.deepEqual([item.kind, item.isHeld, item.statement.text], ["review", true, "Pia hates techno."]);
  assert.deepEqual(item.others, [(await memory.propositions())[0].id]);
  assert.match(item.question, /Pia hates techno\..*Shall it\?/);

  await refused(memory.decide(item.id, "maybe"), "invalid-argument", /^verdict: expected "accept" or "reject", got "maybe"/);
  await refused(memory.decide("I1", "accept"), "invalid-argument", /^id: /);
  const decision = await memory.decide(item.id, "accept");
  assert.equal(decision.verdict, "accept");
  assert.match(decision.effect, /retired/);
  assert.deepEqual(texts(await memory.propositions()), ["Pia hates techno."]);
  assert.deepEqual(await memory.inbox(), []);
  await refused(memory.decide(item.id, "reject"), "invalid-argument", /answered already/);
  await memory.undo((await memory.commits()).at(-1).id);
  assert.equal((await memory.inbox()).length, 1, "undoing opens it again");
});

test("a conflict with a pinned proposition is asked about", async () => {
  const memory = await open();
  await talk(memory, "Pia loves techno.");
  await memory.pin((await memory.propositions())[0].id);
  await talk(memory, "Pia hates techno.");
  const [item] = await memory.inbox();
  assert.deepEqual([item.kind, item.isHeld], ["pinned-conflict", false]);
  await memory.decide(item.id, "reject");
  assert.deepEqual(texts(await memory.propositions()), ["Pia loves techno."]);
});

test("a document is taken in once, estimated, analysed, and can be looked up", async () => {
  const memory = await open();
  const text = "Pia Berg lives in Lisbon.\n\nZed Kuhn owns a red kayak.";
  const locator = { kind: "uri", uri: "https://example.org/notes", display: "notes" };
  const receipt = await memory.ingestDocument("notes.md", text, { locator, at: Date.UTC(2024, 2, 1) });
  assert.deepEqual([receipt.passages, receipt.isKnown], [1, false]);
  assert.deepEqual(
    (await memory.pendingAll()).map(({ conversation, title, pending, isRunning }) => [conversation, title, pending.turns, isRunning]),
    [[receipt.conversation, "notes.md", 1, false]],
  );
  const estimate = await memory.estimate(receipt.conversation);
  assert.deepEqual([estimate.windows, estimate.turns, estimate.alreadyDone], [1, 1, 0]);
  assert.deepEqual([estimate.calls, estimate.money], [{ min: 0, max: 0 }, null], "rules cost nothing");
  const [report] = await memory.analyse(receipt.conversation);
  assert.ok(report.newEntities.length >= 2, JSON.stringify(report));
  assert.ok(report.resolutions.some(({ span, outcome, level }) => span === "Pia Berg" && outcome === "new" && level === "NO_MATCH"));
  const [pia] = await memory.propositions({ text: "Lisbon" });
  assert.equal(pia.voice, "document");
  assert.deepEqual(await memory.pendingAll(), []);

  const again = await memory.ingestDocument("another name", text);
  assert.deepEqual([again.conversation, again.isKnown], [receipt.conversation, true]);
  assert.equal((await memory.estimate(again.conversation)).windows, 0);
  await refused(memory.ingestDocument("x", " "), "invalid-argument", /^text: /);
  await refused(memory.ingestDocument("x", text, { locator: { kind: "fax" } }), "invalid-argument", /^options\.locator.*`fax`/);
  await refused(memory.ingestDocument("x", text, { locator: { kind: "uri", uri: "x", dsplay: "y" } }), "invalid-argument", /^options\.locator.*`dsplay`/);
  await refused(memory.estimate(`V${"0".repeat(32)}`), "not-found", /V0000/);
});

test("a source is read again, or forgotten with what rested on it alone", async () => {
  const memory = await open();
  const { conversation } = await memory.ingestDocument("notes.md", "Pia Berg lives in Lisbon.");
  await memory.analyse(conversation);
  assert.equal(await memory.release(conversation), 1);
  await memory.analyse(conversation);
  const [pia] = await memory.propositions();
  const forgotten = await memory.forgetSource(conversation);
  assert.deepEqual([forgotten.turns, forgotten.removed, forgotten.kept], [1, [pia.id], []]);
  assert.deepEqual([await memory.propositions(), await memory.conversations()], [[], []]);
  await memory.undo(forgotten.commit);
  assert.equal((await memory.propositions()).length, 1);
  await refused(memory.forgetSource(`V${"0".repeat(32)}`), "not-found", /V0000/);
  await refused(memory.release("V1"), "invalid-argument", /^conversation: /);
});

test("an estimate comes in calls, tokens and money", async () => {
  const price = { promptPerMillion: 1, completionPerMillion: 2, currency: "EUR" };
  const model = { complete: () => '{"propositions": []}' };
  const memory = await open({ ingest: { price } }, { model });
  const { conversation } = await memory.ingestDocument("notes.md", "Pia Berg lives in Lisbon.");
  const { calls, promptTokens, completionTokens, money } = await memory.estimate(conversation);
  assert.deepEqual(calls, { min: 1, max: 2 });
  assert.ok(promptTokens.min > 100 && promptTokens.max >= promptTokens.min && completionTokens.min > 0);
  assert.equal(money.currency, "EUR");
  assert.ok(Math.abs(money.min - (promptTokens.min + 2 * completionTokens.min) / 1e6) < 1e-9);
  const [report] = await memory.analyse(conversation);
  assert.ok(report.calls >= calls.min && report.calls <= calls.max);
});

test("a text is remembered once under its content", async () => {
  const memory = await open();
  const reports = await memory.rememberText("Pia Berg lives in Lisbon.", "mail-1");
  assert.equal(reports[0].outcomes[0].kind, "new");
  assert.equal(await memory.rememberText("Pia Berg lives in Lisbon.", "mail-2"), null);
  await refused(memory.rememberText("x", 7), "invalid-argument", /^sourceId: expected a string/);
});

test("what failed by itself waits with its reason and can be tried again", async () => {
  let reply = "this is no JSON";
  const memory = await open({}, { model: { complete: () => reply } });
  const { conversation } = await memory.ingestDocument("notes.md", "Pia Berg lives in Lisbon.");
  await refused(memory.analyse(conversation), "unreadable-reply", /repair/);
  const [{ pending }] = await memory.pendingAll();
  assert.deepEqual(pending.failed.map(({ from, to, attempts, failure }) => [from, to, attempts, failure.code]), [[0, 1, 1, "unreadable-reply"]]);
  assert.equal(pending.failure.code, "unreadable-reply");
  reply = '{"propositions": []}';
  const steps = [];
  const reports = await memory.retryFailed(conversation, { onProgress: (step) => steps.push(step) });
  assert.equal(reports.length, 1);
  assert.deepEqual(steps.at(-1), { done: 1, total: 1 });
  assert.deepEqual(await memory.pendingAll(), []);
  assert.deepEqual(await memory.retryFailed(conversation), [], "nothing failed");
  await refused(memory.retryFailed(conversation, { onprogress() {} }), "invalid-argument", /unknown field `onprogress`/);
  await refused(memory.retryFailed("V1"), "invalid-argument", /^conversation: /);
});

test("a maintenance run says what it would do, does it in one commit, and is undone with it", async () => {
  const memory = await open();
  await talk(memory, "Pia loves techno.", "Zed owns a red kayak.");
  const [pia] = await memory.propositions({ text: "techno" });
  const custom = [{ proposition: pia.id, key: "left", description: "Pia left." }];
  const dry = await memory.maintain({ dryRun: true, passes: ["decay-sweep", "custom"], custom });
  assert.deepEqual([dry.dryRun, dry.trigger, dry.calls, dry.passes.map(({ pass }) => pass)], [true, "asked", 0, ["decay-sweep", "custom"]]);
  assert.deepEqual(dry.passes[1].marks, [{ proposition: pia.id, key: "left", why: "Pia left.", survivor: null, outcome: { is: "marked" } }]);
  assert.equal((await memory.propositions()).length, 2, "nothing was done");

  const steps = [];
  const run = await memory.maintain({ passes: ["custom"], custom, onProgress: (step) => steps.push(step) });
  assert.deepEqual(run.passes[0].marks[0].outcome, { is: "transitioned", to: "STALE" });
  assert.equal(run.active, 1);
  assert.deepEqual(steps.at(-1), { done: 3, total: 3 });
  assert.deepEqual(texts(await memory.propositions({ status: "STALE" })), ["Pia loves techno."]);
  assert.deepEqual((await memory.runs()).map(({ id }) => id), [run.id, dry.id], "newest first");
  const commit = (await memory.commits()).at(-1);
  assert.ok(commit.records.includes(run.id));
  await memory.undo(commit.id);
  assert.equal((await memory.propositions()).length, 2);
  assert.equal((await memory.runs()).length, 1);

  await refused(memory.maintain({ passes: ["dream"] }), "invalid-argument", /^options\.passes.*`dream`/);
  await refused(memory.maintain({ dryrun: true }), "invalid-argument", /unknown field `dryrun`/);
  await refused(memory.maintain({ signal: AbortSignal.abort() }), "cancelled", /cancelled/);
  assert.equal((await memory.runs()).length, 1, "a cancelled run writes nothing");
});

test("mention filters are counted in the report and over all", async () => {
  const filters = [{ filter: "rules", rules: [{ rule: "length", min: 4 }], types: [] }];
  const memory = await open({ filters });
  const { reports } = await talk(memory, "Zed owns a red kayak.", "Johanna lives in Lisbon.");
  const [rejected] = reports[0].mentions.rejections;
  assert.deepEqual([rejected.span, rejected.filter, rejected.rule], ["Zed", "rules", "length"]);
  assert.match(rejected.text, /red kayak/);
  const totals = await memory.mentionTotals();
  assert.deepEqual(totals.byRule, { length: 1 });
  assert.equal(Object.values(totals.rejected).reduce((sum, count) => sum + count, 0), 1);
  assert.ok(Object.values(totals.accepted).reduce((sum, count) => sum + count, 0) >= 2);
  assert.equal(await byName(memory, "Zed"), undefined, "no entity, but the proposition is kept");
  assert.equal((await memory.propositions({ text: "Zed" })).length, 1);
});

test("the assistant's and others' facts are kept as the perspective says", async () => {
  const memory = await open({ extraction: { perspective: "user" } });
  const { id: conversation } = await memory.startConversation();
  await memory.say({ conversation, text: "I live in Leeds." });
  await memory.say({ conversation, speaker: { name: "Nora" }, text: "I live in Porto." });
  const [report] = await memory.analyse(conversation);
  assert.equal((await memory.propositions()).length, 1);
  assert.ok(report.dropped.some(({ reason }) => reason === "perspective"), JSON.stringify(report.dropped));
});

test("settings are refused by their place", async () => {
  const bad = (settings, words) => refused(open(settings), "invalid-argument", words);
  await bad({ maintenance: { retireBelow: 2 } }, /^options\.settings\.maintenance\.retireBelow must be 0 to 1, got 2/);
  await bad({ maintenance: { retireBelow: 0.3 } }, /^options\.settings\.maintenance\.retireBelow \(0\.3\) must be below maintenance\.reviveAbove \(0\.2\)/);
  await bad({ maintenance: { retireUnder: 0.1 } }, /^options\.settings\.maintenance\.retireUnder: unknown field `retireUnder`/);
  await bad({ maintenance: { passes: ["dream"] } }, /^options\.settings\.maintenance\.passes\[0\]: unknown variant `dream`/);
  await bad({ revision: { topK: 0 } }, /^options\.settings\.revision\.topK must be 1 to 50, got 0/);
  await bad({ resolution: { searchers: [] } }, /^options\.settings\.resolution\.searchers must name at least one searcher, or alwaysCreate be true/);
  await bad({ resolution: { knownEntities: [{ id: "x", name: "Ada" }] } }, /^options\.settings\.resolution\.knownEntities\[0\]\.id: /);
  await bad({ extraction: { entitiesToShow: 501 } }, /^options\.settings\.extraction\.entitiesToShow must be 0 to 500/);
  await bad({ ingest: { chunkChars: 3 } }, /^options\.settings\.ingest\.chunkChars must be 200 to 20000, got 3/);
  await bad({ ingest: { price: { promptPerMillion: 1 } } }, /^options\.settings\.ingest\.price: missing field `completionPerMillion`/);
  await bad({ windowSize: 2, overlap: 2 }, /^options\.settings\.overlap must be 0 to 1, got 2/);
  await bad({ decayAge: "whole_days" }, /^options\.settings\.decayAge: unknown variant `whole_days`, expected `whole-days`/);
  await bad({ gates: { gates: [{ gate: "confidence", min: 2 }] } }, /^options\.settings\.gates\.gates\[0\]/);
  await bad({ gates: { shortcircuit: true } }, /^options\.settings\.gates\.shortcircuit: there is no such setting/);
  await bad({ gates: { gates: [{ gate: "trust", min: 0.5, onmissing: "reject" }] } }, /^options\.settings\.gates\.gates\[0\]\.onmissing: there is no such setting/);
  await bad({ filters: [{ filter: "rules", rules: [{ rule: "length", min: 2, mx: 9 }] }] }, /^options\.settings\.filters\[0\]\.rules\[0\]\.mx: there is no such setting/);
  await bad({ filters: [{ filter: "rules", rules: [] }] }, /^options\.settings\.filters\[0\]\.rules needs at least one rule/);
  await bad({ trust: { scorer: { by: "luck" } } }, /^options\.settings\.trust\.scorer\.by: unknown variant `luck`/);
  await bad({ conflicts: { detector: "temporal", evolvng: ["city"] } }, /^options\.settings\.conflicts\.evolvng: there is no such setting/);
  await bad({ schemas: { named: { work: { types: [{ nme: "Project" }] } } } }, /^options\.settings\.schemas\.named\.work\.types\[0\]\.nme: /);
  await bad({ schemas: { inForce: "work" } }, /^options\.settings\.schemas\.inForce: there is no schema `work`/);
});

test("every form of a setting is known to the engine", async () => {
  const memory = await open(everySetting);
  assert.deepEqual(await memory.propositions(), []);
});

test("every area of the settings is taken", async () => {
  const memory = await open({
    userName: "Ada",
    windowSize: 10,
    decayAge: "fractional-days",
    extraction: { perspective: "all", density: "dense", prompt: "brief", entitiesToShow: 5 },
    revision: { topK: 3, surpriseDecay: 1 },
    resolution: { searchers: ["id", "exact-name"], bakeoff: "off", context: "sentence", knownEntities: [{ id: `E${"1".repeat(32)}`, name: "Projekt Delta", labels: ["Project"], role: "our project" }] },
    maintenance: { passes: ["duplicates"], hardDelete: false },
    ingest: { chunkChars: 400, chunkOverlap: 0, parallel: 2 },
    schemas: { inForce: "work", named: { work: { name: "work", types: [{ name: "Person" }, { name: "Place" }, { name: "Project", creationPermitted: false }] } } },
    filters: [{ filter: "schema-validated" }, { filter: "proposition-duplicate", minPropositionLength: 60 }],
    gates: { gates: [{ gate: "evidence-floor" }, { gate: "projection-eligibility", min: 1 }], shortCircuit: false },
    trust: { authority: { by: "fixed", tier: "PRIMARY" }, scorer: { by: "authority", weights: { primary: 0.8 } } },
    conflicts: { detector: "always-contradiction" },
  });
  const { reports } = await talk(memory, "Pia loves techno.", "Pia hates techno.");
  const outcome = reports.at(-1).outcomes.find(({ kind }) => kind === "contradicted");
  assert.deepEqual(outcome.conflict, { type: "contradiction" });
  assert.deepEqual(reports.at(-1).gates[0].evaluations.map(({ gate }) => gate), ["evidence-floor", "projection-eligibility"]);
  assert.match((await memory.propositions())[0].metadata["dice.projection.skipped"], /below 1/);
  assert.deepEqual((await memory.maintain()).passes.map(({ pass }) => pass), ["duplicates"]);
  assert.equal((await memory.ingestDocument("long", "Zed owns a red kayak. ".repeat(30))).passages, 2);
});
