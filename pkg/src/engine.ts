// The engine: loaded once, whichever memory asks first.

import { CredenceError } from "./errors.js";
import type { Platform } from "./platform.js";
import init, * as wasm from "./wasm/credence.js";

export type Engine = typeof wasm;

let loading: Promise<Engine> | undefined;

export function engine(platform: Platform): Promise<Engine> {
  loading ??= load(platform).catch((cause: unknown) => {
    // The next opening tries again.
    loading = undefined;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CredenceError("engine-failed", `the engine could not be loaded: ${why}; serve wasm/credence_bg.wasm beside it`, {
      cause,
    });
  });
  return loading;
}

async function load(platform: Platform): Promise<Engine> {
  await init({ module_or_path: await platform.engine() });
  return wasm;
}
