// The package as a user gets it: packed, installed into an empty project, and used by the README's own examples.

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { everySetting } from "./every-setting.mjs";
import { examples, installed, root, runNode, withCompiler } from "./support.mjs";

test("the README's examples run in Node against the packed package", async (t) => {
  const project = installed(t);
  const [file, trace, talk, past, forgetting, carrying, people, document, upkeep, working] = examples("js").filter((code) => code.includes("openMemory"));

  await t.test("eight lines with a file journal", () => {
    assert.ok(file.trim().split("\n").length <= 8, "the first example is to stay eight lines");
    const first = runNode(project, "file.mjs", file);
    assert.equal(first.status, 0, first.stderr);
    assert.match(first.stdout, /allergic to peanuts/);
    const again = runNode(project, "file.mjs", file);
    assert.match(again.stdout, /allergic to peanuts/, "a second run finds the memory of the first");
  });
  await t.test("correct, trace and undo", () => {
    const { status, stdout, stderr } = runNode(project, "trace.mjs", trace);
    assert.equal(status, 0, stderr);
    const lines = stdout.trim().split("\n");
    assert.equal(lines.length, 3, stdout);
    assert.match(lines[0], /^4 host undid commit 3 .*Lisbon/);
    assert.match(lines[1], /^3 person edited by a person .*Porto/);
    assert.match(lines[2], /^1 person .*Lisbon/);
  });
  await t.test("a conversation", () => {
    const { status, stdout, stderr } = runNode(project, "talk.mjs", talk);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /nurse/);
    assert.match(stdout, /complete \[/);
  });
  await t.test("questions to the past", () => {
    const { status, stdout, stderr } = runNode(project, "past.mjs", past);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^P[0-9a-f]{32} added /m);
    assert.match(stdout, /Lisbon.*\[.*'SUPERSEDED'/s);
  });
  await t.test("forgetting", () => {
    const { status, stdout, stderr } = runNode(project, "forgetting.mjs", forgetting);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^\[ .*Lisbon.*\] 0$/m);
    assert.match(stdout, /erased; [1-9]\d* tombstones keep it away/);
  });
  await t.test("in and out", () => {
    const { status, stdout, stderr } = runNode(project, "carrying.mjs", carrying);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /\[ \[ 'default', 'same', 'merge' \] \]/);
    assert.match(stdout, /list 2/);
    assert.match(stdout, /dog/);
  });
  await t.test("people and things", () => {
    const { status, stdout, stderr } = runNode(project, "people.mjs", people);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /Nora Lind.*Eleonora/s);
    assert.match(stdout, /Lisbon/);
    assert.match(stdout, /nurse/);
  });
  await t.test("a document", () => {
    const { status, stdout, stderr } = runNode(project, "document.mjs", document);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /at most 0 calls/, "built-in rules cost nothing");
    assert.match(stdout, /Lisbon/);
  });
  await t.test("questions and upkeep", () => {
    const { status, stdout, stderr } = runNode(project, "upkeep.mjs", upkeep);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /Lisbon.* Shall it\? counted as one more source/);
    assert.match(stdout, /decay-sweep 0 null/);
    assert.match(stdout, /2\n$/);
  });
  await t.test("the working set", () => {
    const { status, stdout, stderr } = runNode(project, "working.mjs", working);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /peanuts.* (PROVISIONAL|UNRELIABLE|RELIABLE) (COLD|WARM|HOT) \d+ \[.*'confirmation'/);
  });
});

test("a TypeScript program of the README's examples compiles", (t) => {
  const project = installed(t);
  const compile = withCompiler(project);
  const codes = examples("js").filter((code) => code.includes("openMemory"));
  codes.forEach((code, n) => writeFileSync(join(project, `example${n}.mts`), code));
  writeFileSync(
    join(project, "settings.mts"),
    'import type { MemorySettings } from "credence";\n' +
      `export const settings: MemorySettings = ${JSON.stringify(everySetting)};\n`,
  );
  const check = (extra) =>
    compile({
      compilerOptions: { strict: true, noEmit: true, target: "es2022", types: ["node"], ...extra },
      include: ["*.mts"],
    });
  for (const options of [
    { module: "nodenext", moduleResolution: "nodenext", exactOptionalPropertyTypes: true },
    { module: "esnext", moduleResolution: "bundler", lib: ["es2022", "dom"] },
  ]) {
    const { status, stdout } = check(options);
    assert.equal(status, 0, stdout);
  }
  writeFileSync(
    join(project, "page.ts"),
    'import { openMemory } from "credence";\n' +
      'using memory = await openMemory({ context: "ada", endpoint: { preset: "ollama", models: { chat: "m" } } });\n' +
      'memory.subscribe((event) => event.type === "committed" && event.remote);\n',
  );
  const page = compile({
    compilerOptions: { strict: true, noEmit: true, target: "es2022", lib: ["es2022", "dom"], types: [], module: "esnext", moduleResolution: "bundler" },
    include: ["page.ts"],
  });
  assert.equal(page.status, 0, `a page's project has no types of Node:\n${page.stdout}`);
  writeFileSync(
    join(project, "wrong.mts"),
    'import { openMemory, type ErrorCode } from "credence";\n' +
      'const memory = await openMemory({ journl: 1 });\n' +
      'await memory.search("x", { limit: "ten" });\n' +
      'export const code: ErrorCode = "no-such-code";\n',
  );
  const { stdout } = check({ module: "nodenext", moduleResolution: "nodenext" });
  const errors = stdout.split("\n").filter((line) => line.includes("error TS"));
  assert.equal(errors.length, 3, `a typo, a wrong type and an unknown code are errors:\n${stdout}`);
});

test("the tarball holds what it needs and nothing else", (t) => {
  const project = installed(t);
  const folder = join(project, "node_modules/credence");
  for (const name of [
    "LICENSE",
    "README.md",
    "dist/index.js",
    "dist/index.d.ts",
    "dist/wasm/credence_bg.wasm",
    "dist/embedding/credence-en-128.sem1",
    "dist/embedding/LICENSE-all-MiniLM-L6-v2",
    "dist/embedding/NOTICE-all-MiniLM-L6-v2",
  ]) {
    assert.ok(existsSync(join(folder, name)), `${name} is missing`);
  }
  for (const name of ["src", "tests", "scripts", "tsconfig.json", "node_modules"]) {
    assert.ok(!existsSync(join(folder, name)), `${name} does not belong there`);
  }
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  assert.equal(manifest.dependencies, undefined, "nothing is installed along with it");
  assert.equal(readFileSync(join(root, "LICENSE"), "utf8"), readFileSync(join(root, "../LICENSE"), "utf8"));
});
