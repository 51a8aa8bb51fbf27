// What several files here need of folders: making them durable, and what is in them.

import { mkdir, open, readdir } from "node:fs/promises";
import { dirname } from "node:path";

/** The system's word for what went wrong. */
export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code;

/** What is in a folder; nothing where there is none. */
export async function entries(path: string): Promise<import("node:fs").Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** Makes a folder and what lacks above it, durably. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let at = path; at.length >= first.length; at = dirname(at)) await syncFolder(dirname(at));
}

/** Brings the names in a folder to the disk. */
export async function syncFolder(path: string): Promise<void> {
  // Windows keeps its directories durable by itself and refuses to open one.
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
