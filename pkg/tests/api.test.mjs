// The public types, as a golden file, and the error codes wherever they are listed.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { api } from "../scripts/api.mjs";
import { root } from "./support.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");

test("the public types are those of api.d.ts", () => {
  assert.equal(api(), read("api.d.ts"), "look at the difference; if it is meant, `npm run api` takes it over");
});

/** The codes that TypeScript knows. */
function union() {
  const text = read("dist/wasm/credence.d.ts");
  const start = text.indexOf("export type ErrorCode =");
  return new Set([...text.slice(start, text.indexOf(";", text.indexOf('"model-failed"', start))).matchAll(/\| "([a-z-]+)"/g)].map((m) => m[1]));
}

test("every code of the engine is in the union, and every code of the union in the README", () => {
  const codes = union();
  assert.ok(codes.size > 30);
  const engine = ["error.rs", "llm/mod.rs", "history/journal.rs"].flatMap((file) => {
    const text = read(`../crates/credence/src/${file}`);
    const start = text.indexOf("pub fn code(&self)");
    assert.ok(start > 0, `${file} has no code()`);
    return [...text.slice(start, text.indexOf("\n    }\n", start)).matchAll(/=> "([a-z-]+)"/g)].map((m) => m[1]);
  });
  assert.ok(engine.length > 25);
  for (const code of engine) assert.ok(codes.has(code), `${code} is not in ErrorCode`);
  const readme = read("README.md");
  for (const code of codes) assert.ok(readme.includes(`\`${code}\``), `${code} is not in the README`);
});
