// The package in Node.js.

import type { Memory } from "./memory.js";
import { openOn, type OpenOptions } from "./open.js";
import { node } from "./platform-node.js";

export * from "./api.js";

/** Opens the memory of one context; it is empty when nobody has written to it. */
export function openMemory(options: OpenOptions = {}): Promise<Memory> {
  return openOn(node, options);
}
