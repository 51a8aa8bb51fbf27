// A journal in a folder: one folder a context, and in it one file of commits, one of use records, one of vectors, and one of
// what repairs set aside. Programs that share the folder take turns through a lock file, and see each other's commits.
// Files grow at their ends; what changes stored history puts others in their places, all in one step (`rewriting.ts`).

import { createHash, randomUUID } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";

import { CredenceError } from "../errors.js";
import {
  JournalError,
  type HostJournal,
  type JournalContents,
  type JournalDamage,
  type JournalEntry,
  type JournalHead,
  type JournalRepair,
  type JournalRewrite,
  type JournalUse,
  type JournalVector,
} from "../journal.js";
import { codeOf, entries, makeFolder, syncFolder } from "./folders.js";
import { headerOf, LineFile, type Line } from "./lines.js";
import { withLock, type Held } from "./lock.js";
import { change, finish, isPending, type Changed } from "./rewriting.js";

/** What a file journal noticed. */
export interface FileJournalWarning {
  /**
   * `torn-write`: a program ended while it wrote a record that it had not yet acknowledged; what there was of it was cut off.
   * `damaged-record`: what is stored there does not match its checksum. The rest is read; a repair of the memory sets a commit
   * or a use record aside, and a vector is computed again. A file's first line, which says what the file is, is written anew.
   */
  readonly code: "torn-write" | "damaged-record";
  /** The file. */
  readonly file: string;
  /** The context. */
  readonly context: string;
  /** Bytes that were cut off; 0 where nothing was. */
  readonly bytes: number;
  /** In words. */
  readonly message: string;
}

/** Options of {@link fileJournal}. */
export interface FileJournalOptions {
  /** Told of everything that was noticed. Default: a Node.js process warning. */
  onWarning?: (warning: FileJournalWarning) => void;
}

/** A journal in a folder, and what it noticed. */
export interface FileJournal extends HostJournal {
  /** The folder, absolute. */
  readonly path: string;
  /** Everything that was noticed since it was made, oldest first. */
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
  readonly aside: LineFile;
  /** Damage that has been told. */
  readonly told = new Set<string>();
  /** Calls on one context take turns within this program. */
  turn: Promise<unknown> = Promise.resolve();

  constructor(root: string, context: string) {
    this.context = context;
    this.folder = join(root, folderName(context));
    this.lock = `${this.folder}.lock`;
    this.commits = new LineFile(join(this.folder, "commits.jsonl"), "commits", context);
    this.uses = new LineFile(join(this.folder, "uses.jsonl"), "uses", context);
    this.vectors = new LineFile(join(this.folder, "vectors.jsonl"), "vectors", context);
    this.aside = new LineFile(join(this.folder, "aside.jsonl"), "aside", context);
  }

  get files(): readonly LineFile[] {
    return [this.commits, this.uses, this.vectors, this.aside];
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
          return headOf(shelf.commits);
        }).catch((error: unknown) => {
          // Opening that context says what is wrong with it; the others can be listed all the same.
          if (error instanceof JournalError && error.code === "store-corrupt") return { seq: 0, id: null };
          throw error;
        });
        if (head.id !== null) heads.push({ context, seq: head.seq, head: head.id });
      }
      return heads.sort((a, b) => (a.context < b.context ? -1 : 1));
    });
  }

  async read(context: string, after: number): Promise<string[]> {
    return this.#inTurn(context, async (shelf) => {
      await this.#look(shelf, shelf.commits);
      const { damaged, count, position } = shelf.commits;
      if (damaged.length === 0 && count === position) return (await shelf.commits.lines(after)).map((line) => line.value);
      const { seats } = seated(await shelf.commits.lines());
      return [...seats].filter(([seq]) => seq > after).map(([, line]) => line.value);
    });
  }

  async append(entry: JournalEntry): Promise<void> {
    const { context } = entry;
    await this.#write(context, (shelf) => shelf.commits, true, (file) => {
      follows(headOf(file), entry);
      return [commitLine(entry)];
    });
  }

  // Not flushed to the disk: a record of reading survives the program's end, and in a power cut the last may be lost.
  async appendUse(use: JournalUse): Promise<void> {
    await this.#write(use.context, (shelf) => shelf.uses, false, () => [useLine(use)]);
  }

  async uses(context: string): Promise<string[]> {
    return this.#inTurn(context, async (shelf) => {
      await this.#look(shelf, shelf.uses);
      return newestUses(await shelf.uses.lines()).map(({ value }) => value);
    });
  }

  async saveVectors(context: string, space: string, vectors: readonly JournalVector[]): Promise<void> {
    await this.#write(context, (shelf) => shelf.vectors, false, () =>
      vectors.map((vector) => vectorLine(space, vector)),
    );
  }

  async vectors(context: string, space: string): Promise<JournalVector[]> {
    return this.#inTurn(context, async (shelf) => {
      await this.#look(shelf, shelf.vectors);
      const last = new Map<string, Float32Array>();
      for (const { meta, value } of (await shelf.vectors.lines()).filter(sound)) {
        if (meta["space"] === space) last.set(String(meta["text"]), fromBase64(JSON.parse(value) as string));
      }
      return [...last].map(([text, vector]) => ({ text, vector }));
    });
  }

  async spaces(context: string): Promise<string[]> {
    return this.#inTurn(context, async (shelf) => {
      await this.#look(shelf, shelf.vectors);
      return [...new Set((await shelf.vectors.lines()).filter(sound).map(({ meta }) => String(meta["space"])))];
    });
  }

  async rewrite(request: JournalRewrite): Promise<void> {
    const { appended, dropsSetAside } = request;
    await this.#change(appended.context, async (shelf) => {
      follows(headOf(shelf.commits), appended);
      const changes: Changed[] = [];
      const replaced = new Map(request.commits.map((entry) => [entry.seq, commitLine(entry)]));
      const stored = await shelf.commits.lines();
      // What would be set aside goes with what was: a line that no commit can have been.
      const lines = dropsSetAside ? [...seated(stored).seats.values()] : stored;
      const commits = lines.map((line) => replaced.get(Number(line.meta["seq"])) ?? line);
      changes.push({ file: shelf.commits, lines: [...commits, commitLine(appended)] });
      if (request.uses.length > 0 || request.droppedUses.length > 0) {
        const gone = new Set(request.droppedUses);
        const kept = [...(await shelf.uses.lines()), ...request.uses.map(useLine)];
        changes.push({ file: shelf.uses, lines: newestUses(kept).filter(({ meta }) => !gone.has(String(meta["id"]))) });
      }
      if (request.droppedVectors.length > 0) {
        const gone = new Set(request.droppedVectors);
        const kept = newestVectors(await shelf.vectors.lines());
        changes.push({ file: shelf.vectors, lines: kept.filter(({ meta }) => !gone.has(String(meta["text"]))) });
      }
      if (dropsSetAside) {
        changes.push({ file: shelf.aside, lines: null });
        // What stands in a damaged header may be what is being forgotten.
        changes.push(...(await lostAnew(shelf, changes)));
      }
      return changes;
    });
  }

  async replace(context: string, expected: number, contents: JournalContents): Promise<void> {
    await this.#change(context, async (shelf) => {
      const found = headOf(shelf.commits).seq;
      if (found !== expected) {
        const message = `the memory ${JSON.stringify(context)} moved on: it has ${found} commits, not ${expected}`;
        throw new JournalError("store-stale", message, { found });
      }
      const vectors = contents.spaces.flatMap(({ space, vectors }) => vectors.map((vector) => vectorLine(space, vector)));
      return [
        { file: shelf.commits, lines: contents.commits.map(commitLine) },
        { file: shelf.uses, lines: contents.uses.map(useLine) },
        { file: shelf.vectors, lines: vectors },
        { file: shelf.aside, lines: null },
      ];
    });
  }

  async repair({ appended, damages, standIns }: JournalRepair): Promise<void> {
    await this.#change(appended.context, async (shelf) => {
      const changes: Changed[] = [];
      const numbered = damages.filter(({ key }) => /^\d+$/.test(key));
      const meant = (store: string) => numbered.filter((damage) => damage.store === store).map(({ key }) => Number(key));
      const { seats, strays } = seated(await shelf.commits.lines());
      for (const entry of standIns) seats.set(entry.seq, commitLine(entry));
      const lines = [...seats].sort(([a], [b]) => a - b).map(([, line]) => line);
      const last = lines.at(-1);
      follows({ seq: Math.max(0, ...seats.keys()), id: last ? idOf(last) : null }, appended);
      changes.push({ file: shelf.commits, lines: [...lines, commitLine(appended)] });
      const places = new Set(meant("uses"));
      if (places.size > 0) {
        const kept = newestUses(await shelf.uses.lines()).filter((_, place) => !places.has(place));
        changes.push({ file: shelf.uses, lines: kept });
      }
      // Headers go where they are written anew, below; strays as they are found now.
      const moved = [...numbered, ...strays].map((damage) => asideLine(appended.seq, damage));
      changes.push({ file: shelf.aside, lines: [...(await shelf.aside.lines()), ...moved] });
      return [...changes, ...(await lostAnew(shelf, changes))];
    });
  }

  async damages(context: string): Promise<JournalDamage[]> {
    return this.#inTurn(context, async (shelf) => {
      const damages: JournalDamage[] = [];
      for (const file of shelf.files) {
        await this.#look(shelf, file);
        damages.push(...headerDamage(file));
      }
      if (shelf.commits.damaged.length > 0) damages.push(...seated(await shelf.commits.lines()).strays);
      return damages;
    });
  }

  async setAside(context: string): Promise<JournalDamage[]> {
    return this.#inTurn(context, async (shelf) => {
      await this.#look(shelf, shelf.aside);
      return (await shelf.aside.lines()).map((line, place) =>
        line.damaged
          ? { store: "aside", key: String(place), detail: "what was set aside is itself damaged", raw: line.value }
          : (JSON.parse(line.value) as JournalDamage),
      );
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
        await finish(shelf.folder);
        const file = which(shelf);
        const { created, cut } = await file.append(async () => {
          const lines = prepare(file);
          await certain(shelf, lock);
          return lines;
        }, durable);
        // A new file is durable once its folder is.
        if (created && durable) await syncFolder(shelf.folder);
        if (cut > 0) this.#warn(shelf, file, cut);
      });
    });
  }

  /** Changes what is stored, all of it or nothing, by what `prepare` makes of the files as they are. */
  async #change(context: string, prepare: (shelf: Shelf) => Promise<Changed[]>): Promise<void> {
    await this.#inTurn(context, async (shelf) => {
      await makeFolder(this.path);
      await withLock(shelf.lock, async (lock) => {
        await makeFolder(shelf.folder);
        await finish(shelf.folder);
        await shelf.commits.catchUp();
        const changes = await prepare(shelf);
        await keepHeaders(shelf, changes);
        await change(shelf.folder, changes, () => certain(shelf, lock));
      });
    });
  }

  /** Catches up, and puts right what a crash left. */
  async #look(shelf: Shelf, file: LineFile): Promise<void> {
    if (await isPending(shelf.folder)) await withLock(shelf.lock, () => finish(shelf.folder));
    await file.catchUp();
    this.#tellDamage(shelf, file);
    if (file.torn === 0) return;
    // Either somebody writes at this moment, or somebody died writing: with the lock held it can only be the second.
    const cut = await withLock(shelf.lock, () => file.repair());
    if (cut > 0) this.#warn(shelf, file, cut);
  }

  #warn(shelf: Shelf, file: LineFile, bytes: number): void {
    const message = `a program ended while writing to ${file.path}: ${bytes} bytes of a record that it had not acknowledged were cut off`;
    this.#tell({ code: "torn-write", file: file.path, context: shelf.context, bytes, message });
  }

  #tellDamage(shelf: Shelf, file: LineFile): void {
    const told = file.damaged.map((at) => `byte ${at}: this record is damaged; the others are read, and a repair of the memory sets it aside`);
    const repaired = "the records behind it are read, and a repair of the memory writes it anew and keeps what stood there";
    if (file.lost) told.unshift(`byte 0: ${file.lost.detail}; ${repaired}`);
    for (const what of told) {
      const message = `${file.path}, ${what}`;
      if (shelf.told.has(message)) continue;
      shelf.told.add(message);
      this.#tell({ code: "damaged-record", file: file.path, context: shelf.context, bytes: 0, message });
    }
  }

  #tell(warning: FileJournalWarning): void {
    this.warnings.push(warning);
    if (this.#onWarning) this.#onWarning(warning);
    else process.emitWarning(warning.message, { type: "CredenceWarning", code: `CREDENCE_${warning.code.toUpperCase().replace("-", "_")}` });
  }

  /** The contexts that have a folder. */
  async #names(): Promise<string[]> {
    const names: string[] = [];
    for (const entry of await entries(this.path)) {
      if (!entry.isDirectory() || entry.name.startsWith(".")) continue;
      const context = await contextOf(join(this.path, entry.name), entry.name);
      if (context !== undefined) names.push(context);
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

/** Refuses a commit that does not follow this end. */
function follows(head: { seq: number; id: string | null }, { context, seq, parent }: JournalEntry): void {
  if (seq === head.seq + 1 && parent === head.id) return;
  const message = `the memory ${JSON.stringify(context)} moved on: commit ${seq} does not follow commit ${head.seq}`;
  throw new JournalError("store-stale", message, { found: head.seq });
}

/** The commit that a file ends with; `id` is `null` where there is none. */
function headOf(commits: LineFile): { seq: number; id: string | null } {
  return { seq: commits.position, id: commits.last ? idOf(commits.last) : null };
}

/** A commit's id. Of a damaged line what it still seems to say, else one made from its text, the same every time. */
function idOf(line: Line): string {
  if (!line.damaged) return String(line.meta["id"]);
  const said = /^[^{]*\{?"sum":[^{]*?"id":"(C[0-9a-f]{32})"/.exec(line.value);
  return said?.[1] ?? `C${createHash("sha256").update(line.value).digest("hex").slice(0, 32)}`;
}

const sound = (line: Line): boolean => !line.damaged;

const asideLine = (seq: number, damage: JournalDamage): Line => ({ meta: { seq }, value: JSON.stringify(damage) });
const commitLine = ({ seq, id, parent, json }: JournalEntry): Line => ({ meta: { seq, id, parent }, value: json });
const useLine = ({ id, json }: JournalUse): Line => ({ meta: { id }, value: json });
const vectorLine = (space: string, { text, vector }: JournalVector): Line => ({
  meta: { space, text },
  value: JSON.stringify(toBase64(vector)),
});

/** A header that is damaged, as damage of its file. */
function headerDamage({ name, lost }: LineFile): JournalDamage[] {
  return lost ? [{ store: name.replace(".jsonl", ""), key: "header", ...lost }] : [];
}

/** Files that are not among the changes and whose headers are damaged, to be written anew as they are. */
async function lostAnew(shelf: Shelf, changes: readonly Changed[]): Promise<Changed[]> {
  const anew: Changed[] = [];
  for (const file of shelf.files.filter((each) => changes.every((change) => change.file !== each))) {
    await file.catchUp();
    if (file.lost) anew.push({ file, lines: await file.lines() });
  }
  return anew;
}

/** A file that is written anew gets a header anew: what stood in a damaged one's place is set aside, unless all of that goes. */
async function keepHeaders(shelf: Shelf, changes: Changed[]): Promise<void> {
  const place = changes.findIndex(({ file }) => file === shelf.aside);
  if (changes[place]?.lines === null) return;
  for (const { file } of changes) await file.catchUp();
  const lost = changes.flatMap(({ file }) => headerDamage(file));
  if (lost.length === 0) return;
  await shelf.aside.catchUp();
  if (place < 0) lost.push(...headerDamage(shelf.aside));
  const kept = changes[place]?.lines ?? (await shelf.aside.lines());
  const aside = { file: shelf.aside, lines: [...kept, ...lost.map((damage) => asideLine(shelf.commits.position + 1, damage))] };
  changes.splice(place < 0 ? changes.length : place, 1, aside);
}

/**
 * Commits by position. Sound lines stand where they say, and damaged ones behind what is before them; a damaged byte can also
 * have made two lines of one, or one of two. Strays are damaged lines that no commit can have been.
 */
function seated(lines: readonly Line[]): { seats: Map<number, Line>; strays: JournalDamage[] } {
  const seats = new Map<number, Line>();
  const strays: JournalDamage[] = [];
  let position = 0;
  for (const line of lines) {
    const seq = line.damaged ? position + 1 : Number(line.meta["seq"]);
    for (; position >= seq; position -= 1) {
      const [before, extra] = [seats.get(position - 1), seats.get(position)];
      seats.delete(position);
      if (before?.damaged) seats.set(position - 1, { ...before, value: `${before.value}\n${extra?.value}` });
      else if (extra?.damaged) {
        strays.push({ store: "commits", key: `after ${position - 1}`, detail: "no commit is missing here that it can have been", raw: extra.value });
      }
    }
    seats.set((position = seq), line);
  }
  return { seats, strays };
}

/** The last line of each use record, and every damaged one, in order of their first. */
function newestUses(lines: readonly Line[]): Line[] {
  return [...new Map(lines.map((line) => [line.damaged ? line : line.meta["id"], line])).values()];
}

/** The last line of each vector. Damaged ones go: what they held is computed again. */
function newestVectors(lines: readonly Line[]): Line[] {
  const key = ({ meta }: Line) => JSON.stringify([meta["space"], meta["text"]]);
  return [...new Map(lines.filter(sound).map((line) => [key(line), line])).values()];
}

/** Asked right before something counts: a lock that was taken away protects nobody. */
async function certain(shelf: Shelf, lock: Held): Promise<void> {
  if (await lock.isHeld()) return;
  throw new JournalError("store-failed", `the lock ${shelf.lock} was taken away; nothing was written, try again`);
}

/**
 * The context that a folder of this name is of: what the file of commits names in its first line. Where that is damaged, any name in any of
 * the files; the folder's own name proves it.
 */
async function contextOf(folder: string, name: string): Promise<string | undefined> {
  const isIt = (context: unknown): context is string => typeof context === "string" && folderName(context) === name;
  const first = await firstLine(join(folder, "commits.jsonl"));
  if (first === undefined) return undefined;
  const { said, isSound } = headerOf(first);
  if (isSound || isIt(said.context)) return isIt(said.context) ? said.context : undefined;
  for (const file of ["commits", "uses", "vectors", "aside"]) {
    const text = await readFile(join(folder, `${file}.jsonl`), "utf8").catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return "";
      throw error;
    });
    for (const [, quoted] of text.matchAll(/"context":("(?:[^"\\\n]|\\.)*")/g)) {
      const context = unquoted(quoted ?? "");
      if (isIt(context)) return context;
    }
  }
  return undefined;
}

function unquoted(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A file's first line, as far as a header can reach; `undefined` where there is no file. */
async function firstLine(path: string): Promise<string | undefined> {
  let handle;
  try {
    handle = await open(path, "r");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
    return buffer.toString("utf8", 0, bytesRead).split("\n", 1)[0] ?? "";
  } finally {
    await handle.close();
  }
}

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
