// A memory as programs hold it.
/// <reference lib="esnext.disposable" preserve="true" />

import { asThrown, CredenceError, engineCall } from "./errors.js";
import type {
  AnalyseSettings,
  AnalysisReport,
  Answer,
  Changes,
  Commit,
  CommitOptions,
  ContextSummary,
  Conversation,
  ConversationOptions,
  Entity,
  ListOptions,
  Memory as Handle,
  MemoryEvent,
  Pending,
  Progress,
  Proposition,
  PropositionDetail,
  Remembered,
  Revision,
  SearchOptions,
  SearchResult,
  Turn,
  UndoOptions,
  Undone,
  Utterance,
} from "./wasm/credence.js";

/** How {@link Memory.analyse} works. */
export interface AnalyseOptions extends AnalyseSettings {
  /** Called after each stretch of turns. */
  onProgress?: (progress: Progress) => void;
  /** Ends it; what was committed by then stays. */
  signal?: AbortSignal;
}

/** How {@link Memory.answer} works. */
export interface AnswerOptions {
  /** Called with each piece of the answer as it comes. */
  onText?: (piece: string) => void;
  /** Ends it; what had come by then is kept as a stopped turn. */
  signal?: AbortSignal;
}

/** Opens another context of the same journal, with the same model and settings. */
export type OpenContext = (name: string) => Promise<Memory>;

/**
 * One context's memory. Every method reads what other tabs and programs have committed before it answers, and everything that
 * is thrown is a {@link CredenceError}.
 */
export class Memory {
  readonly #handle: Handle;
  readonly #open: OpenContext;
  /** Calls under way: the engine's side is closed when the last of them is done. */
  #running = 0;
  #closed = false;
  /** The context's name. */
  readonly name: string;
  /** Why nothing outlives the page, where the browser would not store: show it. Else `null`. */
  readonly volatile: string | null;

  /** Use {@link openMemory}. @internal */
  constructor(handle: Handle, open: OpenContext, volatile: string | null) {
    this.#handle = handle;
    this.#open = open;
    this.name = handle.context;
    this.volatile = volatile;
  }

  async #call<T>(call: () => Promise<T>): Promise<T> {
    if (this.#closed) throw closed();
    this.#running += 1;
    try {
      return await engineCall(call);
    } finally {
      this.#running -= 1;
      this.#closeWhenDone();
    }
  }

  #closeWhenDone(): void {
    if (this.#closed && this.#running === 0) this.#handle.close();
  }

  /** Keeps a statement in plain words. What cannot be read as a fact is kept word for word. */
  remember(text: string): Promise<Remembered> {
    return this.#call(() => this.#handle.remember(text));
  }

  /** Looks facts up by words and meaning, and records what was supplied. */
  search(query: string, options: SearchOptions = {}): Promise<SearchResult> {
    return this.#call(() => this.#handle.search(query, options));
  }

  /** Lists propositions; those that may be recalled, unless `options` says otherwise. */
  propositions(options: ListOptions = {}): Promise<Proposition[]> {
    return this.#call(() => this.#handle.propositions(options));
  }

  /** Everything about one proposition, forgotten ones included. */
  proposition(id: string): Promise<PropositionDetail> {
    return this.#call(() => this.#handle.proposition(id));
  }

  /** The life of a proposition, newest first. */
  history(id: string): Promise<Revision[]> {
    return this.#call(() => this.#handle.history(id));
  }

  /** Who and what the propositions are about, the user first. */
  entities(): Promise<Entity[]> {
    return this.#call(() => this.#handle.entities());
  }

  /** Commits, oldest first. */
  commits(options: CommitOptions = {}): Promise<Commit[]> {
    return this.#call(() => this.#handle.commits(options));
  }

  /** Changes a proposition on a person's behalf; `null` when nothing differs. */
  edit(id: string, changes: Changes): Promise<Commit | null> {
    return this.#call(() => this.#handle.edit(id, changes));
  }

  /** Puts a proposition into every prompt and exempts it from being retired; `null` when it is pinned already. */
  pin(id: string): Promise<Commit | null> {
    return this.#call(() => this.#handle.pin(id, true));
  }

  /** Takes the pin off; `null` when there is none. */
  unpin(id: string): Promise<Commit | null> {
    return this.#call(() => this.#handle.pin(id, false));
  }

  /** Takes a proposition out of memory. Its history stays until the context is erased. */
  forget(id: string): Promise<Commit | null> {
    return this.#call(() => this.#handle.forget(id));
  }

  /** Takes a commit back, or what it did to some records. That is a commit of its own, which can be taken back in turn. */
  undo(commit: string, options: UndoOptions = {}): Promise<Undone> {
    return this.#call(() => this.#handle.undo(commit, options));
  }

  /** Opens a conversation. */
  startConversation(options: ConversationOptions = {}): Promise<Conversation> {
    return this.#call(() => this.#handle.startConversation(options));
  }

  /** Conversations, as they were opened. */
  conversations(): Promise<Conversation[]> {
    return this.#call(() => this.#handle.conversations());
  }

  /** The turns of a conversation, in order. */
  turns(conversation: string): Promise<Turn[]> {
    return this.#call(() => this.#handle.turns(conversation));
  }

  /** Keeps what somebody said. Nothing is learnt from it before {@link analyse}. */
  say(utterance: Utterance): Promise<Turn> {
    return this.#call(() => this.#handle.say(utterance));
  }

  /** Answers the last turn of a conversation with what memory knows. A model that fails gives a turn whose state is `"failed"`. */
  answer(conversation: string, options: AnswerOptions = {}): Promise<Answer> {
    return this.#call(() => {
      const { onText, signal } = known("options", options, ["onText", "signal"]);
      return this.#handle.answer(conversation, listener("options.onText", onText), aborter(signal));
    });
  }

  /** Turns what was said into propositions, one commit for each stretch of turns. What fails waits and can be tried again. */
  analyse(conversation: string, options: AnalyseOptions = {}): Promise<AnalysisReport[]> {
    return this.#call(() => {
      const { onProgress, signal, ...settings } = options;
      return this.#handle.analyse(conversation, settings, listener("options.onProgress", onProgress), aborter(signal));
    });
  }

  /** What of a conversation waits to be analysed. */
  pending(conversation: string): Promise<Pending> {
    return this.#call(() => this.#handle.pending(conversation));
  }

  /** The whole memory as JSON: every commit and use record, with a checksum. No key is ever in it. */
  export(): Promise<string> {
    return this.#call(() => this.#handle.export());
  }

  /** Another context of the same journal. It is closed on its own. */
  context(name: string): Promise<Memory> {
    return this.#call(() => this.#open(name));
  }

  /** Every context of the journal that holds something, by name. */
  contexts(): Promise<ContextSummary[]> {
    return this.#call(() => this.#handle.contexts());
  }

  /** Takes in what other tabs and programs have committed; says how many commits were new. */
  refresh(): Promise<number> {
    return this.#call(() => this.#handle.refresh());
  }

  /** Calls `listener` after everything that happens, until the returned function is called or the memory is closed. */
  subscribe(listener: (event: MemoryEvent) => void): () => void {
    if (this.#closed) throw closed();
    if (typeof listener !== "function") throw new CredenceError("invalid-argument", "listener: expected a function");
    try {
      const listening = this.#handle.subscribe(listener);
      return () => listening.end();
    } catch (thrown) {
      throw asThrown(thrown);
    }
  }

  /** Removes the context from its journal with all its history, beyond undo, and closes the memory. */
  async erase(): Promise<void> {
    await this.#call(() => this.#handle.erase());
    this.#closed = true;
  }

  /** Closes the memory. Calls that are under way finish; later ones throw `closed`. What is stored stays. */
  close(): void {
    this.#closed = true;
    this.#closeWhenDone();
  }

  /** `using memory = await openMemory(…)` closes it at the end of the block. */
  [Symbol.dispose](): void {
    this.close();
  }
}

function closed(): CredenceError {
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

function listener<F>(argument: string, value: F | undefined): F | undefined {
  if (value !== undefined && typeof value !== "function") {
    throw new CredenceError("invalid-argument", `${argument}: expected a function`);
  }
  return value;
}

function aborter(value: AbortSignal | undefined): AbortSignal | undefined {
  if (value !== undefined && !(value instanceof AbortSignal)) {
    throw new CredenceError("invalid-argument", "options.signal: expected an AbortSignal");
  }
  return value;
}
