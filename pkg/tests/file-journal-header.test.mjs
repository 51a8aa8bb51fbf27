// The journal in a folder where the first line of a file is damaged: the records open all the same, and a repair writes the line anew.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { openMemory } from "credence";
import { fileJournal } from "credence/node";

import { temporary } from "./support.mjs";

const entry = (seq, text = `text ${seq}`) => ({
  context: "a", seq, id: `a-${seq}`, parent: seq > 1 ? `a-${seq - 1}` : null, json: JSON.stringify({ seq, text }),
});
const vector = (text) => ({ text, vector: new Float32Array([0.6, 0.8]) });
const texts = async (journal) => (await journal.read("a", 0)).map((json) => JSON.parse(json).text);
const nothing = { commits: [], uses: [], droppedUses: [], droppedVectors: [], dropsSetAside: false };
const NEWLINE = 0x0a;

/** A journal that keeps what it noticed to itself. */
function quiet(path) {
  return fileJournal(path, { onWarning() {} });
}

const folder = (path) => join(path, readdirSync(path).find((name) => !name.endsWith(".lock")));
const file = (path, kind) => join(folder(path), `${kind}.jsonl`);

async function prepared(t) {
  const path = temporary(t);
  const journal = quiet(path);
  for (const seq of [1, 2, 3]) await journal.append(entry(seq));
  for (const id of ["u1", "u2"]) await journal.appendUse({ context: "a", id, json: JSON.stringify({ id }) });
  await journal.saveVectors("a", "s", [vector("one"), vector("two")]);
  return { path, journal };
}

/** Everything that a fresh program reads. */
async function all(path) {
  const journal = quiet(path);
  const [read, uses, vectors] = [await texts(journal), await journal.uses("a"), await journal.vectors("a", "s")];
  const contexts = await journal.contexts();
  return { read, uses, vectors, contexts };
}

/** What a header can become. */
function damages(sound) {
  const end = sound.indexOf(NEWLINE);
  const [header, rest] = [sound.subarray(0, end), sound.subarray(end)];
  const joined = (...parts) => Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
  return {
    "its end is gone": joined(header.subarray(0, 30), rest),
    "its beginning is gone": joined(header.subarray(30), rest),
    "it is zeroed": joined(Buffer.alloc(end), rest),
    "it is zeroed with its line break": joined(Buffer.alloc(end + 1), rest.subarray(1)),
    "its line break is gone": joined(header, rest.subarray(1)),
    "it is empty": rest,
    "it is not there": rest.subarray(1),
    "it is no text": joined(Buffer.alloc(end, 0xff), rest),
    "it is longer than any header": joined("x".repeat(9000), rest),
    "its sum is wrong": joined(header.toString().replace(/"sum":"./, '"sum":"x'), rest),
    "it names another context": joined(header.toString().replace('"context":"a"', '"context":"b"'), rest),
    "it says that it is something else": joined(header.toString().replace(/"credence":"\w+"/, '"credence":"aside"'), rest),
  };
}

test("whichever byte of a header is flipped, every record is read and the damage is told", async (t) => {
  const { path } = await prepared(t);
  const commits = file(path, "commits");
  const sound = readFileSync(commits);
  const before = await all(path);
  const end = sound.indexOf(NEWLINE);
  assert.ok(end > 100);
  for (let at = 0; at <= end; at += 1) {
    const hurt = Buffer.from(sound);
    hurt[at] ^= 1;
    writeFileSync(commits, hurt);
    const journal = quiet(path);
    assert.deepEqual(await texts(journal), before.read, `byte ${at}`);
    assert.deepEqual(journal.warnings.map(({ code, file, bytes }) => [code, file, bytes]), [["damaged-record", commits, 0]], `byte ${at}`);
    assert.deepEqual(await journal.contexts(), before.contexts, `byte ${at}`);
    assert.deepEqual(readFileSync(commits), hurt, "reading changes nothing");
  }
});

test("any file's header can be damaged in any way; a repair writes it anew and keeps what stood there", async (t) => {
  for (const kind of ["commits", "uses", "vectors"]) {
    const model = readFileSync(file((await prepared(t)).path, kind));
    for (const how of Object.keys(damages(model))) {
      const why = `${kind}: ${how}`;
      const { path, journal } = await prepared(t);
      const damaged = file(path, kind);
      const sound = readFileSync(damaged);
      const header = sound.subarray(0, sound.indexOf(NEWLINE)).toString();
      const before = await all(path);
      writeFileSync(damaged, damages(sound)[how]);
      const reader = quiet(path);
      assert.deepEqual(await texts(reader), before.read, why);
      assert.deepEqual([await reader.uses("a"), await reader.vectors("a", "s")], [before.uses, before.vectors], why);
      assert.deepEqual(await reader.contexts(), before.contexts, why);
      const told = reader.warnings.filter(({ code }) => code === "damaged-record").map(({ file, message }) => [file, /byte 0.*first line.*repair/.test(message)]);
      assert.deepEqual(told, [[damaged, true]], why);

      await reader.append(entry(4));
      const found = await reader.damages("a");
      assert.deepEqual(found.map(({ store, key }) => [store, key]), [[kind, "header"]], why);
      await reader.repair({ appended: entry(5), damages: found, standIns: [] });
      assert.deepEqual(await reader.damages("a"), [], why);
      assert.deepEqual(await reader.setAside("a"), found, why);
      const [{ raw }] = found;
      if (how === "its end is gone") assert.equal(raw, header.slice(0, 30));
      else if (how === "it is no text") assert.deepEqual(Buffer.from(raw, "base64"), Buffer.alloc(header.length, 0xff));
      else if (how === "it is not there" || how === "it is empty") assert.equal(raw, null);
      else if (how === "its line break is gone") assert.equal(raw, header);
      assert.equal(JSON.parse(readFileSync(damaged, "utf8").split("\n", 1)[0]).credence, kind);
      for (const each of [quiet(path), journal]) {
        const was = each.warnings.length;
        assert.deepEqual(await texts(each), [...before.read, "text 4", "text 5"], `${why}: a program that was running sees the file that is there now`);
        assert.deepEqual([await each.uses("a"), await each.vectors("a", "s")], [before.uses, before.vectors], why);
        assert.equal(each.warnings.length, was, why);
      }
    }
  }
});

test("a header that a line break cut in two, and a line that is no commit, are set aside, not dropped", async (t) => {
  const { path } = await prepared(t);
  const commits = file(path, "commits");
  const sound = readFileSync(commits, "utf8");
  writeFileSync(commits, `${sound.slice(0, 40)}\n${sound.slice(41)}`);
  const journal = quiet(path);
  assert.deepEqual(await texts(journal), ["text 1", "text 2", "text 3"]);
  let found = await journal.damages("a");
  assert.deepEqual(found.map(({ key, raw }) => [key, raw]), [
    ["header", sound.slice(0, 40)],
    ["after 0", sound.slice(41, sound.indexOf("\n"))],
  ]);
  await journal.repair({ appended: entry(4), damages: found, standIns: [] });
  assert.deepEqual(await journal.setAside("a"), [found[1], found[0]]);

  const lines = readFileSync(commits, "utf8").split("\n");
  writeFileSync(commits, [...lines.slice(0, 3), "what is this", ...lines.slice(3)].join("\n"));
  assert.deepEqual(await texts(journal), ["text 1", "text 2", "text 3", "text 4"]);
  found = await journal.damages("a");
  assert.deepEqual(found.map(({ store, key, raw }) => [store, key, raw]), [["commits", "after 2", "what is this"]]);
  await journal.repair({ appended: entry(5), damages: found, standIns: [] });
  assert.deepEqual((await journal.setAside("a")).at(-1), found[0]);
  assert.deepEqual([await journal.damages("a"), (await texts(quiet(path))).length], [[], 5]);
});

test("a header that took the first commit with it leaves the others where they were", async (t) => {
  const { path } = await prepared(t);
  const commits = file(path, "commits");
  const sound = readFileSync(commits);
  writeFileSync(commits, sound.subarray(sound.indexOf(NEWLINE) + 20));
  const journal = quiet(path);
  assert.deepEqual(await texts(journal), ["text 2", "text 3"]);
  assert.deepEqual((await journal.read("a", 2)).map((json) => JSON.parse(json).seq), [3]);
  assert.deepEqual(await journal.contexts(), [{ context: "a", seq: 3, head: "a-3" }]);
});

test("old history is dropped beside a damaged header, which is kept; forgetting for ever takes it too", async (t) => {
  const { path, journal } = await prepared(t);
  for (const kind of ["commits", "uses", "vectors"]) {
    const sound = readFileSync(file(path, kind), "utf8");
    writeFileSync(file(path, kind), `secret ${kind}${sound.slice(20)}`);
  }
  await journal.rewrite({ ...nothing, appended: entry(4), commits: [entry(1, "cut")] });
  assert.deepEqual((await journal.setAside("a")).map(({ store, key, raw }) => [store, key, raw.slice(0, 14)]), [["commits", "header", "secret commits"]]);
  assert.deepEqual((await journal.damages("a")).map(({ store }) => store), ["uses", "vectors"], "what was not written anew stays as it was");

  const commits = readFileSync(file(path, "commits"), "utf8");
  writeFileSync(file(path, "commits"), `secret\nand secret too${commits.slice(20)}`);
  await journal.rewrite({ ...nothing, appended: entry(5), dropsSetAside: true });
  assert.deepEqual([await journal.setAside("a"), await journal.damages("a")], [[], []]);
  for (const name of readdirSync(folder(path))) assert.doesNotMatch(readFileSync(join(folder(path), name), "utf8"), /secret/, name);
  const { read, uses, vectors } = await all(path);
  assert.deepEqual([read, uses.length, vectors.length], [["cut", "text 2", "text 3", "text 4", "text 5"], 2, 2]);
});

test("what was set aside can be read and added to where its own file's header is damaged", async (t) => {
  const { path, journal } = await prepared(t);
  const hurt = (kind) => writeFileSync(file(path, kind), readFileSync(file(path, kind), "utf8").slice(9));
  hurt("commits");
  const [first] = await journal.damages("a");
  await journal.repair({ appended: entry(4), damages: [first], standIns: [] });
  hurt("aside");
  const [second] = await journal.damages("a");
  assert.deepEqual([second.store, second.key], ["aside", "header"]);
  assert.deepEqual(await journal.setAside("a"), [first]);
  await journal.repair({ appended: entry(5), damages: [second], standIns: [] });
  assert.deepEqual([await journal.setAside("a"), await journal.damages("a")], [[first, second], []]);
});

test("a file from before headers were sealed is sound", async (t) => {
  const { path } = await prepared(t);
  for (const kind of ["commits", "uses", "vectors"]) {
    const sound = readFileSync(file(path, kind), "utf8");
    writeFileSync(file(path, kind), sound.replace(/^\{"sum":"[0-9a-f]{16}",/, "{"));
  }
  const journal = quiet(path);
  assert.deepEqual(await texts(journal), ["text 1", "text 2", "text 3"]);
  assert.deepEqual([(await journal.uses("a")).length, (await journal.vectors("a", "s")).length, await journal.contexts()], [
    2, 2, [{ context: "a", seq: 3, head: "a-3" }],
  ]);
  assert.deepEqual([journal.warnings, await journal.damages("a")], [[], []]);
});

test("a memory whose file has no readable first line opens, says so, and is repaired", async (t) => {
  const path = temporary(t);
  const first = await openMemory({ context: "ada", journal: quiet(path), embedding: false });
  for (const text of ["I live in Lisbon.", "I like green tea."]) await first.remember(text);
  await first.search("tea");
  for (const kind of ["commits", "uses"]) {
    const sound = readFileSync(file(path, kind));
    writeFileSync(file(path, kind), Buffer.concat([Buffer.alloc(60), sound.subarray(60)]));
    const memory = await openMemory({ context: "ada", journal: quiet(path), embedding: false });
    assert.deepEqual((await memory.contexts()).map(({ context }) => context), ["ada"], kind);
    assert.equal((await memory.propositions()).length, 2, kind);
    const report = await memory.checkHealth();
    assert.deepEqual(report.damages.map(({ store, key }) => [store, key]), [[kind, "header"]]);
    assert.deepEqual(report.findings.map(({ remedy }) => remedy), ["set-aside"], kind);
    assert.equal((await memory.repair()).setAside, 1, kind);
    assert.equal((await memory.checkHealth()).isSound, true, kind);
    assert.match((await quiet(path).setAside("ada")).at(-1).raw, /^\0{60}/);
    assert.equal(JSON.parse(readFileSync(file(path, kind), "utf8").split("\n", 1)[0]).context, "ada");
  }
  const after = await openMemory({ context: "ada", journal: quiet(path), embedding: false });
  assert.equal((await after.search("tea")).hits.length > 0, true);
});

test("what is forgotten for ever takes rows with it that cannot be read, and says so before", async (t) => {
  const path = temporary(t);
  const opened = () => openMemory({ journal: quiet(path), context: "a", embedding: false });
  const before = await opened();
  const ids = [];
  for (const text of ["I live in Xanthippeville.", "I own a red kayak.", "I play chess."]) {
    ids.push((await before.remember(text)).propositions[0].id);
  }
  before.close();
  const commits = file(path, "commits");
  // The commit that remembers the town can no longer be read, and still says its name.
  const lines = readFileSync(commits, "utf8").split("\n");
  const at = lines.findIndex((line) => line.includes("Xanthippeville"));
  lines[at] = lines[at].replace('"schema"', '"schemA"');
  writeFileSync(commits, lines.join("\n"));
  const stored = () => readdirSync(folder(path)).map((name) => readFileSync(join(folder(path), name), "utf8")).join("");
  const memory = await opened();
  t.after(() => memory.close());
  const target = { kind: "proposition", id: ids[1] };
  const { notes } = await memory.previewErasure(target);
  assert.match(notes.join(" "), /1 stored row cannot be read.* goes too/);
  // What was said stands in that commit alone; the report of the promotion, which can be read, has the statement in its own words.
  assert.ok(stored().includes("I live in Xanthippeville"), "a look changes nothing");
  await memory.eraseTarget(target);
  for (const word of ["I live in Xanthippeville", "kayak"]) assert.ok(!stored().includes(word), word);
  assert.ok(stored().includes("chess"));
  assert.equal((await memory.propositions()).length, 1);
});
