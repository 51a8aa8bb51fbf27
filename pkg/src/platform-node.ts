// In Node.js: files are read from beside this module, and somebody has to say where memories are kept.

import { readFile } from "node:fs/promises";

import { CredenceError } from "./errors.js";
import { web } from "./platform-web.js";
import type { Platform } from "./platform.js";

export const node: Platform = {
  async engine() {
    return readFile(new URL("./wasm/credence_bg.wasm", import.meta.url));
  },
  async bytes(url) {
    if (url.protocol !== "file:") return web.bytes(url);
    try {
      return await readFile(url);
    } catch (cause) {
      throw new CredenceError("embedding-failed", `${url} cannot be read; install the package again`, { cause });
    }
  },
  defaultJournal: () => undefined,
};
