// The public types in one text, as the build made them. `--write` makes it the golden file that a test compares with.

import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

const root = new URL("../", import.meta.url);
const FACE = ["index", "api", "open", "memory", "options", "journal", "model", "errors", "node/index", "node/file-journal"];

/** The declarations, in the order that a reader wants them. */
export function api() {
  const face = FACE.map((name) => section(`dist/${name}.d.ts`, (text) => text));
  // What follows is about loading the module, and names internals that change from build to build.
  const engine = section("dist/wasm/credence.d.ts", (text) => text.split("\nexport type InitInput")[0]);
  return [...face, engine].join("\n");
}

function section(path, cut) {
  const text = cut(readFileSync(new URL(path, root), "utf8")).trimEnd();
  return `// ---- ${path}\n${text}\n`;
}

if (argv[1] === fileURLToPath(import.meta.url) && argv.includes("--write")) {
  writeFileSync(new URL("api.d.ts", root), api());
}
