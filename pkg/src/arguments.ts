// What the face checks of arguments before the engine sees them, and the error of a closed memory.

import { CredenceError } from "./errors.js";

export function closed(): CredenceError {
  return new CredenceError("closed", "this memory was closed; open it again to go on");
}

/** `options` as it is, after its names were checked: a typo must not silently mean the default. */
export function known<T extends object>(argument: string, options: T, names: readonly (keyof T & string)[]): T {
  if (typeof options !== "object" || options === null) {
    throw new CredenceError("invalid-argument", `${argument}: expected an object`);
  }
  for (const name of Object.keys(options)) {
    if (!(names as readonly string[]).includes(name)) {
      const all = names.map((name) => `\`${name}\``).join(", ");
      throw new CredenceError("invalid-argument", `${argument}: unknown field \`${name}\`, expected one of ${all}`);
    }
  }
  return options;
}

export function listener<F>(argument: string, value: F | undefined): F | undefined {
  if (value !== undefined && typeof value !== "function") {
    throw new CredenceError("invalid-argument", `${argument}: expected a function`);
  }
  return value;
}

export function aborter(value: AbortSignal | undefined): AbortSignal | undefined {
  if (value !== undefined && !(value instanceof AbortSignal)) {
    throw new CredenceError("invalid-argument", "options.signal: expected an AbortSignal");
  }
  return value;
}
