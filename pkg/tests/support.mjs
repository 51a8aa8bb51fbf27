// What the tests share: the package as a user installs it, the README's examples, programs run apart.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** A folder that is gone after the test. */
export function temporary(t, name = "credence-") {
  const folder = mkdtempSync(join(tmpdir(), name));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Packs the package and installs the tarball into a fresh project, offline: it has no dependencies. Returns the folder. */
export function installed(t) {
  const folder = temporary(t, "credence-consumer-");
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], { cwd: root });
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  const tarball = join(folder, `credence-${version}.tgz`);
  execFileSync("npm", ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", tarball], {
    cwd: project,
  });
  return project;
}

/** The README's code blocks of one language, in order. */
export function examples(language) {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const blocks = readme.matchAll(new RegExp("^```" + language + "\\n(.*?)^```$", "gms"));
  return [...blocks].map(([, code]) => code);
}

/** Runs a module in a folder to its end. */
export function runNode(folder, name, code) {
  writeFileSync(join(folder, name), code);
  const { status, stdout, stderr } = spawnSync(process.execPath, [name], { cwd: folder, encoding: "utf8" });
  return { status, stdout, stderr };
}

/** Starts a module of this package's tests as a process of its own. */
export function start(script, ...args) {
  return spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** The whole output of a process, once it has ended by itself. */
export async function outputOf(child) {
  let text = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) text += chunk;
  return text;
}

/** Gives a project the compiler and Node's types of this package. */
export function withCompiler(project) {
  const types = join(project, "node_modules", "@types");
  mkdirSync(types, { recursive: true });
  cpSync(join(root, "node_modules/@types/node"), join(types, "node"), { recursive: true });
  cpSync(join(root, "node_modules/undici-types"), join(project, "node_modules/undici-types"), { recursive: true });
  return (config) => {
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
    return spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--noEmit"], {
      cwd: project,
      encoding: "utf8",
    });
  };
}
