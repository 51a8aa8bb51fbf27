// The package in a page or worker.

import type { Memory } from "./memory.js";
import { openOn, type OpenOptions } from "./open.js";
import { web } from "./platform-web.js";

export * from "./api.js";

/** Opens the memory of one context; it is empty when nobody has written to it. */
export function openMemory(options: OpenOptions = {}): Promise<Memory> {
  return openOn(web, options);
}
