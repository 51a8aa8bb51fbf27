// A journal in a folder: one folder a context, and in it one file of commits, one of use records, one of vectors. Programs
// that share the folder take turns through a lock file, and see each other's commits.

import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { CredenceError } from "../errors.js";
import {
  JournalError,
  type HostJournal,
  type JournalEntry,
  type JournalHead,
  type JournalUse,
  type JournalVector,
} from "../journal.js";
import { LineFile } from "./lines.js";
import { withLock } from "./lock.js";

/** What a file journal noticed and put right. */
export interface FileJournalWarning {
  /** A program ended while it wrote a record that it had not yet acknowledged. */
  readonly code: "torn-write";
  /** The file. */
  readonly file: string;
  /** The context. */
  readonly context: string;
  /** Bytes of the unfinished record, which were cut off. */
  readonly bytes: number;
  /** In words. */
  readonly message: string;
}

/** Options of {@link fileJournal}. */
export interface FileJournalOptions {
  /** Told of everything that was put right. Default: a Node.js process warning. */
  onWarning?: (warning: FileJournalWarning) => void;
}

/** A journal in a folder, and what it noticed. */
export interface FileJournal extends HostJournal {
  /** The folder, absolute. */
  readonly path: string;
  /** Everything that was put right since it was made, oldest first. */
  readonly warnings: readonly FileJournalWarning[];
}

/**
 * Keeps memories as files in the folder `path`, which is made when the first commit comes. A commit is on the disk before it
 * is acknowledged. Several programs on one machine may use the folder at once.
 */
export function fileJournal(path: string, options: FileJournalOptions = {}): FileJournal {
  if (typeof path !== "string" || path.trim() === "") {
    throw new CredenceError("invalid-argument", "path: expected the path of a folder to keep memories in");
  }
  return new Folder(resolve(path), options);
}

const ERASED = ".erased-";

/** A name that every file system takes: readable as far as it goes, and unique by its hash. */
function folderName(context: string): string {
  const readable = context.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 40);
  return `${readable}-${createHash("sha256").update(context).digest("hex").slice(0, 16)}`;
}

class Shelf {
  readonly context: string;
  readonly folder: string;
  readonly lock: string;
  readonly commits: LineFile;
  readonly uses: LineFile;
  readonly vectors: LineFile;
  /** Calls on one context take turns within this program. */
  turn: Promise<unknown> = Promise.resolve();

  constructor(root: string, context: string) {
    this.context = context;
    this.folder = join(root, folderName(context));
    this.lock = `${this.folder}.lock`;
    this.commits = new LineFile(join(this.folder, "commits.jsonl"), "commits", context);
    this.uses = new LineFile(join(this.folder, "uses.jsonl"), "uses", context);
    this.vectors = new LineFile(join(this.folder, "vectors.jsonl"), "vectors", context);
  }
}

class Folder implements FileJournal {
  readonly path: string;
  readonly warnings: FileJournalWarning[] = [];
  readonly #onWarning: ((warning: FileJournalWarning) => void) | undefined;
  readonly #shelves = new Map<string, Shelf>();
  #swept: Promise<void> | undefined;

  constructor(path: string, options: FileJournalOptions) {
    this.path = path;
    this.#onWarning = options.onWarning;
  }

  async contexts(): Promise<JournalHead[]> {
    return translated(async () => {
      const heads: JournalHead[] = [];
      for (const context of await this.#names()) {
        const head = await this.#inTurn(context, async (shelf) => {
          await this.#look(shelf, shelf.commits);
          const last = shelf.commits.last;
          return last && { context, seq: Number(last.meta["seq"]), head: String(last.meta["id"]) };
        });
        if (head) heads.push(head);
      }
      return heads.sort((a, b) => (a.context < b.context ? -1 : 1));
    });
  }

  async read(context: string, after: number): Promise<string[]> {
    return this.#inTurn(context, async (shelf) => {
      await this.#look(shelf, shelf.commits);
      return (await shelf.commits.lines(after)).map((line) => line.value);
    });
  }

  async append(entry: JournalEntry): Promise<void> {
    const { context, seq, id, parent, json } = entry;
    await this.#write(context, (shelf) => shelf.commits, true, (file) => {
      const head = file.last;
      if (seq !== file.count + 1 || parent !== (head ? head.meta["id"] : null)) {
        const message = `the memory ${JSON.stringify(context)} moved on: commit ${seq} does not follow commit ${file.count}`;
        throw new JournalError("store-stale", message, { found: file.count });
      }
      return [{ meta: { seq, id, parent }, value: json }];
    });
  }

  // Not flushed to the disk: a record of reading survives the program's end, and in a power cut the last may be lost.
  async appendUse(use: JournalUse): Promise<void> {
    await this.#write(use.context, (shelf) => shelf.uses, false, () => [{ meta: { id: use.id }, value: use.json }]);
  }

  async uses(context: string): Promise<string[]> {
    return this.#inTurn(context, async (shelf) => {
      await this.#look(shelf, shelf.uses);
      const last = new Map((await shelf.uses.lines()).map((line) => [line.meta["id"], line.value]));
      return [...last.values()];
    });
  }

  async saveVectors(context: string, space: string, vectors: readonly JournalVector[]): Promise<void> {
    await this.#write(context, (shelf) => shelf.vectors, false, () =>
      vectors.map(({ text, vector }) => ({ meta: { space, text }, value: JSON.stringify(toBase64(vector)) })),
    );
  }

  async vectors(context: string, space: string): Promise<JournalVector[]> {
    return this.#inTurn(context, async (shelf) => {
      await this.#look(shelf, shelf.vectors);
      const last = new Map<string, Float32Array>();
      for (const { meta, value } of await shelf.vectors.lines()) {
        if (meta["space"] === space) last.set(String(meta["text"]), fromBase64(JSON.parse(value) as string));
      }
      return [...last].map(([text, vector]) => ({ text, vector }));
    });
  }

  async spaces(context: string): Promise<string[]> {
    return this.#inTurn(context, async (shelf) => {
      await this.#look(shelf, shelf.vectors);
      return [...new Set((await shelf.vectors.lines()).map(({ meta }) => String(meta["space"])))];
    });
  }

  async erase(context: string): Promise<void> {
    await this.#inTurn(context, async (shelf) => {
      await makeFolder(this.path);
      await withLock(shelf.lock, async () => {
        const doomed = join(this.path, `${ERASED}${randomUUID()}`);
        try {
          // One step: after it the context is gone, however far the removal of its files comes.
          await rename(shelf.folder, doomed);
        } catch (error) {
          if (codeOf(error) === "ENOENT") return;
          throw error;
        }
        await syncFolder(this.path);
        await rm(doomed, { recursive: true, force: true });
      });
    });
  }

  /** Runs `job` when earlier calls on this context are done. */
  #inTurn<T>(context: string, job: (shelf: Shelf) => Promise<T>): Promise<T> {
    let shelf = this.#shelves.get(context);
    if (!shelf) this.#shelves.set(context, (shelf = new Shelf(this.path, context)));
    const mine = shelf;
    const done = mine.turn.then(async () => {
      await (this.#swept ??= this.#sweep());
      return translated(() => job(mine));
    });
    mine.turn = done.catch(() => undefined);
    return done;
  }

  async #write(
    context: string,
    which: (shelf: Shelf) => LineFile,
    durable: boolean,
    prepare: (file: LineFile) => { meta: Record<string, unknown>; value: string }[],
  ): Promise<void> {
    await this.#inTurn(context, async (shelf) => {
      await makeFolder(this.path);
      await withLock(shelf.lock, async (lock) => {
        await makeFolder(shelf.folder);
        const file = which(shelf);
        const { created, cut } = await file.append(async () => {
          const lines = prepare(file);
          if (!(await lock.isHeld())) {
            throw new JournalError("store-failed", `the lock ${shelf.lock} was taken away; nothing was written, try again`);
          }
          return lines;
        }, durable);
        // A new file is durable once its folder is.
        if (created && durable) await syncFolder(shelf.folder);
        if (cut > 0) this.#warn(shelf, file, cut);
      });
    });
  }

  /** Catches up, and puts right what a crash left. */
  async #look(shelf: Shelf, file: LineFile): Promise<void> {
    await file.catchUp();
    if (file.torn === 0) return;
    // Either somebody writes at this moment, or somebody died writing: with the lock held it can only be the second.
    const cut = await withLock(shelf.lock, () => file.repair());
    if (cut > 0) this.#warn(shelf, file, cut);
  }

  #warn(shelf: Shelf, file: LineFile, bytes: number): void {
    const message = `a program ended while writing to ${file.path}: ${bytes} bytes of a record that it had not acknowledged were cut off`;
    const warning: FileJournalWarning = { code: "torn-write", file: file.path, context: shelf.context, bytes, message };
    this.warnings.push(warning);
    if (this.#onWarning) this.#onWarning(warning);
    else process.emitWarning(message, { type: "CredenceWarning", code: "CREDENCE_TORN_WRITE" });
  }

  /** The contexts that have a folder. */
  async #names(): Promise<string[]> {
    const names: string[] = [];
    for (const entry of await entries(this.path)) {
      if (!entry.isDirectory() || entry.name.startsWith(".")) continue;
      const context = await contextOf(join(this.path, entry.name, "commits.jsonl"));
      if (context !== undefined && folderName(context) === entry.name) names.push(context);
    }
    return names;
  }

  /** Finishes erasures that a crash interrupted. */
  async #sweep(): Promise<void> {
    for (const entry of await entries(this.path)) {
      if (entry.name.startsWith(ERASED)) await rm(join(this.path, entry.name), { recursive: true, force: true });
    }
  }
}

async function entries(path: string): Promise<import("node:fs").Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** The context that a file of commits names in its first line. */
async function contextOf(path: string): Promise<string | undefined> {
  let handle;
  try {
    handle = await open(path, "r");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
    const header = JSON.parse(buffer.toString("utf8", 0, bytesRead).split("\n", 1)[0] ?? "") as { context?: unknown };
    return typeof header.context === "string" ? header.context : undefined;
  } catch {
    // Opening that context says what is wrong with it; the others can be listed all the same.
    return undefined;
  } finally {
    await handle.close();
  }
}

/** Makes a folder and what lacks above it, durably. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let at = path; at.length >= first.length; at = dirname(at)) await syncFolder(dirname(at));
}

async function syncFolder(path: string): Promise<void> {
  // Windows keeps its directories durable by itself and refuses to open one.
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code;

/** Runs `job`; the system's errors become the journal's. */
async function translated<T>(job: () => Promise<T>): Promise<T> {
  try {
    return await job();
  } catch (cause) {
    if (cause instanceof JournalError) throw cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === "ENOSPC" || code === "EDQUOT") throw new JournalError("store-quota", "the disk is full", { cause });
    if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
      const told = `this program may not use the folder of memories (${message}); give it the right, or choose another folder`;
      throw new JournalError("store-unavailable", told, { cause });
    }
    throw new JournalError("store-failed", message, { cause });
  }
}

function toBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, n) => bytes.writeFloatLE(value, n * 4));
  return bytes.toString("base64");
}

function fromBase64(text: string): Float32Array {
  const bytes = Buffer.from(text, "base64");
  return Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, n) => bytes.readFloatLE(n * 4));
}
