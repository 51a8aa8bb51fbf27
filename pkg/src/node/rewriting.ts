// Several files of one folder changed as one step. What they become is written beside them and brought to the disk; then one
// file, the intent, says that it counts. Whoever finds an intent finishes it, so a crash leaves all of the change or none.
//
// Everything here runs with the lock of the folder held, except `isPending`.

import { open, readFile, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import { JournalError } from "../journal.js";
import { codeOf, syncFolder } from "./folders.js";
import { sealed, type Line, type LineFile } from "./lines.js";

/** The form of an intent. Raised whenever an older release would misread it. */
const SCHEMA = 1;
const INTENT = "change.json";
const BESIDE = ".next";
/** Lines that are written with one call. */
const AT_ONCE = 500;

interface Intent {
  credence: "change";
  schema: number;
  /** Names of files whose next form lies beside them. */
  replace: string[];
  /** Names of files that go. */
  remove: string[];
}

/** What a change makes of one file: its new lines, or nothing. */
export interface Changed {
  readonly file: LineFile;
  /** `null`: the file goes. */
  readonly lines: readonly Line[] | null;
}

/** Whether somebody is changing the files of this folder at this moment, or died doing so. */
export async function isPending(folder: string): Promise<boolean> {
  try {
    await stat(join(folder, INTENT));
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return false;
    throw error;
  }
}

/** Finishes the change that an intent speaks of. Can itself be interrupted and begun again. */
export async function finish(folder: string): Promise<void> {
  const path = join(folder, INTENT);
  let text;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  const intent = parsed(path, text);
  for (const name of intent.replace) {
    try {
      await rename(join(folder, name + BESIDE), join(folder, name));
    } catch (error) {
      // It has been put in its place already.
      if (codeOf(error) !== "ENOENT") throw error;
    }
  }
  for (const name of intent.remove) await rm(join(folder, name), { force: true });
  await syncFolder(folder);
  await rm(path, { force: true });
  await syncFolder(folder);
}

function parsed(path: string, text: string): Intent {
  const corrupt = () => new JournalError("store-corrupt", `${path}: this file is damaged; restore the folder from a backup`, { at: path });
  let intent: Intent;
  try {
    intent = JSON.parse(text) as Intent;
  } catch {
    throw corrupt();
  }
  if (typeof intent?.schema === "number" && intent.schema > SCHEMA) {
    const message = `${path} was written by a newer Credence (schema ${intent.schema}, this one reads up to ${SCHEMA}); update to open it`;
    throw new JournalError("store-newer-schema", message, { found: intent.schema, supported: SCHEMA });
  }
  const names = (list: unknown): boolean => Array.isArray(list) && list.every((name) => /^[a-z-]+\.jsonl$/.test(String(name)));
  if (intent?.credence !== "change" || !names(intent.replace) || !names(intent.remove)) throw corrupt();
  return intent;
}

/** Changes files of a folder, all or none. `certain` is asked right before the step that makes it count, and may throw. */
export async function change(folder: string, changes: readonly Changed[], certain: () => Promise<void>): Promise<void> {
  await clear(folder);
  try {
    for (const { file, lines } of changes) {
      if (lines) await stage(file, lines);
    }
    const names = (kept: boolean) => changes.filter(({ lines }) => (lines !== null) === kept).map(({ file }) => file.name);
    const intent: Intent = { credence: "change", schema: SCHEMA, replace: names(true), remove: names(false) };
    await written(join(folder, INTENT + BESIDE), [JSON.stringify(intent)]);
    await syncFolder(folder);
    await certain();
  } catch (error) {
    await clear(folder).catch(() => undefined);
    throw error;
  }
  await rename(join(folder, INTENT + BESIDE), join(folder, INTENT));
  await syncFolder(folder);
  await finish(folder);
}

/** Removes what somebody prepared who died before it counted: it may hold what is being forgotten. */
async function clear(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.endsWith(BESIDE)) await rm(join(folder, name), { force: true });
  }
}

async function stage(file: LineFile, lines: readonly Line[]): Promise<void> {
  const pieces = [file.newHeader()];
  for (let n = 0; n < lines.length; n += AT_ONCE) pieces.push(lines.slice(n, n + AT_ONCE).map(sealed).join(""));
  await written(file.path + BESIDE, pieces);
}

async function written(path: string, pieces: readonly string[]): Promise<void> {
  const handle = await open(path, "w", 0o600);
  try {
    for (const piece of pieces) await handle.writeFile(piece);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
