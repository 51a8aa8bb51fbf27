// What the package throws.

import type { ErrorCode } from "./wasm/credence.js";

export type { ErrorCode };

/** Everything that this package throws: `code` is for programs, `message` tells a person what to do. */
export class CredenceError extends Error {
  override readonly name = "CredenceError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The engine's errors as {@link CredenceError}; others, which a caller's own code threw, as they are. */
export function asThrown(thrown: unknown): unknown {
  if (thrown instanceof CredenceError) return thrown;
  if (thrown instanceof WebAssembly.RuntimeError) {
    const message = "the engine stopped on a defect of its own (the console says where); reload, and please report it";
    return new CredenceError("engine-failed", message, { cause: thrown });
  }
  if (thrown instanceof Error && thrown.name === "CredenceError") {
    return new CredenceError((thrown as CredenceError).code, thrown.message, { cause: thrown });
  }
  return thrown;
}

/** Runs a call of the engine. */
export async function engineCall<T>(call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    throw asThrown(thrown);
  }
}
