// Builds `dist`: the TypeScript face beside the engine that `cargo xtask pkg` has put into `dist/wasm`, the embedding model,
// and its licence. Prints what the package weighs.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const engine = `${root}dist/wasm/credence_bg.wasm`;
if (!existsSync(engine)) {
  console.error("dist/wasm has no engine; `cargo xtask pkg` builds it, and then runs this script");
  process.exit(1);
}
for (const name of readdirSync(`${root}dist`)) {
  if (name !== "wasm") rmSync(`${root}dist/${name}`, { recursive: true });
}
try {
  execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "--project", `${root}tsconfig.json`], {
    stdio: "inherit",
  });
} catch {
  process.exit(1);
}
cpSync(`${root}../web/assets/embedding`, `${root}dist/embedding`, { recursive: true });

// Through the shell, because npm is a script of another kind on Windows.
const packed = execFileSync("npm pack --dry-run --json --ignore-scripts", { cwd: root, shell: true, encoding: "utf8" });
const parsed = JSON.parse(packed);
const { size, unpackedSize, files } = Array.isArray(parsed) ? parsed[0] : Object.values(parsed)[0];
const kb = (bytes) => `${Math.ceil(bytes / 1000)} KB`;
console.log(`credence package: ${files.length} files, ${kb(size)} packed, ${kb(unpackedSize)} unpacked`);
for (const { path, size: bytes } of files.sort((a, b) => b.size - a.size).slice(0, 3)) console.log(`  ${path}: ${kb(bytes)}`);
