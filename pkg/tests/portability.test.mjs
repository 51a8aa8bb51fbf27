// In and out through the package's own name: bundles, files of other programs, lists for people, and the look at the records.

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

test("memories leave as one bundle and come back elsewhere, as chosen", async () => {
  const ada = await open({ context: "ada" });
  await ada.remember("I live in Lisbon.");
  const ben = await ada.context("ben");
  await ben.remember("I like green tea.");
  const all = await ada.exportBundle();
  assert.deepEqual(JSON.parse(await ada.exportBundle(["ben"])).contexts.length, 1);
  await refused(ada.exportBundle([]), "invalid-argument", /leave it out/);

  const there = await open({ context: "ada" });
  const plan = await there.previewImport(all);
  assert.deepEqual(plan.contexts.map(({ context, standing, suggested }) => [context, standing, suggested.do]), [
    ["ada", { is: "new" }, "create"],
    ["ben", { is: "new" }, "create"],
  ]);
  assert.deepEqual(await there.contexts(), [], "a preview writes nothing");
  const report = await there.importBundle(all, { ada: { do: "merge" }, ben: { do: "create", name: "benjamin" } });
  assert.deepEqual(report.contexts.map(({ into, outcome }) => [into, outcome]), [
    ["ada", "created"],
    ["benjamin", "created"],
  ]);
  assert.deepEqual(await texts(there), await texts(ada));
  assert.deepEqual(await texts(await there.context("benjamin")), await texts(ben));

  await there.remember("I own a red kayak.");
  const [back] = (await there.importBundle(all, { ada: { do: "replace" } })).contexts;
  assert.deepEqual([back.outcome, back.replaced > back.commits], ["replaced", true]);
  assert.deepEqual(await texts(there), await texts(ada), "an open memory takes the import up");

  await ada.remember("I have a dog.");
  await there.remember("I have a cat.");
  const newer = await ada.export();
  assert.equal((await there.previewImport(newer)).contexts[0].standing.is, "diverged");
  const [merged] = (await there.importBundle(newer)).contexts;
  assert.equal(merged.outcome, "merged");
  assert.ok(merged.merge.added.proposition > 0);
  assert.equal((await there.commits()).at(-1).id, merged.commit);
  assert.ok((await texts(there)).some((text) => /dog/.test(text)));
  assert.equal((await there.importBundle(newer)).contexts[0].commit, null, "merging twice is merging once");
});

test("a bundle that is none, or not whole, is refused with a word for it", async () => {
  const memory = await open();
  await memory.remember("I live in Lisbon.");
  const bundle = await memory.export();
  await refused(memory.previewImport("{}"), "not-a-bundle", /no Credence bundle/);
  await refused(memory.importBundle(bundle.slice(0, -40)), "bundle-truncated", /ends in the middle/);
  await refused(memory.importBundle(bundle.replace("Lisbon", "London")), "bundle-checksum", /checksum/);
  await refused(memory.importBundle(bundle, { other: { do: "merge" } }), "bundle-choice", /not in the bundle/);
  await refused(memory.importBundle(bundle, { default: { do: "eat" } }), "invalid-argument", /^choices\.default/);
});

test("a file of another program is looked at, then taken in", async () => {
  const memory = await open();
  const file = "# About me\n\n- I live in Lisbon.\n- I like green tea.\n";
  const preview = await memory.inspectImport("me.md", file);
  assert.equal(preview.format, "list");
  assert.deepEqual(preview.statements.map(({ text, topic }) => [text, topic]), [
    ["I live in Lisbon.", "About me"],
    ["I like green tea.", "About me"],
  ]);
  assert.deepEqual(await memory.commits(), []);
  const told = [];
  const bytes = new TextEncoder().encode(file);
  const taken = await memory.takeIn("me.md", bytes, { user: preview.people[0], onProgress: (progress) => told.push(progress) });
  assert.equal(taken.format, "list");
  assert.ok(taken.reports.length > 0);
  assert.deepEqual(told.at(-1), { done: 2, total: 2 });
  assert.equal((await memory.propositions()).length, 2);

  const chat = await memory.takeIn("chat.txt", "Nora: I live in Porto.\nAda: I like coffee.\n", { user: "Ada" });
  assert.equal(chat.waiting.length, 1);
  await memory.analyse(chat.waiting[0]);
  await refused(memory.takeIn("chat.txt", 7), "invalid-argument", /^content/);
  await refused(memory.inspectImport("empty.txt", ""), "bad-import", /empty/);
});

test("statements are read as a list and as a table", async () => {
  const memory = await open();
  const { propositions: [home] } = await memory.remember("I live in Lisbon.");
  assert.ok((await memory.asMarkdown()).includes(home.text));
  const [names, row] = (await memory.asCsv({ status: "ALL" })).trim().split("\r\n");
  assert.match(names, /^id,/);
  assert.ok(row.startsWith(home.id));
  await refused(memory.asCsv({ stauts: "ALL" }), "invalid-argument", /unknown field `stauts`/);
});

test("a sound memory is said to be sound; what cannot be read is found and set aside", async () => {
  const commits = [];
  const aside = [];
  const label = { store: "shelf", key: "label", detail: "it cannot be read", raw: "smudged" };
  let labels = [];
  const journal = {
    contexts: async () => commits.slice(-1).map(({ context, seq, id }) => ({ context, seq, head: id })),
    read: async (_, after) => commits.filter(({ seq }) => seq > after).map(({ json }) => json),
    append: async (entry) => void commits.push(entry),
    appendUse: async () => {},
    uses: async () => [],
    erase: async () => void commits.splice(0),
    repair: async ({ appended, damages, standIns }) => {
      aside.push(...damages);
      labels = [];
      for (const entry of standIns) commits[entry.seq - 1] = entry;
      commits.push(appended);
    },
    damages: async () => labels,
    setAside: async () => aside,
  };
  const memory = await open({ journal });
  await memory.remember("I live in Lisbon.");
  await memory.remember("I like green tea.");
  const sound = await memory.checkHealth();
  assert.deepEqual([sound.isSound, sound.canRepair, sound.findings], [true, false, []]);
  assert.deepEqual((await memory.repair()).commits, [], "nothing to do is no commit");

  commits[0] = { ...commits[0], json: "damaged" };
  const report = await memory.checkHealth();
  assert.equal(report.isSound, false);
  assert.deepEqual(report.findings.map(({ trouble, severity, remedy }) => [trouble, severity, remedy])[0], [
    "damaged-row",
    "loss",
    "set-aside",
  ]);
  assert.deepEqual(report.damages.map(({ key, raw }) => [key, raw]), [["1", "damaged"]]);
  const done = await memory.repair();
  assert.equal(done.setAside, 1);
  assert.equal(aside[0].raw, "damaged");
  assert.equal((await memory.commits()).at(-1).cause, "repair");
  assert.ok((await texts(memory)).some((text) => /tea/.test(text)));

  // What stands in no record is for the journal to tell.
  labels = [label];
  assert.deepEqual((await memory.checkHealth()).damages, [label]);
  assert.equal((await memory.repair()).setAside, 1);
  assert.deepEqual([aside.at(-1), (await memory.checkHealth()).damages], [label, []]);
});
