// A file of sealed JSON lines, one a record. It grows at its end; a change of what stands in it puts another file in its
// place (`rewriting.ts`).
// A line is `{"sum":"…",META,"value":VALUE}` and the sum covers all that follows it, so a damaged line cannot pass for a sound
// one: it is handed out as the text that it is, marked as damaged, and the others are read all the same. Every acknowledged line ends in a line break: bytes behind
// the last line break are what a crash left of a line that was never acknowledged.
//
// The first line, the header, says what the file is, and is sealed too. One that is damaged costs nothing of the records: the place of the
// file says whose it is, and that a record is sealed says in which form. What stood there is handed out until the file is written anew.

import { createHash, randomUUID } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { basename } from "node:path";

import { JournalError } from "../journal.js";

/**
 * The form of these files. Raised whenever an older release would misread them; records are then sealed under another key than `sum` too,
 * because behind a lost header they alone say the form.
 */
const SCHEMA = 1;
/** What a sealed line begins with. */
const SEAL = '{"sum":"';
const NEWLINE = 0x0a;
/** Covers the longest header: 200 characters of context name, escaped. */
const HEADER_BYTES = 4096;

interface Header {
  credence: string;
  schema: number;
  context: string;
  /** Tells two files apart that stood at one path one after the other. */
  file: string;
}

/** A header that cannot be read, or is not there. */
export interface LostHeader {
  /** What is wrong, in words. */
  readonly detail: string;
  /** What stands in its place; bytes that are no text in base64. `null`: nothing. */
  readonly raw: string | null;
}

/** One line of a file. */
export interface Line {
  /** Empty for a damaged line. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** The text as it was written; of a damaged line, all of it. */
  readonly value: string;
  /** What is stored there does not match its sum. */
  readonly damaged?: true;
}

const sumOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** The line, with its line break. `meta` has no key `value`. A damaged line stays as it is. */
export function sealed({ meta, value, damaged }: Line): string {
  if (damaged) return `${value}\n`;
  const rest = `${JSON.stringify(meta).slice(1, -1)},"value":${value}}`;
  return `{"sum":"${sumOf(rest)}",${rest}\n`;
}

const PREFIX = /^\{"sum":"([0-9a-f]{16})",/;

function unseal(text: string): Line {
  const damaged: Line = { meta: {}, value: text, damaged: true };
  const match = PREFIX.exec(text);
  if (!match) return damaged;
  const rest = text.slice(match[0].length);
  // Quotes inside a JSON string are escaped, so the first such text is the key.
  const at = rest.indexOf(',"value":');
  if (at < 0 || sumOf(rest) !== match[1]) return damaged;
  const meta = JSON.parse(`{${rest.slice(0, at)}}`) as Record<string, unknown>;
  return { meta, value: rest.slice(at + ',"value":'.length, -1) };
}

/** A header as it reads; `isSound`: it is whole. Headers without a sum were written before there was one. */
export function headerOf(text: string): { said: Partial<Record<keyof Header, unknown>>; isSound: boolean } {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return { said: {}, isSound: false };
  }
  if (typeof said !== "object" || said === null) return { said: {}, isSound: false };
  const header = said as Partial<Record<keyof Header, unknown>>;
  const match = PREFIX.exec(text);
  const isSealed = match ? sumOf(text.slice(match[0].length)) === match[1] : text.startsWith('{"credence":"');
  const isWhole = typeof header.credence === "string" && typeof header.schema === "number" && typeof header.context === "string";
  return { said: header, isSound: isSealed && isWhole };
}

/** One file and how much of it has been read. The caller makes sure that calls do not overlap. */
export class LineFile {
  readonly path: string;
  readonly #kind: string;
  readonly #context: string;
  /** The first line as far as a header can reach: tells whether the same file still stands there. */
  #opening = "";
  #lost: LostHeader | undefined;
  /** Where each sound line begins, and, last, where the next one will. */
  #starts: number[] = [];
  #last: Line | undefined;
  #position = 0;
  #damaged: number[] = [];
  /** Bytes behind the last line break. */
  torn = 0;

  constructor(path: string, kind: string, context: string) {
    this.path = path;
    this.#kind = kind;
    this.#context = context;
  }

  get count(): number {
    return Math.max(0, this.#starts.length - 1);
  }
  get last(): Line | undefined {
    return this.#last;
  }
  /** The number that the last line has in its `seq`; a line that does not say follows the one before it. */
  get position(): number {
    return this.#position;
  }
  /** Where the damaged lines begin. */
  get damaged(): readonly number[] {
    return this.#damaged;
  }
  /** What stands where the header should, when that is damaged. */
  get lost(): LostHeader | undefined {
    return this.#lost;
  }
  /** Its name in its folder. */
  get name(): string {
    return basename(this.path);
  }
  /** Where the sound part ends. */
  get end(): number {
    return this.#starts.at(-1) ?? 0;
  }

  #reset(): void {
    this.#opening = "";
    this.#lost = undefined;
    this.#starts = [];
    this.#last = undefined;
    this.#position = 0;
    this.#damaged = [];
    this.torn = 0;
  }

  #take(line: Line, end: number): void {
    if (line.damaged) this.#damaged.push(this.end);
    this.#last = line;
    const seq = line.meta["seq"];
    this.#position = typeof seq === "number" ? seq : this.#position + 1;
    this.#starts.push(end);
  }

  #corrupt(offset: number, problem: string): JournalError {
    const at = `${this.path}, byte ${offset}`;
    return new JournalError("store-corrupt", `${at}: ${problem}`, { at });
  }

  /** The file for reading; `undefined` where there is none. */
  async #opened(): Promise<FileHandle | undefined> {
    try {
      return await open(this.path, "r");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      this.#reset();
      return undefined;
    }
  }

  /** Takes in what was written since the last look. */
  async catchUp(handle?: FileHandle): Promise<void> {
    const own = handle ? undefined : await this.#opened();
    const file = handle ?? own;
    if (!file) return;
    try {
      const { size } = await file.stat();
      await this.#readHeader(file, size);
      const from = this.end;
      const bytes = await readAt(file, from, size - from);
      let start = 0;
      if (this.#starts.length > 0) {
        for (let end; (end = bytes.indexOf(NEWLINE, start)) >= 0; start = end + 1) {
          this.#take(unseal(bytes.toString("utf8", start, end)), from + end + 1);
        }
      }
      this.torn = bytes.length - start;
    } finally {
      await own?.close();
    }
  }

  async #readHeader(file: FileHandle, size: number): Promise<void> {
    const bytes = await readAt(file, 0, Math.min(size, HEADER_BYTES));
    const end = bytes.indexOf(NEWLINE);
    // A crash came before the first line was whole.
    if (end < 0 && size < HEADER_BYTES) return this.#reset();
    const opening = bytes.toString("latin1", 0, end < 0 ? bytes.length : end);
    if (this.#starts.length > 0 && opening === this.#opening && size >= this.end) return;
    // Another file stands here (erased and begun anew), or one that was cut: what was read before is void.
    this.#reset();
    const text = bytes.toString("utf8", 0, end < 0 ? bytes.length : end);
    const begin = end >= 0 && this.#isOurs(text) ? end + 1 : await this.#findRecords(file, size, text);
    this.#opening = opening;
    this.#starts.push(begin);
  }

  /** Whether this is the header of this file; `false`: it is damaged. */
  #isOurs(text: string): boolean {
    const { said, isSound } = headerOf(text);
    if (!isSound) return false;
    this.#refuseNewer(said.schema, "update to open it");
    if (said.credence === this.#kind && said.context === this.#context) return true;
    const whose = `this is not the ${this.#kind} file of context ${JSON.stringify(this.#context)} but the ${said.credence} file of ${JSON.stringify(said.context)}`;
    throw this.#corrupt(0, `${whose}; put it back where it belongs, and the right file here from a backup`);
  }

  #refuseNewer(schema: unknown, remedy: string): void {
    if (typeof schema !== "number" || schema <= SCHEMA) return;
    const message = `${this.path} was written by a newer Credence (schema ${schema}, this one reads up to ${SCHEMA}); ${remedy}`;
    throw new JournalError("store-newer-schema", message, { found: schema, supported: SCHEMA });
  }

  /**
   * Where the records begin behind a header that is damaged. One sealed record proves the form; without any nobody knows what this
   * file is. A header that can still be read to be newer is believed, however damaged it is.
   */
  async #findRecords(file: FileHandle, size: number, text: string): Promise<number> {
    const said = /"schema":(\d{1,9})[,}]/.exec(text.split(',"value":', 1)[0] ?? "");
    const remedy = "update to open it; where no newer one ever wrote, its first line is damaged: put the file from a backup here";
    this.#refuseNewer(said ? Number(said[1]) : undefined, remedy);
    const bytes = await readAt(file, 0, size);
    const first = bytes.indexOf(NEWLINE);
    // Where the line break of the header is gone, the first record stands in its line.
    for (let at = bytes.indexOf(SEAL); at >= 0 && at < first; at = bytes.indexOf(SEAL, at + 1)) {
      if (!unseal(bytes.toString("utf8", at, first)).damaged) return this.#lose(bytes.subarray(0, at), at);
    }
    for (let start = first + 1, end; first >= 0 && (end = bytes.indexOf(NEWLINE, start)) >= 0; start = end + 1) {
      if (!unseal(bytes.toString("utf8", start, end)).damaged) return this.#lose(bytes.subarray(0, first), first + 1);
    }
    const problem = "the first line is damaged, and no record behind it can be read that would say what this file is";
    throw this.#corrupt(0, `${problem}; move it out of the way and put the file from a backup here`);
  }

  #lose(bytes: Buffer, begin: number): number {
    const text = bytes.toString("utf8");
    const isText = Buffer.from(text).equals(bytes);
    if (bytes.length === 0) this.#lost = { detail: "the first line, which says what the file is, is missing", raw: null };
    else if (isText) this.#lost = { detail: "the first line, which says what the file is, is damaged", raw: text };
    else this.#lost = { detail: "the first line, which says what the file is, is damaged; its bytes are in base64", raw: bytes.toString("base64") };
    return begin;
  }

  /** The lines from the one at place `from` (0 is the first) to the end. */
  async lines(from = 0): Promise<Line[]> {
    const file = await this.#opened();
    if (!file) return [];
    try {
      // Another file may stand here since the last look.
      await this.catchUp(file);
      const start = this.#starts[from];
      if (start === undefined || from >= this.count) return [];
      const bytes = await readAt(file, start, this.end - start);
      // One before the next line's start is the line break.
      const text = (at: number, n: number) => bytes.toString("utf8", at - start, (this.#starts[from + n + 1] ?? at) - 1 - start);
      return this.#starts.slice(from, -1).map((at, n) => unseal(text(at, n)));
    } finally {
      await file.close();
    }
  }

  /**
   * Appends lines after {@link catchUp}, all or none, with the lock held. `prepare` sees the file caught up and may throw to
   * write nothing. Whatever a crash left behind the last line is cut off first; returns how many bytes that were.
   */
  async append(
    prepare: () => Promise<readonly Line[]> | readonly Line[],
    durable: boolean,
  ): Promise<{ created: boolean; cut: number }> {
    const handle = await open(this.path, "a+", 0o600);
    try {
      await this.catchUp(handle);
      const lines = await prepare();
      const cut = this.torn;
      const created = this.end === 0;
      let text = created ? this.newHeader() : "";
      const opening = created ? Buffer.from(text.slice(0, -1)).toString("latin1") : this.#opening;
      const begin = created ? Buffer.byteLength(text) : this.end;
      const pieces = lines.map(sealed);
      text += pieces.join("");
      if (cut > 0) await handle.truncate(this.end);
      this.torn = 0;
      try {
        await handle.writeFile(text);
        if (durable) await handle.datasync();
      } catch (error) {
        // Takes back what was written of it; where even that fails, the next writer cuts it off or, had the line come
        // whole, the caller finds it when it catches up.
        await handle.truncate(this.end).catch(() => undefined);
        throw error;
      }
      this.#opening = opening;
      if (created) this.#starts.push(begin);
      lines.forEach((line, n) => this.#take(line, this.end + Buffer.byteLength(pieces[n] ?? "")));
      return { created, cut };
    } finally {
      await handle.close();
    }
  }

  /** The first line of another file at this place. */
  newHeader(): string {
    const header: Header = { credence: this.#kind, schema: SCHEMA, context: this.#context, file: randomUUID() };
    const rest = JSON.stringify(header).slice(1);
    return `${SEAL}${sumOf(rest)}",${rest}\n`;
  }

  /** Cuts off what a crash left behind the last line, with the lock held; returns how many bytes that were. */
  async repair(): Promise<number> {
    const handle = await open(this.path, "r+");
    try {
      await this.catchUp(handle);
      const cut = this.torn;
      if (cut > 0) {
        await handle.truncate(this.end);
        await handle.datasync();
        this.torn = 0;
      }
      return cut;
    } finally {
      await handle.close();
    }
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Math.max(0, length));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
