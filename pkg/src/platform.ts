// What differs between a page and Node.js: how the files of the package are read, and where memories are kept by default.

import type { BuiltInJournal } from "./journal.js";

export interface Platform {
  /** The engine's module, in a form that its loader takes. */
  engine(): Promise<URL | Uint8Array>;
  /** The bytes of a file. */
  bytes(url: URL): Promise<Uint8Array>;
  /** Where memories are kept when nobody says; `undefined` where there is no such place. */
  defaultJournal(): BuiltInJournal | undefined;
}
