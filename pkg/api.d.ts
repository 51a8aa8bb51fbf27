// ---- dist/index.d.ts
import type { Memory } from "./memory.js";
import { type OpenOptions } from "./open.js";
export * from "./api.js";
/** Opens the memory of one context; it is empty when nobody has written to it. */
export declare function openMemory(options?: OpenOptions): Promise<Memory>;

// ---- dist/api.d.ts
export { CredenceError, type ErrorCode } from "./errors.js";
export { indexedDb, JournalError, memoryJournal } from "./journal.js";
export type { BuiltInJournal, HostJournal, Journal, JournalEntry, JournalErrorCode, JournalHead, JournalUse, JournalVector, } from "./journal.js";
export type { Memory } from "./memory.js";
export type { AnalyseOptions, AnswerOptions } from "./memory.js";
export type { HostModel, HostReply } from "./model.js";
export type { OpenOptions } from "./open.js";
export type { AnalyseSettings, AnalysisReport, Answer, Changes, Commit, CommitActor, CommitCause, CommitOptions, ContextSummary, Conversation, ConversationOptions, Dropped, EndpointOptions, Entity, LeftOut, ListOptions, ListOrder, MemoryEvent, MemorySettings, Mention, ModelMessage, ModelRequest, ModelRole, ModelSchema, Outcome, Pending, Problem, Progress, Proposition, PropositionDetail, Remembered, Revision, SearchHit, SearchOptions, SearchResult, Source, Speaker, Status, Turn, UndoOptions, Undone, Utterance, When, } from "./wasm/credence.js";

// ---- dist/open.d.ts
import { type Journal } from "./journal.js";
import { Memory } from "./memory.js";
import type { HostModel } from "./model.js";
import type { Platform } from "./platform.js";
import type { EndpointOptions, MemorySettings } from "./wasm/credence.js";
/** How a memory is opened. Everything has a default, except in Node.js the journal. */
export interface OpenOptions {
    /** The context's name: a user, a team, a story. 1 to 200 characters. Default `"default"`. */
    context?: string;
    /**
     * Where memories are kept: {@link indexedDb}, {@link memoryJournal}, `fileJournal` of `credence/node`, or a store of your
     * own. Default in a browser: `indexedDb()`.
     */
    journal?: Journal;
    /**
     * What searches by meaning: `"default"` is the model that ships with the package (English, 3.8 MB), `false` none (searches
     * go by words), else the address or the bytes of a model file of that form. Default `"default"`.
     */
    embedding?: "default" | false | URL | Uint8Array;
    /** A model server. Without one, and without {@link model}, built-in rules do the work. */
    endpoint?: EndpointOptions;
    /** A model of your own; not together with {@link endpoint}. */
    model?: HostModel;
    /** How the memory behaves. */
    settings?: MemorySettings;
}
export declare function openOn(platform: Platform, options: OpenOptions): Promise<Memory>;

// ---- dist/memory.d.ts
/// <reference lib="esnext.disposable" preserve="true" />
import type { AnalyseSettings, AnalysisReport, Answer, Changes, Commit, CommitOptions, ContextSummary, Conversation, ConversationOptions, Entity, ListOptions, Memory as Handle, MemoryEvent, Pending, Progress, Proposition, PropositionDetail, Remembered, Revision, SearchOptions, SearchResult, Turn, UndoOptions, Undone, Utterance } from "./wasm/credence.js";
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
export declare class Memory {
    #private;
    /** The context's name. */
    readonly name: string;
    /** Why nothing outlives the page, where the browser would not store: show it. Else `null`. */
    readonly volatile: string | null;
    /** Use {@link openMemory}. @internal */
    constructor(handle: Handle, open: OpenContext, volatile: string | null);
    /** Keeps a statement in plain words. What cannot be read as a fact is kept word for word. */
    remember(text: string): Promise<Remembered>;
    /** Looks facts up by words and meaning, and records what was supplied. */
    search(query: string, options?: SearchOptions): Promise<SearchResult>;
    /** Lists propositions; those that may be recalled, unless `options` says otherwise. */
    propositions(options?: ListOptions): Promise<Proposition[]>;
    /** Everything about one proposition, forgotten ones included. */
    proposition(id: string): Promise<PropositionDetail>;
    /** The life of a proposition, newest first. */
    history(id: string): Promise<Revision[]>;
    /** Who and what the propositions are about, the user first. */
    entities(): Promise<Entity[]>;
    /** Commits, oldest first. */
    commits(options?: CommitOptions): Promise<Commit[]>;
    /** Changes a proposition on a person's behalf; `null` when nothing differs. */
    edit(id: string, changes: Changes): Promise<Commit | null>;
    /** Puts a proposition into every prompt and exempts it from being retired; `null` when it is pinned already. */
    pin(id: string): Promise<Commit | null>;
    /** Takes the pin off; `null` when there is none. */
    unpin(id: string): Promise<Commit | null>;
    /** Takes a proposition out of memory. Its history stays until the context is erased. */
    forget(id: string): Promise<Commit | null>;
    /** Takes a commit back, or what it did to some records. That is a commit of its own, which can be taken back in turn. */
    undo(commit: string, options?: UndoOptions): Promise<Undone>;
    /** Opens a conversation. */
    startConversation(options?: ConversationOptions): Promise<Conversation>;
    /** Conversations, as they were opened. */
    conversations(): Promise<Conversation[]>;
    /** The turns of a conversation, in order. */
    turns(conversation: string): Promise<Turn[]>;
    /** Keeps what somebody said. Nothing is learnt from it before {@link analyse}. */
    say(utterance: Utterance): Promise<Turn>;
    /** Answers the last turn of a conversation with what memory knows. A model that fails gives a turn whose state is `"failed"`. */
    answer(conversation: string, options?: AnswerOptions): Promise<Answer>;
    /** Turns what was said into propositions, one commit for each stretch of turns. What fails waits and can be tried again. */
    analyse(conversation: string, options?: AnalyseOptions): Promise<AnalysisReport[]>;
    /** What of a conversation waits to be analysed. */
    pending(conversation: string): Promise<Pending>;
    /** The whole memory as JSON: every commit and use record, with a checksum. No key is ever in it. */
    export(): Promise<string>;
    /** Another context of the same journal. It is closed on its own. */
    context(name: string): Promise<Memory>;
    /** Every context of the journal that holds something, by name. */
    contexts(): Promise<ContextSummary[]>;
    /** Takes in what other tabs and programs have committed; says how many commits were new. */
    refresh(): Promise<number>;
    /** Calls `listener` after everything that happens, until the returned function is called or the memory is closed. */
    subscribe(listener: (event: MemoryEvent) => void): () => void;
    /** Removes the context from its journal with all its history, beyond undo, and closes the memory. */
    erase(): Promise<void>;
    /** Closes the memory. Calls that are under way finish; later ones throw `closed`. What is stored stays. */
    close(): void;
    /** `using memory = await openMemory(…)` closes it at the end of the block. */
    [Symbol.dispose](): void;
}
/** `options` as it is, after its names were checked: a typo must not silently mean the default. */
export declare function known<T extends object>(argument: string, options: T, names: readonly (keyof T & string)[]): T;

// ---- dist/journal.d.ts
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
}
/** The codes that a journal can report. */
export type JournalErrorCode = Extract<ErrorCode, `store-${string}`>;
/** What a {@link HostJournal} throws. */
export declare class JournalError extends Error {
    readonly name = "JournalError";
    readonly code: JournalErrorCode;
    /** With `store-stale`: the head's `seq`. With `store-newer-schema`: the stored schema. */
    readonly found: number | undefined;
    /** With `store-newer-schema`: the newest schema that this release reads. */
    readonly supported: number | undefined;
    /** With `store-corrupt`: which record. */
    readonly at: string | undefined;
    constructor(code: JournalErrorCode, message: string, details?: {
        found?: number;
        supported?: number;
        at?: string;
        cause?: unknown;
    });
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
export declare function memoryJournal(): BuiltInJournal;
/** The browser's own database of this name. Tabs that open the same name see each other's commits. */
export declare function indexedDb(name?: string): BuiltInJournal;

// ---- dist/model.d.ts
import type { ModelRequest } from "./wasm/credence.js";
/** A model of your own: one function. */
export interface HostModel {
    /**
     * Answers a prompt. `call.signal` is aborted when the answer is no longer wanted. Throw what you like: an error with a
     * numeric `status` counts as that HTTP status, any other as `model-failed`.
     */
    complete(request: ModelRequest, call: {
        readonly signal: AbortSignal;
    }): HostReply | Promise<HostReply>;
}
/** The answer, alone or with the name of the model that gave it. */
export type HostReply = string | {
    readonly text: string;
    readonly model?: string;
};

// ---- dist/errors.d.ts
import type { ErrorCode } from "./wasm/credence.js";
export type { ErrorCode };
/** Everything that this package throws: `code` is for programs, `message` tells a person what to do. */
export declare class CredenceError extends Error {
    readonly name = "CredenceError";
    readonly code: ErrorCode;
    constructor(code: ErrorCode, message: string, options?: ErrorOptions);
}
/** The engine's errors as {@link CredenceError}; others, which a caller's own code threw, as they are. */
export declare function asThrown(thrown: unknown): unknown;
/** Runs a call of the engine. */
export declare function engineCall<T>(call: () => T | Promise<T>): Promise<T>;

// ---- dist/node/index.d.ts
export { fileJournal } from "./file-journal.js";
export type { FileJournal, FileJournalOptions, FileJournalWarning } from "./file-journal.js";

// ---- dist/node/file-journal.d.ts
import { type HostJournal } from "../journal.js";
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
export declare function fileJournal(path: string, options?: FileJournalOptions): FileJournal;

// ---- dist/wasm/credence.d.ts
/* tslint:disable */
/* eslint-disable */

/**
 * What went wrong, as a word that programs can rely on. Later releases may add words.
 */
export type ErrorCode =
/** An argument cannot be used; the message names it. */
| "invalid-argument"
/** There is no such record in this memory, or it was removed. */
| "not-found"
/** Another writer changed the same record first. */
| "conflict"
/** The conversation is being analysed already. */
| "busy"
/** An abort signal ended the call. */
| "cancelled"
/** The handle was closed. */
| "closed"
/** The engine could not be loaded, or stopped on a defect of its own. */
| "engine-failed"
/** The embedding model could not be loaded. */
| "embedding-failed"
/** A context name cannot be used. */
| "bad-context"
/** A prompt template cannot be used. */
| "bad-template"
/** A file to import cannot be read. */
| "bad-import"
/** A proposition would be ill-formed, or its status may not move so. */
| "invalid-proposition"
/** The log has no such commit. */
| "no-such-commit"
/** The model's answer could not be read, even after one repair. */
| "unreadable-reply"
/** The journal: another writer moved the head. */
| "store-stale"
/** The journal: no space left. */
| "store-quota"
/** The journal: a stored record is damaged. */
| "store-corrupt"
/** The journal: written by a newer release. */
| "store-newer-schema"
/** The journal: another tab keeps an older version of the database open. */
| "store-blocked"
/** The journal: a newer release took the database over. */
| "store-superseded"
/** The journal: data cannot be kept here. */
| "store-unavailable"
/** The journal: anything else. */
| "store-failed"
/** The model: none is connected. */
| "model-not-connected"
/** The model: no server answers. */
| "model-unreachable"
/** The model: the browser may not read the server's answer. */
| "model-cors"
/** The model: the key was refused. */
| "model-bad-key"
/** The model: the endpoint does not have it. */
| "model-unknown"
/** The model: no quota left. */
| "model-quota-exhausted"
/** The model: an https page may not call an http address. */
| "model-mixed-content"
/** The model: too many calls. */
| "model-rate-limited"
/** The model: the server failed. */
| "model-server"
/** The model: the request was refused. */
| "model-refused"
/** The model: the connection broke off. */
| "model-broken-off"
/** The model: no answer in time. */
| "model-timeout"
/** The model: cancelled. */
| "model-cancelled"
/** The model: its answer is not what the interface promises. */
| "model-malformed"
/** The model: the program's own model function failed. */
| "model-failed";


/**
 * A JSON shape that a reply must have.
 */
export interface ModelSchema {
    /**
     * A short identifier.
     */
    name: string;
    /**
     * JSON Schema, draft 2020-12.
     */
    schema: Record<string, unknown>;
}

/**
 * A span of a proposition and the entity that it means.
 */
export interface Mention {
    /**
     * As the proposition says it.
     */
    span: string;
    /**
     * The kind of thing, for example `Person`; empty when unknown.
     */
    kind: string;
    /**
     * What it does in the statement.
     */
    role: "SUBJECT" | "OBJECT" | "OTHER";
    /**
     * Id of the entity, when resolved.
     */
    entity: string | null;
}

/**
 * A thread of turns.
 */
export interface Conversation {
    /**
     * Stable for life.
     */
    id: string;
    /**
     * A few words; empty until the first user turn gives it some.
     */
    title: string;
    /**
     * The file that it was imported from.
     */
    importedFrom: string | null;
    /**
     * Opened (ms).
     */
    created: number;
}

/**
 * A turn that a proposition rests on.
 */
export interface Source {
    /**
     * Id of the turn.
     */
    turn: string;
    /**
     * Id of its conversation.
     */
    conversation: string;
    /**
     * The conversation's title.
     */
    title: string;
    /**
     * Who spoke.
     */
    speaker: string;
    /**
     * What was said.
     */
    text: string;
    /**
     * When (ms).
     */
    at: number;
}

/**
 * An answered turn.
 */
export interface Answer {
    /**
     * The assistant's turn as it was stored. A model that failed is told here: `turn.state` is `"failed"`.
     */
    turn: Turn;
    /**
     * What memory gave to the prompt.
     */
    recalled: SearchHit[];
    /**
     * Things worth knowing about the call.
     */
    notes: string[];
}

/**
 * Everything about one proposition.
 */
export interface PropositionDetail {
    /**
     * As it stands, or as it last stood when it was forgotten.
     */
    proposition: Proposition;
    /**
     * Whether it was forgotten.
     */
    removed: boolean;
    /**
     * The turns that it rests on.
     */
    sources: Source[];
    /**
     * The entities that it mentions.
     */
    entities: Entity[];
    /**
     * Propositions that it replaced or contradicts, and those that did so to it.
     */
    related: Proposition[];
    /**
     * Its life, newest first.
     */
    revisions: Revision[];
}

/**
 * How a conversation begins.
 */
export interface ConversationOptions {
    /**
     * A few words for lists. Default: the first words of the user's first turn.
     */
    title?: string;
}

/**
 * How a conversation is analysed.
 */
export interface AnalyseSettings {
    /**
     * Default `"now"`.
     */
    when?: When;
}

/**
 * How a memory behaves.
 */
export interface MemorySettings {
    /**
     * The user's own name, when it is known; otherwise memory learns it from what they say.
     */
    userName?: string;
    /**
     * New turns that {@link Memory.analyse} waits for with `when: "due"`: 1 to 20. Default 2.
     */
    triggerInterval?: number;
    /**
     * Facts put into a prompt, pinned ones included: 0 to 100. Default 12.
     */
    recallLimit?: number;
    /**
     * Effective confidence below which a fact is not recalled: 0 to 1. Default 0.1.
     */
    recallFloor?: number;
    /**
     * How fast confidence fades: effective confidence is `confidence * e^(-decay * decayK * days)`; above 0. Default 2.
     */
    decayK?: number;
}

/**
 * How a search is made.
 */
export interface SearchOptions {
    /**
     * Most hits. Default 10.
     */
    limit?: number;
    /**
     * Whether pinned propositions come first, whatever the query. Default: no.
     */
    includePinned?: boolean;
    /**
     * A name of the caller's for what the search is for; kept in the use record.
     */
    step?: string;
}

/**
 * How far an analysis has come, in turns.
 */
export interface Progress {
    /**
     * Turns done by this call.
     */
    done: number;
    /**
     * Turns that waited when it began.
     */
    total: number;
}

/**
 * How many candidates were considered and left out.
 */
export interface LeftOut {
    /**
     * Why.
     */
    reason: string;
    /**
     * How many.
     */
    count: number;
}

/**
 * One call of a model.
 */
export interface ModelRequest {
    /**
     * What it is for.
     */
    role: ModelRole;
    /**
     * The prompt, system messages first.
     */
    messages: ModelMessage[];
    /**
     * 0 to 2.
     */
    temperature: number | null;
    /**
     * Most tokens of the answer.
     */
    maxTokens: number | null;
    /**
     * Wanted JSON shape. Where the model cannot be held to it, prose around the JSON is tolerated.
     */
    schema: ModelSchema | null;
}

/**
 * One change of memory: everything that it wrote came together.
 */
export interface Commit {
    /**
     * Unique across devices.
     */
    id: string;
    /**
     * 1, 2, 3, … within the context.
     */
    seq: number;
    /**
     * Id of the commit that it follows; `null` for the first.
     */
    parent: string | null;
    /**
     * When (ms); never before the commit that it follows.
     */
    at: number;
    /**
     * Why.
     */
    cause: CommitCause;
    /**
     * Who.
     */
    actor: CommitActor;
    /**
     * In words.
     */
    reason: string;
    /**
     * Ids of the records that it wrote or removed: propositions (`P…`), entities (`E…`), conversations (`V…`), turns
     * (`T…`), bookmarks (`B…`), analyses (`A…`).
     */
    records: string[];
}

/**
 * One memory of a journal.
 */
export interface ContextSummary {
    /**
     * Its name.
     */
    context: string;
    /**
     * The number of its commits.
     */
    seq: number;
    /**
     * Id of its newest commit.
     */
    head: string;
}

/**
 * One message of a prompt.
 */
export interface ModelMessage {
    /**
     * Who says it.
     */
    role: "system" | "user" | "assistant";
    /**
     * Plain text.
     */
    content: string;
}

/**
 * One proposition that a search supplied.
 */
export interface SearchHit {
    /**
     * From 1.
     */
    rank: number;
    /**
     * The score that ordered it; comparable within one search alone.
     */
    score: number;
    /**
     * Why it was chosen, in words.
     */
    why: string;
    /**
     * The proposition.
     */
    proposition: Proposition;
}

/**
 * One state in the life of a proposition.
 */
export interface Revision {
    /**
     * A number within the context's log.
     */
    revision: number;
    /**
     * Id of the commit that made it.
     */
    commit: string;
    /**
     * That commit's `seq`.
     */
    seq: number;
    /**
     * When (ms).
     */
    at: number;
    /**
     * Why the commit was made.
     */
    cause: CommitCause;
    /**
     * Who made it.
     */
    actor: CommitActor;
    /**
     * Why this proposition changed, in words.
     */
    why: string;
    /**
     * What it was after; `null` when it was removed. Its `effectiveConfidence` is what it was worth at `at`.
     */
    value: Proposition | null;
    /**
     * An earlier revision with the same content: the belief came back.
     */
    sameAs: number | null;
}

/**
 * One statement, how sure memory is of it, and what it is worth now.
 */
export interface Proposition {
    /**
     * Stable for life.
     */
    id: string;
    /**
     * Its present revision: a number within its context's log.
     */
    revision: number;
    /**
     * One self-contained sentence.
     */
    text: string;
    /**
     * Where it stands.
     */
    status: Status;
    /**
     * How sure the source left us: 0 to 1.
     */
    confidence: number;
    /**
     * What is left of that now: 0 to 1.
     */
    effectiveConfidence: number;
    /**
     * How fast confidence fades: 0 (stable) to 1 (gone within a day or two).
     */
    decay: number;
    /**
     * How much it matters: 0 to 1.
     */
    importance: number;
    /**
     * Always put into prompts, never retired by evidence or time.
     */
    pinned: boolean;
    /**
     * Why it was extracted, in the extractor's words.
     */
    reasoning: string | null;
    /**
     * Who and what it is about.
     */
    mentions: Mention[];
    /**
     * Ids of the turns that it rests on.
     */
    turns: string[];
    /**
     * Whose words it rests on.
     */
    voice: "user" | "other" | "assistant" | "document";
    /**
     * Who read it out of them: the built-in rules, a model, a person, or an import.
     */
    extractor: "rules" | "model" | "person" | "import";
    /**
     * The model, when a model did.
     */
    model: string | null;
    /**
     * First written (ms).
     */
    created: number;
    /**
     * Text, mentions or confidence last changed (ms): confidence fades from here.
     */
    contentRevised: number;
    /**
     * Anything else last changed (ms).
     */
    metadataRevised: number;
    /**
     * When the source said it (ms).
     */
    observedAt: number | null;
    /**
     * Start of its validity, inclusive (ms).
     */
    validFrom: number | null;
    /**
     * End of its validity, exclusive (ms).
     */
    validTo: number | null;
    /**
     * Retracted (ms).
     */
    invalidatedAt: number | null;
    /**
     * Ids of propositions that it replaced.
     */
    supersedes: string[];
    /**
     * Ids of propositions that it contradicts.
     */
    contradicts: string[];
    /**
     * How often later evidence agreed.
     */
    reinforceCount: number;
    /**
     * 0: an observation; n: the depth of abstraction.
     */
    level: number;
    /**
     * Open-ended facts about the fact.
     */
    metadata: Record<string, unknown>;
}

/**
 * One turn.
 */
export interface Turn {
    /**
     * Stable for life.
     */
    id: string;
    /**
     * Id of its conversation.
     */
    conversation: string;
    /**
     * Position, from 0.
     */
    index: number;
    /**
     * Who.
     */
    speaker: Speaker;
    /**
     * What, with credentials redacted.
     */
    text: string;
    /**
     * When (ms).
     */
    at: number;
    /**
     * How it ended.
     */
    state: "complete" | "stopped" | "failed";
    /**
     * Why it failed.
     */
    failure: Problem | null;
    /**
     * The model that answered; `built-in` without one.
     */
    model: string | null;
    /**
     * Id of the use record that says what memory gave to this answer.
     */
    use: string | null;
}

/**
 * Somebody or something that propositions are about.
 */
export interface Entity {
    /**
     * Stable for life.
     */
    id: string;
    /**
     * The name that is shown.
     */
    name: string;
    /**
     * Kinds, for example `Person`.
     */
    labels: string[];
    /**
     * Other names.
     */
    aliases: string[];
    /**
     * The person whose memory this is.
     */
    isUser: boolean;
    /**
     * Live propositions that mention it.
     */
    propositions: number;
}

/**
 * Something that did not become a proposition.
 */
export interface Dropped {
    /**
     * Its text, cut to 300 characters; empty for secrets.
     */
    text: string;
    /**
     * Why, as a word. Later releases may add words.
     */
    reason: string;
    /**
     * Why, in words.
     */
    explanation: string;
    /**
     * What exactly, where there is more to say; else empty.
     */
    detail: string;
}

/**
 * Something that happened, after it happened. Later releases may add types: ignore those that you do not know.
 */
export type MemoryEvent = { type: "committed"; commit: Commit; remote: boolean } | { type: "used"; use: string; query: string; step: string; propositions: string[]; leftOut: LeftOut[] } | { type: "analysis-started"; conversation: string; from: number; to: number } | { type: "analysed"; report: AnalysisReport } | { type: "analysis-failed"; conversation: string; code: string; reason: string };

/**
 * The order of a list of propositions.
 */
export type ListOrder = "oldest" | "newest" | "revised" | "confidence" | "importance" | "reinforced";

/**
 * What a model call is for.
 */
export type ModelRole = "chat" | "extract" | "revise" | "resolve" | "judge" | "adversary" | "embed";

/**
 * What a search brought. An unrelated query brings nothing.
 */
export interface SearchResult {
    /**
     * Best first.
     */
    hits: SearchHit[];
    /**
     * What was considered and left out, and why.
     */
    leftOut: LeftOut[];
    /**
     * Id of the use record that says what was supplied.
     */
    use: string;
    /**
     * Things worth knowing: that it was searched by words alone, for example.
     */
    notes: string[];
}

/**
 * What an undo did.
 */
export interface Undone {
    /**
     * Id of the commit that restores; `null` when nothing was left to restore. It can be undone in turn.
     */
    commit: string | null;
    /**
     * Ids of records that are again what they were.
     */
    restored: string[];
    /**
     * Ids of records that later commits have changed: left as they are.
     */
    conflicts: string[];
}

/**
 * What became of a remembered statement.
 */
export interface Remembered {
    /**
     * The propositions that hold it now.
     */
    propositions: Proposition[];
    /**
     * What became of each statement in the text.
     */
    outcomes: Outcome[];
    /**
     * What was dropped, and why.
     */
    dropped: Dropped[];
}

/**
 * What became of one statement that was found in a text.
 */
export interface Outcome {
    /**
     * Stored anew; joined to the same statement; made a similar one surer; stored, and what it contradicts retired; stored
     * beside what it generalises.
     */
    kind: "new" | "merged" | "reinforced" | "contradicted" | "generalized" | "disputed" | "outdated";
    /**
     * Id of the proposition that holds the statement now.
     */
    proposition: string;
    /**
     * Ids of propositions that were retired, reinforced or generalised by it.
     */
    others: string[];
    /**
     * The statement as it was found.
     */
    text: string;
    /**
     * Who decided, and why, in words.
     */
    why: string;
}

/**
 * What of a commit is undone.
 */
export interface UndoOptions {
    /**
     * Ids of the records to take back. Default: everything that the commit wrote.
     */
    only?: readonly string[];
}

/**
 * What of a conversation waits to be analysed.
 */
export interface Pending {
    /**
     * Turns.
     */
    turns: number;
    /**
     * Why they wait, when an analysis failed.
     */
    failure: Problem | null;
}

/**
 * What somebody says.
 */
export interface Utterance {
    /**
     * The conversation's id.
     */
    conversation: string;
    /**
     * Who says it: the user, the assistant, or somebody else by name. Default `"user"`.
     */
    speaker?: Speaker;
    /**
     * What; not blank. Credentials in it are redacted before it is kept.
     */
    text: string;
}

/**
 * What the analysis of one stretch of a conversation brought.
 */
export interface AnalysisReport {
    /**
     * Stable for life.
     */
    id: string;
    /**
     * Id of the conversation.
     */
    conversation: string;
    /**
     * Index of the first turn that was analysed.
     */
    from: number;
    /**
     * One past the index of the last.
     */
    to: number;
    /**
     * When (ms).
     */
    at: number;
    /**
     * Who extracted.
     */
    extractor: "rules" | "model" | "person" | "import";
    /**
     * The model, when a model did.
     */
    model: string | null;
    /**
     * What became of each statement, in order.
     */
    outcomes: Outcome[];
    /**
     * What was dropped, and why.
     */
    dropped: Dropped[];
    /**
     * Model calls.
     */
    calls: number;
    /**
     * Tokens of all prompts, as the server counted or else estimated.
     */
    promptTokens: number;
    /**
     * Tokens of all answers.
     */
    completionTokens: number;
    /**
     * Repairs and other things worth knowing.
     */
    notes: string[];
}

/**
 * What to change of a proposition; what is left out stays.
 */
export interface Changes {
    /**
     * New wording; not blank.
     */
    text?: string;
    /**
     * 0 to 1.
     */
    confidence?: number;
    /**
     * 0 (stable) to 1 (gone within a day or two).
     */
    decay?: number;
    /**
     * 0 to 1.
     */
    importance?: number;
    /**
     * Where it shall stand. A retired proposition can only become `"ACTIVE"` again.
     */
    status?: Status;
}

/**
 * When a conversation is analysed.
 */
export type When = "now" | "due";

/**
 * Where a proposition stands: `"ACTIVE"` and `"PROMOTED"` may be recalled; the others are kept and shown, not used.
 */
export type Status = "ACTIVE" | "PROMOTED" | "CONTRADICTED" | "SUPERSEDED" | "STALE";

/**
 * Which commits are listed.
 */
export interface CommitOptions {
    /**
     * Those with a higher `seq`. Default 0: all.
     */
    after?: number;
    /**
     * The newest so many. Default: all.
     */
    limit?: number;
}

/**
 * Which model server is asked, and as what.
 */
export interface EndpointOptions {
    /**
     * The kind of server: `"openai"`, `"anthropic"`, `"openrouter"`, `"gemini"`, `"groq"`, `"ollama"`, `"lm-studio"`,
     * `"llama-cpp"` or `"custom"` (any OpenAI-compatible one). Default `"custom"`.
     */
    preset?: string;
    /**
     * Its address. Default: the preset's own; `"custom"` has none.
     */
    baseUrl?: string;
    /**
     * The key. It is kept in memory and sent to this server alone.
     */
    key?: string;
    /**
     * The model for each role; a role without one takes the preset's default, else that of `"chat"`.
     */
    models?: Partial<Record<ModelRole, string>>;
}

/**
 * Which propositions are listed: those that pass every filter.
 */
export interface ListOptions {
    /**
     * One status or several; `"LIVE"` means those that may be recalled, `"ALL"` any. Default `"LIVE"`.
     */
    status?: "LIVE" | "ALL" | Status | readonly Status[];
    /**
     * Words that must all occur in the text, without regard to case.
     */
    text?: string;
    /**
     * Effective confidence now is at least this: 0 to 1.
     */
    minConfidence?: number;
    /**
     * Pinned ones alone, or the others alone.
     */
    pinned?: boolean;
    /**
     * Default `"oldest"`.
     */
    order?: ListOrder;
    /**
     * Most propositions. Default: all.
     */
    limit?: number;
}

/**
 * Who made a commit: a person, Credence by its own rules, or the program that embeds it.
 */
export type CommitActor = "person" | "engine" | "host";

/**
 * Who speaks: the user whose memory this is, the assistant, or somebody else by name.
 */
export type Speaker = "user" | "assistant" | { name: string };

/**
 * Why a commit was made. Later releases may add words.
 */
export type CommitCause = "conversation" | "extraction" | "revision" | "manual" | "forget" | "undo" | "maintenance" | "projection" | "import" | "sync" | "promotion";

/**
 * Why a turn or an analysis failed.
 */
export interface Problem {
    /**
     * As a word.
     */
    code: ErrorCode;
    /**
     * In words for a person.
     */
    reason: string;
}


/**
 * Text to vector.
 */
export class EmbeddingPort {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * A static model from the bytes of its file.
     */
    static fromBytes(bytes: Uint8Array | number[]): EmbeddingPort;
    /**
     * No vectors: searches go by words alone.
     */
    static none(): EmbeddingPort;
}

/**
 * Where a memory is kept.
 */
export class JournalPort {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * An object with the methods of `HostJournal`.
     */
    static host(object: object): JournalPort;
    /**
     * The browser's database of this name; where the browser refuses, memory, with the reason in `volatile`.
     */
    static indexedDb(name: any): Promise<JournalPort>;
    /**
     * A journal in memory.
     */
    static memory(): JournalPort;
    /**
     * Why what is appended does not outlive the page, where the browser's database could not be used.
     */
    readonly volatile: string | undefined;
}

/**
 * A listener's subscription; `end` or dropping it ends it.
 */
export class Listening {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Ends the subscription.
     */
    end(): void;
}

/**
 * One context's memory.
 */
export class Memory {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Turns what was said into propositions. `settings` is an `AnalyseSettings`.
     */
    analyse(conversation: any, settings: any, on_progress?: Function | null, signal?: AbortSignal | null): Promise<AnalysisReport[]>;
    /**
     * Answers a conversation's last turn; `on_text` is called with each piece of the answer.
     */
    answer(conversation: any, on_text?: Function | null, signal?: AbortSignal | null): Promise<Answer>;
    /**
     * Closes the handle. What is stored stays.
     */
    close(): void;
    /**
     * Commits, oldest first. `options` is a `CommitOptions`.
     */
    commits(options: any): Promise<Commit[]>;
    /**
     * Every memory of the journal, by name.
     */
    contexts(): Promise<ContextSummary[]>;
    /**
     * Conversations, as they were opened.
     */
    conversations(): Promise<Conversation[]>;
    /**
     * A person's edit. `changes` is a `Changes`.
     */
    edit(id: any, changes: any): Promise<Commit | null>;
    /**
     * Entities, the user first.
     */
    entities(): Promise<Entity[]>;
    /**
     * Removes the memory from its journal, whole, and closes the handle.
     */
    erase(): Promise<void>;
    /**
     * The whole memory as JSON.
     */
    export(): Promise<string>;
    /**
     * Takes a statement out of the memory.
     */
    forget(id: any): Promise<Commit | null>;
    /**
     * The life of a proposition, newest first.
     */
    history(id: any): Promise<Revision[]>;
    /**
     * Opens the memory of `context`, which is empty when nobody has written to it. `settings` is a `MemorySettings`.
     */
    static open(journal: JournalPort, model: ModelPort, embedding: EmbeddingPort, context: any, settings: any): Promise<Memory>;
    /**
     * What of a conversation waits to be analysed.
     */
    pending(conversation: any): Promise<Pending>;
    /**
     * Pins or unpins.
     */
    pin(id: any, pinned: boolean): Promise<Commit | null>;
    /**
     * Everything about one proposition.
     */
    proposition(id: any): Promise<PropositionDetail>;
    /**
     * Lists propositions. `options` is a `ListOptions`.
     */
    propositions(options: any): Promise<Proposition[]>;
    /**
     * Takes in what others have committed; says how many commits were new.
     */
    refresh(): Promise<number>;
    /**
     * Keeps a statement.
     */
    remember(text: any): Promise<Remembered>;
    /**
     * Keeps what somebody said. `utterance` is an `Utterance`.
     */
    say(utterance: any): Promise<Turn>;
    /**
     * Looks facts up. `options` is a `SearchOptions`.
     */
    search(query: any, options: any): Promise<SearchResult>;
    /**
     * Opens a conversation. `options` is a `ConversationOptions`.
     */
    startConversation(options: any): Promise<Conversation>;
    /**
     * Calls `listener` with a `MemoryEvent` after everything that happens.
     */
    subscribe(listener: Function): Listening;
    /**
     * The turns of a conversation, in order.
     */
    turns(conversation: any): Promise<Turn[]>;
    /**
     * Takes a commit back. `options` is an `UndoOptions`.
     */
    undo(commit: any, options: any): Promise<Undone>;
    /**
     * The context's name.
     */
    readonly context: string;
}

/**
 * A language model.
 */
export class ModelPort {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The model server that `options` (an `EndpointOptions`) names.
     */
    static endpoint(options: any): ModelPort;
    /**
     * An object with the method of `HostModel`.
     */
    static host(object: object): ModelPort;
    /**
     * None: the built-in rules extract, and answers quote memory.
     */
    static none(): ModelPort;
}

/**
 * Runs once when the module is instantiated: a panic, which is a defect of ours, says where it happened before the engine
 * stops.
 */
export function start(): void;
