// The journal in a folder where stored history changes: rewriting, replacing, repairing, each whole or not at all.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { openMemory } from "credence";
import { fileJournal } from "credence/node";

import { outputOf, start, temporary } from "./support.mjs";

const entry = (context, seq, head, text = `text ${seq}`, id = `${context}-${seq}`) => ({
  context, seq, id, parent: head ?? null, json: JSON.stringify({ seq, text }),
});
const use = (context, id, text) => ({ context, id, json: JSON.stringify({ id, text }) });
const vector = (text) => ({ text, vector: new Float32Array([0.6, 0.8]) });
const texts = async (journal, context) => (await journal.read(context, 0)).map((json) => JSON.parse(json).text);
const quiet = { onWarning() {} };
const stale = (found) => ({ name: "JournalError", code: "store-stale", found });
const nothing = { commits: [], uses: [], droppedUses: [], droppedVectors: [], dropsSetAside: false };

/** The folder of the only context in `path`; no lock, scrap or unfinished change lies beside or in it. */
function only(path) {
  const names = readdirSync(path);
  assert.equal(names.length, 1, `${names}`);
  const folder = join(path, names[0]);
  assert.deepEqual(readdirSync(folder).filter((name) => !/^[a-z]+\.jsonl$/.test(name)), []);
  return folder;
}

/** Every byte that is stored below `path`. */
function bytes(path) {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return files.map((each) => readFileSync(join(each.parentPath ?? each.path, each.name), "utf8")).join("\n");
}

async function prepared(path) {
  const journal = fileJournal(path, quiet);
  await journal.append(entry("a", 1, null, "secret"));
  await journal.append(entry("a", 2, "a-1", "other"));
  for (const id of ["u1", "u2"]) await journal.appendUse(use("a", id, `secret of ${id}`));
  for (const space of ["one", "two"]) await journal.saveVectors("a", space, [vector("secret"), vector("other")]);
  return journal;
}

test("a rewrite changes all of it and appends", async (t) => {
  const path = temporary(t);
  const journal = await prepared(path);
  const other = fileJournal(path, quiet);
  assert.deepEqual(await texts(other, "a"), ["secret", "other"]);
  await journal.rewrite({
    ...nothing,
    appended: entry("a", 3, "a-2", "says so"),
    commits: [entry("a", 1, null, "cut")],
    uses: [use("a", "u1", "cut")],
    droppedUses: ["u2"],
    droppedVectors: ["secret"],
  });
  for (const each of [journal, other, fileJournal(path, quiet)]) {
    assert.deepEqual(await texts(each, "a"), ["cut", "other", "says so"]);
    assert.deepEqual((await each.uses("a")).map((json) => JSON.parse(json).text), ["cut"]);
    for (const space of ["one", "two"]) assert.deepEqual(await each.vectors("a", space), [vector("other")]);
    assert.deepEqual(await each.contexts(), [{ context: "a", seq: 3, head: "a-3" }]);
  }
  assert.doesNotMatch(bytes(only(path)), /secret/);
  await other.append(entry("a", 4, "a-3"));
  assert.equal((await texts(journal, "a")).length, 4);
});

test("a rewrite that does not follow changes nothing", async (t) => {
  const path = temporary(t);
  const journal = await prepared(path);
  await fileJournal(path, quiet).append(entry("a", 3, "a-2", "meanwhile"));
  const before = bytes(path);
  const late = { ...nothing, appended: entry("a", 3, "a-2", "late"), commits: [entry("a", 1, null, "cut")], droppedUses: ["u1"] };
  await assert.rejects(journal.rewrite(late), stale(3));
  assert.equal(bytes(path), before);
  only(path);
});

test("a whole memory is stored at once, and takes no one's place unasked", async (t) => {
  const path = temporary(t);
  const journal = fileJournal(path, quiet);
  const contents = {
    commits: [entry("a", 1, null, "new one"), entry("a", 2, "a-1", "new two")],
    uses: [use("a", "u9", "new")],
    spaces: [{ space: "s", vectors: [vector("new")] }],
  };
  await journal.replace("a", 0, contents);
  assert.deepEqual(await texts(journal, "a"), ["new one", "new two"]);
  assert.deepEqual([(await journal.uses("a")).length, await journal.vectors("a", "s")], [1, [vector("new")]]);
  await journal.append(entry("a", 3, "a-2"));
  const smaller = { commits: [entry("a", 1, null, "alone", "b-1")], uses: [], spaces: [] };
  await assert.rejects(journal.replace("a", 0, smaller), stale(3));
  await assert.rejects(journal.replace("a", 2, smaller), stale(3));
  assert.equal((await texts(journal, "a")).length, 3);
  await journal.replace("a", 3, smaller);
  for (const each of [journal, fileJournal(path, quiet)]) {
    assert.deepEqual(await texts(each, "a"), ["alone"]);
    assert.deepEqual([await each.uses("a"), await each.spaces("a")], [[], []]);
  }
  only(path);
});

test("a change that a crash interrupted is finished where it counted, and never was where it did not", async (t) => {
  const path = temporary(t);
  const folder = async () => {
    await prepared(path);
    return only(path);
  };
  const at = await folder();
  const old = readFileSync(join(at, "commits.jsonl"), "utf8");
  // What the change would have made, from a change that went well elsewhere.
  const apart = temporary(t);
  await (await prepared(apart)).rewrite({
    ...nothing, appended: entry("a", 3, "a-2", "says so"), commits: [entry("a", 1, null, "cut")], droppedUses: ["u1", "u2"],
  });
  const next = (name) => readFileSync(join(only(apart), name), "utf8");
  const intent = JSON.stringify({ credence: "change", schema: 1, replace: ["commits.jsonl", "uses.jsonl"], remove: ["aside.jsonl"] });

  writeFileSync(join(at, "commits.jsonl.next"), next("commits.jsonl"));
  assert.deepEqual(await texts(fileJournal(path, quiet), "a"), ["secret", "other"], "prepared is not done");

  writeFileSync(join(at, "uses.jsonl.next"), next("uses.jsonl"));
  writeFileSync(join(at, "change.json"), intent);
  renameSync(join(at, "commits.jsonl.next"), join(at, "commits.jsonl"));
  const journal = fileJournal(path, quiet);
  assert.deepEqual(await journal.uses("a"), [], "whoever looks first finishes it");
  assert.deepEqual(await texts(journal, "a"), ["cut", "other", "says so"]);
  only(path);

  // A writer finishes it as well, and a scrap of what never counted is gone with the next change.
  writeFileSync(join(at, "commits.jsonl.next"), old);
  writeFileSync(join(at, "change.json"), intent);
  await assert.rejects(fileJournal(path, quiet).append(entry("a", 4, "a-3")), stale(2));
  writeFileSync(join(at, "vectors.jsonl.next"), "a scrap");
  await fileJournal(path, quiet).rewrite({ ...nothing, appended: entry("a", 3, "a-2") });
  only(path);

  writeFileSync(join(at, "change.json"), intent.replace('"schema":1', '"schema":2'));
  await assert.rejects(fileJournal(path, quiet).read("a", 0), { code: "store-newer-schema", found: 2, supported: 1 });
  writeFileSync(join(at, "change.json"), '{"credence":"change","schema":1,"replace":["../../x"],"remove":[]}');
  await assert.rejects(fileJournal(path, quiet).read("a", 0), { code: "store-corrupt" });
  assert.ok(existsSync(join(at, "commits.jsonl")));
});

test("kill -9 during rewrites by two processes: every change is there whole or not at all", async (t) => {
  const path = temporary(t);
  const journal = fileJournal(path, quiet);
  await journal.append({ ...entry("crash", 1, null), id: "first" });
  await journal.saveVectors("crash", "s", Array.from({ length: 50 }, (_, n) => vector(`gone-${n + 1}`)));
  let acknowledged = 0;
  for (let round = 0; round < 8; round += 1) {
    const children = ["p", "q"].map((writer) => start("rewriter.mjs", path, `${writer}${round}`, "200000"));
    const ended = children.map((child) => new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal))));
    const said = children.map((child) => outputOf(child));
    await new Promise((resolve) => children[round % 2].stdout.once("data", resolve));
    await new Promise((resolve) => setTimeout(resolve, (round * 37) % 60));
    for (const child of children) child.kill("SIGKILL");
    assert.deepEqual(await Promise.all(ended), ["SIGKILL", "SIGKILL"]);
    const lines = (await Promise.all(said)).flatMap((text) => text.trim().split("\n")).filter((line) => line && !line.startsWith("warning"));
    const fresh = fileJournal(path, quiet);
    const commits = (await fresh.read("crash", 0)).map((json) => JSON.parse(json));
    const last = commits.at(-1);
    assert.deepEqual(commits.map(({ seq }) => seq), commits.map((_, n) => n + 1));
    assert.equal(commits[0].word, last.word, "the first commit and the last are of one change");
    assert.deepEqual((await fresh.uses("crash")).map((json) => JSON.parse(json).word), [last.word]);
    const kept = new Set((await fresh.vectors("crash", "s")).map(({ text }) => text));
    assert.ok(!kept.has(`gone-${commits.length - 1}`));
    for (const line of lines) {
      const [seq, word] = line.split(" ");
      assert.equal(commits[seq - 1]?.seq === 1 ? word : commits[seq - 1]?.word, word, `acknowledged change ${line} is there`);
    }
    acknowledged += lines.length;
    assert.equal((await fresh.contexts())[0].seq, commits.length);
  }
  // Whoever writes next takes the lock of the dead over, and what they had prepared goes.
  const [{ seq, head }] = await journal.contexts();
  await journal.rewrite({ ...nothing, appended: entry("crash", seq + 1, head) });
  only(path);
  assert.ok(acknowledged >= 8, `${acknowledged}`);
  t.diagnostic(`${acknowledged} changes acknowledged, 0 lost, 0 torn in 16 kills`);
});

test("a memory in a folder forgets for ever, drops old history, and begins another one", async (t) => {
  const path = temporary(t);
  const memory = await openMemory({ context: "ada", journal: fileJournal(path), embedding: "default" });
  const { propositions: [home] } = await memory.remember("I live in Xanthippeville.");
  const { propositions: [tea] } = await memory.remember("I like green tea.");
  await memory.search("where do I live");
  for (const text of ["I like black tea.", "I like white tea."]) await memory.edit(tea.id, { text });
  assert.match(bytes(path), /Xanthippeville/);

  const report = await memory.eraseTarget({ kind: "proposition", id: home.id });
  assert.ok(report.records.includes(home.id));
  assert.doesNotMatch(bytes(path), /Xanthippeville/i);
  assert.match(bytes(path), /black tea/);
  await memory.compactHistory({ revisions: 1 });
  assert.doesNotMatch(bytes(path), /black tea/);

  await memory.branch("other");
  const again = await openMemory({ context: "other", journal: fileJournal(path), embedding: false });
  assert.deepEqual((await again.propositions()).map(({ text }) => text), ["I like white tea."]);
  assert.deepEqual((await memory.contexts()).map(({ context }) => context), ["ada", "other"]);
  await memory.erase();
  assert.deepEqual((await again.contexts()).map(({ context }) => context), ["other"]);
});

test("a damaged line is told by file and byte, the rest opens, and a repair sets it aside", async (t) => {
  const path = temporary(t);
  const first = await openMemory({ context: "ada", journal: fileJournal(path), embedding: false });
  for (const text of ["I live in Lisbon.", "I like green tea.", "I own a red bicycle."]) await first.remember(text);
  await first.search("tea");
  const file = join(only(path), "commits.jsonl");
  const sound = readFileSync(file, "utf8");
  for (const [hurt, left] of [
    [sound.replaceAll("green tea", "great tea"), 2],
    // The last: what it was called can still be read.
    [sound.replaceAll("red bicycle", "big bicycle"), 2],
    // One line made of two, and two of one.
    [sound.replace(/\n(?=[^\n]*green tea)/, "#"), 2],
    [sound.replace("green tea", "green\ntea"), 2],
  ]) {
    writeFileSync(file, hurt);
    const told = [];
    const journal = fileJournal(path, { onWarning: (warning) => told.push(warning) });
    const memory = await openMemory({ context: "ada", journal, embedding: false });
    assert.equal((await memory.propositions()).length, left);
    assert.ok(told.length > 0 && told.every(({ code, message }) => code === "damaged-record" && message.includes(file) && /byte \d+/.test(message)));
    const report = await memory.checkHealth();
    assert.equal(report.isSound, false);
    const damaged = report.damages.length;
    assert.ok(damaged > 0);
    // It can be written to before it is repaired.
    await memory.remember("I like chess.");
    const done = await memory.repair();
    assert.equal(done.setAside, damaged);
    const { damages, findings } = await memory.checkHealth();
    assert.deepEqual([damages, findings.filter(({ remedy }) => remedy === "set-aside")], [[], []]);
    assert.equal((await journal.setAside("ada")).length, damaged);
    const after = await openMemory({ context: "ada", journal: fileJournal(path), embedding: false });
    assert.equal((await after.propositions()).length, left + 1);
    // What was set aside goes with the first erasure.
    const [any] = await after.propositions();
    await after.eraseTarget({ kind: "proposition", id: any.id });
    assert.deepEqual(await journal.setAside("ada"), []);
  }
});

test("a damaged use record and a damaged vector do not stop anybody", async (t) => {
  const path = temporary(t);
  const memory = await openMemory({ context: "ada", journal: fileJournal(path), embedding: false });
  await memory.remember("I like green tea.");
  for (const query of ["tea", "green"]) await memory.search(query);
  const file = join(only(path), "uses.jsonl");
  writeFileSync(file, readFileSync(file, "utf8").replace('"query":"tea"', '"query":"pea"'));
  const hurt = await openMemory({ context: "ada", journal: fileJournal(path, quiet), embedding: false });
  const { damages } = await hurt.checkHealth();
  assert.deepEqual(damages.map(({ store }) => store), ["uses"]);
  assert.equal((await hurt.repair()).setAside, 1);
  assert.equal((await hurt.checkHealth()).isSound, true);

  const journal = fileJournal(path, quiet);
  await journal.saveVectors("ada", "s", [vector("one"), vector("two")]);
  const vectors = join(only(path), "vectors.jsonl");
  writeFileSync(vectors, readFileSync(vectors, "utf8").replace('"text":"one"', '"text":"One"'));
  const fresh = fileJournal(path, quiet);
  assert.deepEqual(await fresh.vectors("ada", "s"), [vector("two")]);
  assert.deepEqual(fresh.warnings.map(({ code, file }) => [code, file]), [["damaged-record", vectors]]);
});
