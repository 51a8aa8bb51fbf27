// In a page or worker: files come by fetch from beside this module, and memories go into IndexedDB.

import { CredenceError } from "./errors.js";
import { indexedDb } from "./journal.js";
import type { Platform } from "./platform.js";

export const web: Platform = {
  async engine() {
    return new URL("./wasm/credence_bg.wasm", import.meta.url);
  },
  async bytes(url) {
    let answer;
    try {
      answer = await fetch(url);
    } catch (cause) {
      throw new CredenceError("embedding-failed", `${url} cannot be loaded; serve the package's files from there`, { cause });
    }
    if (!answer.ok) {
      throw new CredenceError("embedding-failed", `${url} answers ${answer.status}; serve the package's files from there`);
    }
    return new Uint8Array(await answer.arrayBuffer());
  },
  defaultJournal: () => indexedDb(),
};
