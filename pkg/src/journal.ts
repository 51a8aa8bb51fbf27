// Where a memory is kept: what a journal of your own must do, and the two that are built in.

import type { ErrorCode } from "./wasm/credence.js";

/** One commit on its way into a journal. */
export interface JournalEntry {
  /** The memory's name: 1 to 200 characters of any script. */
  readonly context: string;
  /** Position of this commit: 1, 2, 3, … without gaps within its context. */
  readonly seq: number;
  /** The commit's id. */
  readonly id: string;
  /** Id of the commit that it follows; `null` for the first. */
  readonly parent: string | null;
  /** The commit. Keep this text as it is; one line, no line breaks inside. */
  readonly json: string;
}

/** The newest commit of one context. */
export interface JournalHead {
  readonly context: string;
  /** Its newest commit's position: the number of commits. */
  readonly seq: number;
  /** Its newest commit's id. */
  readonly head: string;
}

/** One record of what a search supplied. */
export interface JournalUse {
  readonly context: string;
  readonly id: string;
  /** The record. Keep this text as it is; one line, no line breaks inside. */
  readonly json: string;
}

/** A vector that was computed once and need not be computed again. */
export interface JournalVector {
  /** The embedded text's content id. */
  readonly text: string;
  readonly vector: Float32Array;
}

/** A change of stored history, which only forgetting for ever, retention and repair make. */
export interface JournalRewrite {
  /** The commit that says so. It follows the head, like any other. */
  readonly appended: JournalEntry;
  /** Commits in place of stored ones with the same `seq` and `id`. */
  readonly commits: readonly JournalEntry[];
  /** Use records in place of stored ones with the same `id`. */
  readonly uses: readonly JournalUse[];
  /** Ids of use records that go. */
  readonly droppedUses: readonly string[];
  /** Content ids of texts whose vectors go, from every space. */
  readonly droppedVectors: readonly string[];
  /** Whether what repairs set aside goes as well: nobody can tell what stands in a row that cannot be read. */
  readonly dropsSetAside: boolean;
}

/** Everything that a journal holds of one memory. */
export interface JournalContents {
  /** The log, from its first commit. */
  readonly commits: readonly JournalEntry[];
  readonly uses: readonly JournalUse[];
  readonly spaces: readonly { readonly space: string; readonly vectors: readonly JournalVector[] }[];
}

/** A stored record that cannot be read, or is missing. */
export interface JournalDamage {
  /** `"commits"` or `"uses"`, or what `damages` calls it. */
  readonly store: string;
  /** A commit's `seq` as text; a use record's place in what `uses` returned; what `damages` calls it. */
  readonly key: string;
  /** What is wrong with it. */
  readonly detail: string;
  /** What is stored there; `null`: nothing. */
  readonly raw: string | null;
}

/** What a repair changes. */
export interface JournalRepair {
  /** The commit that says so. It follows the head, like any other. */
  readonly appended: JournalEntry;
  /** What goes out of the way and is kept where `setAside` shows it. */
  readonly damages: readonly JournalDamage[];
  /** What takes the damaged commits' places. */
  readonly standIns: readonly JournalEntry[];
}

/**
 * A store of your own. It appends one commit atomically and reads commits back; everything else is derived from them.
 *
 * Throw a {@link JournalError} to say what went wrong; any other error counts as `store-failed`.
 */
export interface HostJournal {
  /** Every context with at least one commit. */
  contexts(): Promise<readonly JournalHead[]>;
  /** The `json` of each commit of `context` with `seq > after`, in order of `seq`; empty for an unknown context. */
  read(context: string, after: number): Promise<readonly string[]>;
  /**
   * Appends whole or not at all, and only when `entry.parent` is the head and `entry.seq` follows it, as one atomic step
   * across every program that uses the store; else throws a {@link JournalError} `store-stale`. Resolves once it is durable.
   */
  append(entry: JournalEntry): Promise<void>;
  /** Keeps a use record; the same id twice keeps the last. */
  appendUse(use: JournalUse): Promise<void>;
  /** The `json` of every use record of `context`, in any order. */
  uses(context: string): Promise<readonly string[]>;
  /** Removes a context with everything in it, whole or not at all. An unknown context is no error. */
  erase(context: string): Promise<void>;
  /** Keeps vectors of one space; the same text twice keeps the last. Without it vectors are computed anew at each opening. */
  saveVectors?(context: string, space: string, vectors: readonly JournalVector[]): Promise<void>;
  /** Every kept vector of one space. */
  vectors?(context: string, space: string): Promise<readonly JournalVector[]>;
  /** Every space that this context has vectors in. Without it nothing that needs to know them all can be done. */
  spaces?(context: string): Promise<readonly string[]>;
  /**
   * Changes stored history as one atomic step, and only when `change.appended` follows the head, else throws `store-stale`. What
   * was replaced cannot be read again. Without it nothing can be forgotten for ever here; that is refused in words.
   */
  rewrite?(change: JournalRewrite): Promise<void>;
  /**
   * Stores a whole memory as one atomic step, in place of the one whose head's `seq` is `expected`, 0 where there must be none; else
   * throws `store-stale` with `found`. Without it no memory can be restored or branched here; that is refused in words.
   */
  replace?(context: string, expected: number, contents: JournalContents): Promise<void>;
  /** Moves damaged records out of the way, as one atomic step that follows the head. Without it they stay where they are. */
  repair?(change: JournalRepair): Promise<void>;
  /**
   * Damage that neither `read` nor `uses` shows, for example in what stands around the records. A health check tells it, and a repair
   * hands it to `repair` among the others; its `store` and `key` are the journal's own.
   */
  damages?(context: string): Promise<readonly JournalDamage[]>;
  /** What repairs moved out of the way, oldest first. */
  setAside?(context: string): Promise<readonly JournalDamage[]>;
}

/** The codes that a journal can report. */
export type JournalErrorCode = Extract<ErrorCode, `store-${string}`>;

/** What a {@link HostJournal} throws. */
export class JournalError extends Error {
  override readonly name = "JournalError";
  readonly code: JournalErrorCode;
  /** With `store-stale`: the head's `seq`. With `store-newer-schema`: the stored schema. */
  readonly found: number | undefined;
  /** With `store-newer-schema`: the newest schema that this release reads. */
  readonly supported: number | undefined;
  /** With `store-corrupt`: which record. */
  readonly at: string | undefined;

  constructor(
    code: JournalErrorCode,
    message: string,
    details: { found?: number; supported?: number; at?: string; cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.found = details.found;
    this.supported = details.supported;
    this.at = details.at;
  }
}

/** A journal that the engine brings along. */
export interface BuiltInJournal {
  readonly kind: "memory" | "indexeddb";
  /** The database's name; empty for a journal in memory. */
  readonly name: string;
}

/** Anything that {@link OpenOptions.journal} takes. */
export type Journal = BuiltInJournal | HostJournal;

/** Keeps commits in memory, gone with the program. Openings that are given the same object share what it holds. */
export function memoryJournal(): BuiltInJournal {
  return Object.freeze({ kind: "memory", name: "" });
}

/** The browser's own database of this name. Tabs that open the same name see each other's commits. */
export function indexedDb(name = "credence"): BuiltInJournal {
  return Object.freeze({ kind: "indexeddb", name });
}
