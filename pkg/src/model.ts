// Which language model a memory works with.

import type { ModelRequest } from "./wasm/credence.js";

/** A model of your own: one function. */
export interface HostModel {
  /**
   * Answers a prompt. `call.signal` is aborted when the answer is no longer wanted. Throw what you like: an error with a
   * numeric `status` counts as that HTTP status, any other as `model-failed`.
   */
  complete(request: ModelRequest, call: { readonly signal: AbortSignal }): HostReply | Promise<HostReply>;
}

/** The answer, alone or with the name of the model that gave it. */
export type HostReply = string | { readonly text: string; readonly model?: string };
