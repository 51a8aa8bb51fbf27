// The journal in a folder: its contract, its crashes, its sharing.

import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { openMemory } from "credence";
import { fileJournal } from "credence/node";

import { outputOf, start, temporary } from "./support.mjs";

/** An entry that follows `head` (none for the first). */
function entry(context, seq, head, text = `text ${seq}`) {
  return { context, seq, id: `${context}-${seq}`, parent: head ?? null, json: JSON.stringify({ seq, text }) };
}

async function filled(journal, context, count) {
  let head = null;
  for (let seq = 1; seq <= count; seq += 1) {
    const next = entry(context, seq, head);
    await journal.append(next);
    head = next.id;
  }
  return head;
}

const texts = async (journal, context, after = 0) => (await journal.read(context, after)).map((json) => JSON.parse(json).text);
const quiet = { onWarning() {} };

/** The folder of the only context in `path`. */
function only(path) {
  const names = readdirSync(path);
  assert.equal(names.length, 1, `no lock or scrap is left behind: ${names}`);
  return join(path, names[0]);
}

test("an unknown context is empty, and looking makes no file", async (t) => {
  const path = join(temporary(t), "memories");
  const journal = fileJournal(path);
  assert.deepEqual(await journal.contexts(), []);
  assert.deepEqual(await journal.read("nobody", 0), []);
  assert.deepEqual(await journal.uses("nobody"), []);
  assert.deepEqual(await journal.vectors("nobody", "s"), []);
  assert.deepEqual(await journal.spaces("nobody"), []);
  assert.ok(!existsSync(path));
  await journal.erase("nobody");
});

test("a memory in a folder leaves as a bundle", async (t) => {
  const memory = await openMemory({ context: "ada", journal: fileJournal(temporary(t)) });
  await memory.remember("I live in Lisbon.");
  const [bundled] = JSON.parse(await memory.exportBundle()).contexts;
  assert.equal(bundled.context, "ada");
  assert.equal((await memory.checkHealth()).isSound, true);
});

test("commits come back in order, whole, and from where one asks", async (t) => {
  const journal = fileJournal(temporary(t));
  await filled(journal, "a", 12);
  assert.equal((await texts(journal, "a")).length, 12);
  assert.deepEqual(await texts(journal, "a", 9), ["text 10", "text 11", "text 12"]);
  assert.deepEqual(await texts(journal, "a", 12), []);
  assert.deepEqual(await texts(fileJournal(journal.path), "a", 10), ["text 11", "text 12"], "a fresh look finds the same");
});

test("a commit that does not follow changes nothing", async (t) => {
  const journal = fileJournal(temporary(t));
  const head = await filled(journal, "a", 2);
  const stale = (found) => ({ name: "JournalError", code: "store-stale", found });
  await assert.rejects(journal.append(entry("a", 2, "a-1")), stale(2));
  await assert.rejects(journal.append(entry("a", 7, head)), stale(2));
  await assert.rejects(journal.append(entry("a", 3, "foreign")), stale(2));
  await assert.rejects(journal.append(entry("b", 1, "foreign")), stale(0));
  assert.equal((await texts(journal, "a")).length, 2);
  await journal.append(entry("a", 3, head));
  assert.equal((await texts(journal, "a")).length, 3);
});

test("contexts are kept apart, whatever their names", async (t) => {
  const journal = fileJournal(temporary(t));
  const names = ["a", "ab", "A", "../up", "con", "北京 🌍", "x".repeat(200), 'quote " slash \\'];
  for (const name of names) await filled(journal, name, 1);
  await filled(journal, "b", 3);
  const listed = await fileJournal(journal.path).contexts();
  assert.deepEqual(new Set(listed.map(({ context }) => context)), new Set([...names, "b"]));
  assert.deepEqual(listed.find(({ context }) => context === "b"), { context: "b", seq: 3, head: "b-3" });
  assert.ok(readdirSync(journal.path).every((name) => /^[a-z0-9-]+$/.test(name)));
});

test("use records: the same id twice keeps the last; vectors keep their bits and their space", async (t) => {
  const journal = fileJournal(temporary(t));
  for (const [id, value] of [["u1", 1], ["u2", 2], ["u1", 3]]) await journal.appendUse({ context: "a", id, json: JSON.stringify({ value }) });
  assert.deepEqual((await journal.uses("a")).map((json) => JSON.parse(json).value).sort(), [2, 3]);
  const vector = (text, x) => ({ text, vector: new Float32Array([x, -0.1, 1.17549435e-38]) });
  await journal.saveVectors("a", "one", [vector("x", 0.3), vector("y", 0.4)]);
  await journal.saveVectors("a", "two", [vector("x", 0.5)]);
  await journal.saveVectors("a", "one", [vector("y", 0.6)]);
  assert.deepEqual(await fileJournal(journal.path).vectors("a", "one"), [vector("x", 0.3), vector("y", 0.6)]);
  assert.deepEqual(await fileJournal(journal.path).spaces("a"), ["one", "two"]);
});

test("erasing takes one context and all of it, and the name can be used again", async (t) => {
  const journal = fileJournal(temporary(t));
  const other = fileJournal(journal.path);
  await filled(journal, "a", 3);
  await filled(journal, "b", 1);
  await journal.appendUse({ context: "a", id: "u", json: "{}" });
  await journal.saveVectors("a", "s", [{ text: "x", vector: new Float32Array([1]) }]);
  assert.equal((await texts(other, "a")).length, 3);
  await journal.erase("a");
  for (const each of [journal, other]) {
    assert.deepEqual([await each.read("a", 0), await each.uses("a"), await each.vectors("a", "s")], [[], [], []]);
    assert.equal((await texts(each, "b")).length, 1);
  }
  await filled(journal, "a", 1);
  assert.deepEqual(await texts(other, "a"), ["text 1"], "another program notices that the file is a new one");
  assert.equal(readdirSync(journal.path).length, 2, "nothing of it is left");
});

test("every text survives", async (t) => {
  const journal = fileJournal(temporary(t));
  const nasty = ["北京🌍 \u202ertl", 'quote " slash \\ tab \t line\nfeed', ',"value":{"sum":1}}', "\ufffd\u0001\u2028", "長い ".repeat(100_000)];
  let head = null;
  for (const [n, text] of nasty.entries()) {
    const next = entry("texts", n + 1, head, text);
    await journal.append(next);
    head = next.id;
  }
  assert.deepEqual(await texts(fileJournal(journal.path), "texts"), nasty);
});

test("a torn last line is told, cut off, and does not stop anybody", async (t) => {
  for (const cut of [1, 5, 60]) {
    const path = temporary(t);
    const told = [];
    await filled(fileJournal(path), "a", 3);
    const file = join(only(path), "commits.jsonl");
    truncateSync(file, statSync(file).size - cut);
    const journal = fileJournal(path, { onWarning: (warning) => told.push(warning) });
    assert.deepEqual(await texts(journal, "a"), ["text 1", "text 2"]);
    assert.equal(told.length, 1);
    assert.deepEqual([told[0].code, told[0].file, told[0].context], ["torn-write", file, "a"]);
    assert.ok(told[0].bytes > 0);
    assert.deepEqual(journal.warnings, told);
    await journal.append(entry("a", 3, "a-2", "again"));
    assert.deepEqual(await texts(fileJournal(path), "a"), ["text 1", "text 2", "again"]);
  }
});

test("a writer that finds a torn line goes on behind the last sound one", async (t) => {
  const path = temporary(t);
  const journal = fileJournal(path, quiet);
  const head = await filled(journal, "a", 2);
  appendFileSync(join(only(path), "commits.jsonl"), '{"sum":"0123');
  await journal.append(entry("a", 3, head));
  assert.equal(journal.warnings.length, 1);
  assert.equal((await texts(fileJournal(path), "a")).length, 3);
});

test("a file torn in its very first line is begun anew", async (t) => {
  const path = temporary(t);
  await filled(fileJournal(path), "a", 1);
  truncateSync(join(only(path), "commits.jsonl"), 20);
  const journal = fileJournal(path, quiet);
  assert.deepEqual(await journal.read("a", 0), []);
  await filled(journal, "a", 2);
  assert.equal((await texts(fileJournal(path), "a")).length, 2);
});

test("a file that is not this context's, or newer, is told and not touched", async (t) => {
  const path = temporary(t);
  await filled(fileJournal(path), "a", 3);
  const file = join(only(path), "commits.jsonl");
  const sound = readFileSync(file, "utf8");
  const corrupt = async (text, words) => {
    writeFileSync(file, text);
    await assert.rejects(fileJournal(path).read("a", 0), (error) => {
      assert.equal(error.code, "store-corrupt");
      assert.match(error.message, words);
      assert.ok(error.message.includes(file));
      return true;
    });
  };
  const elsewhere = temporary(t);
  await filled(fileJournal(elsewhere), "b", 3);
  await corrupt(readFileSync(join(only(elsewhere), "commits.jsonl"), "utf8"), /not the commits file of context "a" but the commits file of "b"/);
  await fileJournal(elsewhere).appendUse({ context: "b", id: "u", json: "{}" });
  await corrupt(readFileSync(join(only(elsewhere), "uses.jsonl"), "utf8"), /not the commits file .* but the uses file/);
  await corrupt(`${sound.slice(0, 50)}\n`, /first line is damaged, and no record .* backup/);
  await corrupt("x".repeat(5000), /first line is damaged, and no record .* backup/);
  await filled(fileJournal(path), "c", 1);
  assert.deepEqual((await fileJournal(path).contexts()).map(({ context }) => context), ["c"], "the others are listed all the same");
  // However it is damaged beside: what a newer release wrote is not repaired by an older one.
  const newer = sound.replace('"schema":1', '"schema":2');
  for (const text of [newer.slice(9), newer.replace('"commits"', '"com'), `\0${newer}`, newer.replace("\n", "#"), newer]) {
    writeFileSync(file, text);
    await assert.rejects(fileJournal(path).read("a", 0), { code: "store-newer-schema", found: 2, supported: 1 });
    assert.equal(readFileSync(file, "utf8"), text);
  }
  await assert.rejects(openMemory({ context: "a", journal: fileJournal(path), embedding: false }), {
    name: "CredenceError",
    code: "store-newer-schema",
  });
});

test("a folder that may not be used is told", { skip: process.platform === "win32" }, async (t) => {
  const path = join(temporary(t), "a file");
  writeFileSync(path, "");
  const memory = openMemory({ journal: fileJournal(join(path, "below")), embedding: false }).then((opened) => opened.remember("I like tea."));
  await assert.rejects(memory, { name: "CredenceError", code: "store-failed" });
});

test("a memory is found again by a second process", async (t) => {
  const path = temporary(t);
  const first = JSON.parse(await outputOf(start("reader.mjs", path, "I am allergic to peanuts.")));
  const second = JSON.parse(await outputOf(start("reader.mjs", path, "I own a red bicycle.")));
  const third = JSON.parse(await outputOf(start("reader.mjs", path)));
  assert.equal(new Set([first.pid, second.pid, third.pid]).size, 3);
  assert.deepEqual([first.found.length, second.found.length, third.found.length], [0, 1, 2]);
  assert.match(third.found[0], /peanuts/);
});

test("a program that runs sees what another one writes", async (t) => {
  const path = temporary(t);
  const memory = await openMemory({ context: "shared", journal: fileJournal(path), embedding: false });
  await memory.remember("I like green tea.");
  await outputOf(start("reader.mjs", path, "I own a red bicycle."));
  assert.equal((await memory.propositions()).length, 2);
});

test("several processes that write at once lose nothing and keep one order", async (t) => {
  const path = temporary(t);
  const outputs = await Promise.all(["p", "q", "r"].map((writer) => outputOf(start("appender.mjs", path, writer, "40", "10"))));
  const acknowledged = outputs.flatMap((text) => text.trim().split("\n"));
  assert.equal(acknowledged.length, 120);
  const stored = (await fileJournal(path).read("crash", 0)).map((json, n) => `${JSON.parse(json).id} ${n + 1}`);
  assert.deepEqual(new Set(stored), new Set(acknowledged));
});

test("kill -9 during appends: no acknowledged commit is lost and none is torn", async (t) => {
  const path = temporary(t);
  const acknowledged = [];
  let cuts = 0;
  for (let round = 0; round < 12; round += 1) {
    const children = ["p", "q"].map((writer) => start("appender.mjs", path, `${writer}${round}`, "1000000", "200000"));
    const ended = children.map((child) => new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal))));
    const said = children.map((child) => outputOf(child));
    await Promise.all(children.map((child) => new Promise((resolve) => child.stdout.once("data", resolve))));
    await new Promise((resolve) => setTimeout(resolve, 20 + ((round * 37) % 60)));
    for (const child of children) child.kill("SIGKILL");
    assert.deepEqual(await Promise.all(ended), ["SIGKILL", "SIGKILL"]);
    const lines = (await Promise.all(said)).flatMap((text) => text.trim().split("\n"));
    cuts += lines.filter((line) => line.startsWith("warning")).length;
    acknowledged.push(...lines.filter((line) => !line.startsWith("warning")));
  }
  const journal = fileJournal(path, quiet);
  const stored = (await journal.read("crash", 0)).map((json, n) => [JSON.parse(json), n + 1]);
  const present = new Set(stored.map(([commit, seq]) => `${commit.id} ${seq}`));
  const lost = acknowledged.filter((line) => !present.has(line));
  assert.deepEqual(lost, []);
  assert.ok(acknowledged.length > 24, `${acknowledged.length}`);
  const torn = stored.filter(([commit]) => !/^x{200000,205000}$/.test(commit.text));
  assert.deepEqual(torn, []);
  t.diagnostic(
    `${acknowledged.length} acknowledged, ${stored.length} stored, 0 lost, 0 torn; ${cuts + journal.warnings.length} unfinished writes cut off in 24 kills`,
  );
});

test("a lock whose owner is dead is taken over, once; a living owner is waited for", async (t) => {
  const path = temporary(t);
  const journal = fileJournal(path, quiet);
  const head = await filled(journal, "a", 1);
  const lock = `${only(path)}.lock`;
  const dead = start("reader.mjs", path);
  await outputOf(dead);
  const owner = (pid, extra) => JSON.stringify({ nonce: "aa11", pid, host: hostname(), start: "", ...extra });
  writeFileSync(lock, owner(dead.pid));
  // Whoever was taking it over died as well.
  writeFileSync(`${lock}.aa11`, owner(dead.pid, { nonce: "bb22" }));
  const rivals = [journal, fileJournal(path), fileJournal(path)];
  const outcomes = await Promise.allSettled(rivals.map((each) => each.append(entry("a", 2, head))));
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected", "rejected"]);
  assert.equal((await texts(journal, "a")).length, 2);
  only(path);

  // The number lives, but it is another process by now.
  if (process.platform === "linux") {
    writeFileSync(lock, owner(process.pid, { nonce: "cc33", start: "1" }));
    await journal.append(entry("a", 3, "a-2"));
  }

  writeFileSync(lock, owner(process.ppid, { nonce: "dd44" }));
  let done = false;
  const waiting = journal.appendUse({ context: "a", id: "u", json: "{}" }).then(() => (done = true));
  await new Promise((resolve) => setTimeout(resolve, 150));
  assert.equal(done, false, "a lock that is held is respected");
  const { rmSync } = await import("node:fs");
  rmSync(lock);
  await waiting;
  only(path);
});

test("an erasure that a crash interrupted is finished by the next opening", async (t) => {
  const path = temporary(t);
  await filled(fileJournal(path), "a", 1);
  mkdirSync(join(path, ".erased-1234"));
  writeFileSync(join(path, ".erased-1234", "commits.jsonl"), "secret");
  await fileJournal(path).contexts();
  only(path);
});
