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
export type { AnalyseOptions, AnswerOptions, MaintainOptions, RetryOptions } from "./memory.js";
export type { HostModel, HostReply } from "./model.js";
export type { OpenOptions } from "./open.js";
export type { AgeCount, AnalyseSettings, AnalysisReport, Answer, AskedStatement, AuthorityTier, Changes, Commit, CommitActor, CommitCause, CommitLine, CommitOptions, ConflictKind, ConflictSettings, ContextSummary, Conversation, ConversationOptions, CostRange, Decision, DocumentOptions, DocumentReceipt, Dropped, DuplicatePair, EndpointOptions, EndpointPrice, Entity, EntityChange, EntityDuplicate, EntityMention, EntityName, EntityOptions, EntityPage, EntitySearcher, Estimate, ExtractionSettings, FailedStretch, ForgottenSource, Gate, GateAnswer, GateCheck, GateSettings, InboxItem, IngestSettings, KnowledgeSchema, KnownEntity, LeftOut, ListOptions, ListOrder, MaintainSettings, MaintenanceMark, MaintenancePass, MaintenanceProgress, MaintenanceReport, MaintenanceSettings, MarkResult, MemoryEvent, MemorySettings, Mention, MentionChecks, MentionFilter, MentionPlace, MentionRule, MentionTotals, MergedEntity, ModelMessage, ModelRequest, ModelRole, ModelSchema, Money, NowAlike, Outcome, OwnReason, PassReport, Pending, PendingSource, Problem, Progress, Proposition, PropositionDetail, RejectedMention, Remembered, Resolution, ResolutionCandidate, ResolutionSettings, Revision, RevisionSettings, SchemaSettings, SearchHit, SearchOptions, SearchResult, Source, SourceAddress, Speaker, SplitOptions, Status, TrustSettings, Turn, Undone, UndoOptions, Utterance, When, } from "./wasm/credence.js";

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
import type { AnalyseSettings, AnalysisReport, Answer, Changes, Commit, CommitOptions, ContextSummary, Conversation, ConversationOptions, Decision, DocumentOptions, DocumentReceipt, DuplicatePair, Entity, EntityChange, EntityOptions, EntityPage, Estimate, ForgottenSource, InboxItem, ListOptions, MaintainSettings, MaintenanceProgress, MaintenanceReport, Memory as Handle, MemoryEvent, MentionTotals, Pending, PendingSource, Progress, Proposition, PropositionDetail, Remembered, Revision, SearchOptions, SearchResult, SplitOptions, Turn, Undone, UndoOptions, Utterance } from "./wasm/credence.js";
/** How {@link Memory.analyse} works. */
export interface AnalyseOptions extends AnalyseSettings {
    /** Called after each stretch of turns. */
    onProgress?: (progress: Progress) => void;
    /** Ends it; what was committed by then stays. */
    signal?: AbortSignal;
}
/** How {@link Memory.retryFailed} works. */
export interface RetryOptions {
    /** Called after each stretch of turns. */
    onProgress?: (progress: Progress) => void;
    /** Ends it; what was committed by then stays. */
    signal?: AbortSignal;
}
/** How {@link Memory.maintain} works. */
export interface MaintainOptions extends MaintainSettings {
    /** Called after each step. */
    onProgress?: (progress: MaintenanceProgress) => void;
    /** Ends it; nothing was written then. */
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
    /** Who and what the propositions are about, the user first. Entities that were merged away are not listed. */
    entities(options?: EntityOptions): Promise<Entity[]>;
    /** Everything about one entity. One that was merged away shows the page of the entity that it is part of now. */
    entity(id: string): Promise<EntityPage>;
    /** Says that `other` is `keep`: its mentions, names and kinds go there, and it is hidden until that is taken back. */
    mergeEntities(keep: string, other: string): Promise<EntityChange>;
    /** Takes a merge back, at any later time: the entity that was merged away stands for itself again. */
    unmergeEntity(id: string): Promise<EntityChange>;
    /** Says that part of what is known of an entity is about another one, which is made. */
    splitEntity(id: string, split: SplitOptions): Promise<EntityChange>;
    /** Gives an entity the name that is shown from now on; the old one stays as an alias. `null` when nothing differs. */
    renameEntity(id: string, name: string): Promise<Commit | null>;
    /** Adds a name by which an entity is recognised; `null` when it has it already. */
    addAlias(id: string, alias: string): Promise<Commit | null>;
    /** Takes an alias away, in every spelling. The name that is shown cannot be taken away. */
    removeAlias(id: string, alias: string): Promise<Commit | null>;
    /** Replaces the kinds of an entity; `null` when nothing differs. */
    setEntityLabels(id: string, labels: readonly string[]): Promise<Commit | null>;
    /** Replaces the description of an entity; blank takes it away. `null` when nothing differs. */
    describeEntity(id: string, description: string): Promise<Commit | null>;
    /** Makes an entity unknown: its mentions become plain text, and the propositions stay. */
    forgetEntity(id: string): Promise<EntityChange>;
    /** Pairs of entities that may be one, most alike first, with the reason. */
    possibleDuplicates(): Promise<DuplicatePair[]>;
    /** Says that two entities are not the same: they are not suggested again. `null` when that was said before. */
    dismissDuplicate(a: string, b: string): Promise<Commit | null>;
    /** Questions that wait for a person, oldest first: changes that a gate holds, and conflicts with what is protected. */
    inbox(): Promise<InboxItem[]>;
    /** Answers a question of the inbox. Undoing the commit opens it again. */
    decide(id: string, verdict: "accept" | "reject"): Promise<Decision>;
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
    /** Tries again what failed by itself in a conversation or document, and nothing else. */
    retryFailed(conversation: string, options?: RetryOptions): Promise<AnalysisReport[]>;
    /** What of a conversation waits to be analysed. */
    pending(conversation: string): Promise<Pending>;
    /** Every conversation and document that waits to be analysed, oldest first, and why. */
    pendingAll(): Promise<PendingSource[]>;
    /** What analysing the rest of a conversation or document will cost, before anything is paid. */
    estimate(conversation: string): Promise<Estimate>;
    /**
     * Stores a document as a source, or finds the one that holds its text already. Nothing is learnt from it before
     * {@link analyse}, which takes the receipt's `conversation`. Credentials in it are redacted before it is kept.
     */
    ingestDocument(name: string, text: string, options?: DocumentOptions): Promise<DocumentReceipt>;
    /** Takes a text in under a name and analyses it. `null`: its content is known, and nothing was asked or paid. */
    rememberText(text: string, sourceId: string): Promise<AnalysisReport[] | null>;
    /** Forgets a conversation or document and what rested on it alone. One commit, which can be undone. */
    forgetSource(conversation: string): Promise<ForgottenSource>;
    /** Lets a conversation or document be analysed again, by a better model for example; says how many turns wait then. */
    release(conversation: string): Promise<number>;
    /** What the mention filters let pass and rejected in everything that was analysed. */
    mentionTotals(): Promise<MentionTotals>;
    /**
     * One maintenance run: retires what has faded, unites what is there twice, resolves what cannot both hold. One commit, which can
     * be undone; `dryRun` only says what it would do. A model that fails is told in the report.
     */
    maintain(options?: MaintainOptions): Promise<MaintenanceReport>;
    /** The reports of every maintenance run, newest first. */
    runs(): Promise<MaintenanceReport[]>;
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
/** The conversation is being analysed already, or a maintenance run is under way. */
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



/** Something that is checked before a change is written. */
export type Gate =
/** Refuses what is believed too little now: `min` is the least effective confidence. */
| { gate: "confidence"; min: number }
/** Asks a person before a statement joins a known one or makes it surer. */
| { gate: "merge-candidate" }
/** Asks a person before a known statement is retired by another. */
| { gate: "conflict-classification" }
/** Asks a person where the source is trusted too little. */
| { gate: "trust"; min: number; onMissing?: "persist" | "reject" | "route-to-review" }
/** Keeps faint and contradicted statements out of projections. Default `min`: 0.3. */
| { gate: "projection-eligibility"; min?: number }
/** Asks for the evidence that the schema's relation takes. */
| { gate: "evidence-floor" };

/** The gates that a change passes. */
export interface GateSettings {
    /** In order: the first answer other than to persist is final. Default: evidence floors alone. */
    gates?: readonly Gate[];
    /** Whether a refusal ends the asking. Default: yes. */
    shortCircuit?: boolean;
}

/** What the span of a mention must be to name something. */
export type MentionRule =
| { rule: "not-blank" }
| { rule: "no-vague-references"; starters?: readonly string[] }
| { rule: "length"; min?: number; max?: number }
| { rule: "pattern"; regex: string; description?: string }
| { rule: "min-word-count"; min: number }
| { rule: "entity-type-guard"; patterns: readonly string[] }
| { rule: "all-of"; rules: readonly MentionRule[] }
| { rule: "any-of"; rules: readonly MentionRule[] };

/** What judges a mention in its statement. A rejected mention stays text; its statement is kept. */
export type MentionFilter =
/** By the rules that the schema gives a property of the mention's type. Default `property`: `name`. */
| { filter: "schema-validated"; property?: string }
/** A mention that is the whole statement names nothing. Default `minPropositionLength`: 50 characters. */
| { filter: "proposition-duplicate"; minPropositionLength?: number }
/** A date, a time or a number names nothing that could be met again. A type that the schema declares is wanted. */
| { filter: "time-or-number" }
/** By rules of the program's own, for these types alone; none: for all. */
| { filter: "rules"; rules: readonly MentionRule[]; types?: readonly string[] };

/** How much a source has to say: first-hand, reported, derived, or nobody knows. */
export type AuthorityTier = "PRIMARY" | "SECONDARY" | "DERIVED" | "UNKNOWN";

/** How far a source's word is taken. */
export interface TrustSettings {
    /** How the tier of a statement is found. Default: by its locators, bounded by whose words it rests on. */
    authority?: { by: "voice" } | { by: "structural" } | { by: "fixed"; tier: AuthorityTier };
    /** How the score, 0 to 1, follows from the tier. Default weights: 0.9, 0.75, 0.6, 0.5. */
    scorer?:
    | { by: "authority"; weights?: { primary?: number; secondary?: number; derived?: number; unknown?: number } }
    | { by: "neutral" };
}

/** What kind of conflict two opposed statements are in. */
export type ConflictSettings =
| { detector: "always-contradiction" }
/** Predicates that change with time make a progression. Default: employer, residence, status, role, location, title. */
| { detector: "temporal"; evolving?: readonly string[] };

/** The kinds of things and relations that a memory knows. */
export interface KnowledgeSchema {
    /** What it is called, for people. */
    name?: string;
    /** Kinds of things, in the order in which a model is told of them. */
    types?: readonly {
        name: string;
        description?: string;
        properties?: readonly { name: string; description?: string; rules?: readonly MentionRule[] }[];
        /** Types that it is a kind of. */
        parents?: readonly string[];
        /** Whether a mention may make a new one. Default: yes. */
        creationPermitted?: boolean;
    }[];
    /** Properties whose value is another thing. */
    relationships?: readonly { from: string; to: string; property: string; predicate?: string }[];
    /** Predicates, what evidence they take, and how many values one subject may have. */
    relations?: readonly {
        predicate: string;
        meaning?: string;
        knowledge?: "SEMANTIC" | "EPISODIC" | "PROCEDURAL" | "WORKING";
        subjectType?: string;
        objectType?: string;
        evidenceFloor?: { minConfidence?: number; minAuthority?: AuthorityTier; demoteTo?: string };
        cardinality?: "many" | "one" | "immutable";
    }[];
    /** How strictly extraction keeps to types and predicates. Default: to types alone. */
    adherence?: { entities: boolean; predicates: boolean };
}

/** Schemas by name, and the one in force. */
export interface SchemaSettings {
    /** The name of the schema in force. Default: `default`, which is the built-in one unless `named` has another. */
    inForce?: string;
    /** Schemas by name. */
    named?: Readonly<Record<string, KnowledgeSchema>>;
}


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
 * A caller's own reason to retire a proposition: a source that is gone, for example.
 */
export interface OwnReason {
    /**
     * Id of the proposition.
     */
    proposition: string;
    /**
     * A short word for the kind of reason.
     */
    key: string;
    /**
     * The reason, in words for a person.
     */
    description: string;
    /**
     * Where it goes; not a live status. Default `"STALE"`.
     */
    to?: Status;
    /**
     * Takes it out of the memory altogether; needs `settings.maintenance.hardDelete`. Default: no.
     */
    remove?: boolean;
}

/**
 * A commit, in one line.
 */
export interface CommitLine {
    /**
     * Its id: what {@link Memory.undo} takes.
     */
    commit: string;
    /**
     * Its place in the log.
     */
    seq: number;
    /**
     * When (ms).
     */
    at: number;
    /**
     * Why it was made.
     */
    cause: CommitCause;
    /**
     * Who made it.
     */
    actor: CommitActor;
    /**
     * In words: what it says of itself, and of the records that it changed here.
     */
    reasons: string[];
}

/**
 * A conversation or document that waits.
 */
export interface PendingSource {
    /**
     * Its id.
     */
    conversation: string;
    /**
     * Its title.
     */
    title: string;
    /**
     * What of it, and why.
     */
    pending: Pending;
    /**
     * Whether it is being analysed at this moment.
     */
    isRunning: boolean;
}

/**
 * A gate's answer.
 */
export interface GateAnswer {
    /**
     * The gate; `null` for the final answer of all.
     */
    gate: string | null;
    /**
     * The change is made; nothing is written; a person is asked; it is written and kept out of projections; it is written and stands
     * for a weaker relation.
     */
    decision: "persist" | "reject" | "route-to-review" | "skip-projection" | "demote";
    /**
     * Why, in words; empty when the change is made.
     */
    reason: string;
    /**
     * The weaker relation's predicate, when it is demoted.
     */
    to: string | null;
}

/**
 * A mention that made no entity. It stays text; its statement is kept.
 */
export interface RejectedMention {
    /**
     * As the statement says it, cut to 120 characters.
     */
    span: string;
    /**
     * Its type; empty when unknown.
     */
    kind: string;
    /**
     * Which filter.
     */
    filter: string;
    /**
     * Which rule.
     */
    rule: string;
    /**
     * Why, in words.
     */
    reason: string;
    /**
     * The statement, cut to 300 characters.
     */
    text: string;
}

/**
 * A name and where it came from.
 */
export interface EntityName {
    /**
     * The name.
     */
    name: string;
    /**
     * Whether it is the one that is shown.
     */
    isShown: boolean;
    /**
     * Id of the entity that a merge brought it from.
     */
    mergedFrom: string | null;
    /**
     * The commit in which it first occurs here.
     */
    since: CommitLine | null;
}

/**
 * A person's answer to a question.
 */
export interface Decision {
    /**
     * Yes or no.
     */
    verdict: "accept" | "reject";
    /**
     * When (ms).
     */
    at: number;
    /**
     * What came of it, in words.
     */
    effect: string;
}

/**
 * A proposition that a pass picked out.
 */
export interface MaintenanceMark {
    /**
     * Its id.
     */
    proposition: string;
    /**
     * A short key: `stale`, `duplicate`, `revived`, …, or the caller's own.
     */
    key: string;
    /**
     * Why, in words.
     */
    why: string;
    /**
     * Id of the proposition that stands in its place or above it.
     */
    survivor: string | null;
    /**
     * What became of it.
     */
    outcome: MarkResult;
}

/**
 * A question to the person.
 */
export interface InboxItem {
    /**
     * Stable for life: what {@link Memory.decide} takes.
     */
    id: string;
    /**
     * A gate held a change; a statement stands against a pinned one; or against a value that is not supposed to change. Later
     * releases may add words.
     */
    kind: "review" | "pinned-conflict" | "immutable-questioned";
    /**
     * The question, in words.
     */
    question: string;
    /**
     * Who asks and why.
     */
    why: string;
    /**
     * The statement in question.
     */
    statement: AskedStatement | null;
    /**
     * Nothing of the statement was stored yet: accepting stores it.
     */
    isHeld: boolean;
    /**
     * Ids of the records that it is about: what would be changed, or what stands against the statement.
     */
    others: string[];
    /**
     * Asked when (ms).
     */
    created: number;
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
 * A statement that is asked about.
 */
export interface AskedStatement {
    /**
     * Its id; one of a stored proposition, unless the item is held.
     */
    proposition: string;
    /**
     * One self-contained sentence.
     */
    text: string;
    /**
     * How sure the source left us: 0 to 1.
     */
    confidence: number;
    /**
     * Ids of the turns that it rests on.
     */
    turns: string[];
}

/**
 * A step of a maintenance run.
 */
export type MaintenancePass = "session-consolidation" | "duplicates" | "abstraction" | "contradiction-resolution" | "decay-sweep" | "custom";

/**
 * A stretch of turns whose analysis failed by itself. Later ones went on.
 */
export interface FailedStretch {
    /**
     * Index of the first turn.
     */
    from: number;
    /**
     * One past the index of the last.
     */
    to: number;
    /**
     * Why.
     */
    failure: Problem;
    /**
     * Tries so far.
     */
    attempts: number;
    /**
     * When last tried (ms).
     */
    at: number;
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
 * An amount of money.
 */
export interface Money {
    /**
     * At the cheapest.
     */
    min: number;
    /**
     * At the dearest.
     */
    max: number;
    /**
     * In what, as the settings say it.
     */
    currency: string;
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
 * An entity that the program names for the calls to come, before anything else is looked at.
 */
export interface KnownEntity {
    /**
     * Its id: `E` and 32 hexadecimal digits. It need not be in this memory.
     */
    id: string;
    /**
     * The name that is shown.
     */
    name: string;
    /**
     * Kinds, for example `Person`.
     */
    labels?: readonly string[];
    /**
     * Other names.
     */
    aliases?: readonly string[];
    /**
     * One line about it.
     */
    description?: string;
    /**
     * What it is in these calls, for the model: `the customer`.
     */
    role?: string;
    /**
     * The person whose memory this is. Default: no.
     */
    isUser?: boolean;
}

/**
 * An entity that was merged into another.
 */
export interface MergedEntity {
    /**
     * Its id: what {@link Memory.unmergeEntity} takes.
     */
    entity: string;
    /**
     * The name that it had.
     */
    name: string;
    /**
     * Its kinds.
     */
    labels: string[];
    /**
     * Names that it brought.
     */
    names: string[];
    /**
     * The commit that merged it.
     */
    merged: CommitLine | null;
}

/**
 * Another entity that a name may have meant.
 */
export interface ResolutionCandidate {
    /**
     * Its id.
     */
    entity: string;
    /**
     * How alike: 0 to 1.
     */
    score: number;
}

/**
 * Another entity that one may be.
 */
export interface EntityDuplicate {
    /**
     * The pair, and why.
     */
    pair: DuplicatePair;
    /**
     * The other one.
     */
    other: Entity;
}

/**
 * Documents and long runs.
 */
export interface IngestSettings {
    /**
     * Most characters of one passage of a document: 200 to 20000. Default 1500.
     */
    chunkChars?: number;
    /**
     * Most characters of the passage before that are shown as context: 0 to `chunkChars` - 1. Default 200.
     */
    chunkOverlap?: number;
    /**
     * Passages of a document that are extracted at the same time: 1 to 4. Default 1.
     */
    parallel?: number;
    /**
     * What the endpoint takes, for estimates in money. Default: none, estimates are in tokens alone.
     */
    price?: EndpointPrice;
}

/**
 * Everything about one entity.
 */
export interface EntityPage {
    /**
     * The entity in short.
     */
    entity: Entity;
    /**
     * Id of the merged entity that was asked for, when this is its keeper.
     */
    redirectedFrom: string | null;
    /**
     * Its names, the shown one first.
     */
    names: EntityName[];
    /**
     * A person chose the name that is shown: no rule replaces it.
     */
    nameIsChosen: boolean;
    /**
     * What programs keep with it.
     */
    properties: Record<string, unknown>;
    /**
     * Ids of entities that a person said are others.
     */
    distinctFrom: string[];
    /**
     * Live propositions that mention it, last changed first.
     */
    statements: Proposition[];
    /**
     * Propositions of every other status that mention it, last changed first.
     */
    retired: Proposition[];
    /**
     * Its mentions, in the order of `statements` and `retired`.
     */
    mentions: EntityMention[];
    /**
     * The turns that mention it, oldest first.
     */
    turns: Source[];
    /**
     * What it may be the same as, most alike first.
     */
    duplicates: EntityDuplicate[];
    /**
     * What was merged into it, in order.
     */
    merged: MergedEntity[];
    /**
     * Commits that changed it, its propositions, or what was merged into it, newest first: at most 200.
     */
    timeline: CommitLine[];
    /**
     * Older commits that the timeline leaves out.
     */
    timelineLeftOut: number;
    /**
     * First written (ms).
     */
    created: number;
    /**
     * It itself last changed (ms).
     */
    revised: number;
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
 * From the cheapest to the dearest course.
 */
export interface CostRange {
    /**
     * When nothing worth keeping is said.
     */
    min: number;
    /**
     * When much is, and much of it resembles what is known.
     */
    max: number;
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
     * Most turns of one analysed window, overlap included: 2 to 200. Default 20.
     */
    windowSize?: number;
    /**
     * Turns before a window that it sees as context only: 0 to `windowSize` - 1. Default 2.
     */
    overlap?: number;
    /**
     * New turns that {@link Memory.analyse} waits for with `when: "due"`: 1 to `windowSize`. Default 2.
     */
    triggerInterval?: number;
    /**
     * Known propositions shown to the extracting model: 0 to 500. Default 40.
     */
    knownToShow?: number;
    /**
     * Most statements of one window: 1 to 200. Default 40.
     */
    maxCandidates?: number;
    /**
     * Share of a statement's content words that its turns must support: 0 to 1. Default 0.5.
     */
    groundingFloor?: number;
    /**
     * Facts put into a prompt, pinned ones included: 0 to 100. Default 12.
     */
    recallLimit?: number;
    /**
     * Effective confidence below which a fact is not recalled: 0 to 1. Default 0.1.
     */
    recallFloor?: number;
    /**
     * Earlier turns put into a chat prompt: 0 to 500. Default 24.
     */
    historyTurns?: number;
    /**
     * How fast confidence fades: effective confidence is `confidence * e^(-decay * decayK * days)`; above 0. Default 2.
     */
    decayK?: number;
    /**
     * Whether a fact's age counts in whole days or with its fraction. Default `"whole-days"`.
     */
    decayAge?: AgeCount;
    /**
     * What is extracted, and how.
     */
    extraction?: ExtractionSettings;
    /**
     * How new statements meet known ones.
     */
    revision?: RevisionSettings;
    /**
     * How names become entities.
     */
    resolution?: ResolutionSettings;
    /**
     * What runs of {@link Memory.maintain} may do.
     */
    maintenance?: MaintenanceSettings;
    /**
     * Documents and long runs.
     */
    ingest?: IngestSettings;
    /**
     * The kinds of things and relations that the memory knows. Default: the built-in schema of a personal memory.
     */
    schemas?: SchemaSettings;
    /**
     * What judges a mention before it may become an entity, in order; all must allow it. Default: the schema's rules, and no
     * mention that is a whole statement of 50 characters or more.
     */
    filters?: readonly MentionFilter[];
    /**
     * What is checked before a change is written. Default: the evidence floors of the schema's relations.
     */
    gates?: GateSettings;
    /**
     * How far a source's word is taken. Default: by the authority of where and from whom it came.
     */
    trust?: TrustSettings;
    /**
     * What kind of conflict two opposed statements are in. Default: by predicate and time.
     */
    conflicts?: ConflictSettings;
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
 * How far a maintenance run has come.
 */
export interface MaintenanceProgress {
    /**
     * Steps done: looking around and asking, which takes longest; planning; writing.
     */
    done: number;
    /**
     * Steps in all.
     */
    total: number;
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
 * How names become entities.
 */
export interface ResolutionSettings {
    /**
     * Who looks for an entity. They always look in one order. Default: all but `"agentic"`.
     */
    searchers?: readonly EntitySearcher[];
    /**
     * Shortest single word that is looked for in longer names, in characters: 2 to 20. Default 4.
     */
    partialMin?: number;
    /**
     * Shortest name whose spelling may differ, in characters: 2 to 20. Default 4.
     */
    fuzzyMin?: number;
    /**
     * Share of the shorter name that may differ: 0 to 0.5. Default 0.2.
     */
    fuzzyRatio?: number;
    /**
     * Cosine from which an entity is a candidate: 0 to 1. Default 0.7.
     */
    vectorCandidate?: number;
    /**
     * Cosine from which a single entity is taken: `vectorCandidate` to 1. Default 0.95.
     */
    vectorAccept?: number;
    /**
     * Nearest entities that are looked at: 1 to 100. Default 10.
     */
    vectorTop?: number;
    /**
     * How a model is asked to choose among candidates. Default `"compact"`.
     */
    bakeoff?: "off" | "compact" | "full";
    /**
     * Ask no model even when one is connected. Default: no.
     */
    heuristicOnly?: boolean;
    /**
     * Most names of one window that a model is asked about: 0 to 100. Default 12.
     */
    questionsPerWindow?: number;
    /**
     * Most searches of the agentic searcher for one name, each a model call: 1 to 10. Default 3.
     */
    agenticRounds?: number;
    /**
     * What of the window goes into a question. Default `"window"`.
     */
    context?: "window" | "sentence" | "adaptive" | "whole";
    /**
     * Every mention makes a new entity. Default: no.
     */
    alwaysCreate?: boolean;
    /**
     * Entities that the program knows, looked at before all others. Default: none.
     */
    knownEntities?: readonly KnownEntity[];
}

/**
 * How new statements meet known ones.
 */
export interface RevisionSettings {
    /**
     * Known propositions that a model compares with one new statement, at most: 1 to 50. Default 5.
     */
    topK?: number;
    /**
     * How near a known proposition must be to be compared by a model: 0 to 1. Default 0.5.
     */
    similarityThreshold?: number;
    /**
     * Similarity, as the model reports it, from which a similar statement makes a known one surer: 0 to 1. Default 0.7.
     */
    minSimilarityForReinforce?: number;
    /**
     * New statements in the one call of a window: 1 to 200. Default 40.
     */
    classifyBatchSize?: number;
    /**
     * Pairs of a new and a known one in that call: 1 to 1000. Default 100.
     */
    classifyPairs?: number;
    /**
     * Whether a model compares only statements that share an entity or a span. Default: yes.
     */
    entityOverlapFilter?: boolean;
    /**
     * What the decay of a surprising statement is multiplied with: 0 to 1. Default 0.8; 1 switches it off.
     */
    surpriseDecay?: number;
}

/**
 * How the age of a fact is counted.
 */
export type AgeCount = "whole-days" | "fractional-days";

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
     * (`T…`), bookmarks (`B…`), analyses (`A…`), questions (`I…`), what was analysed (`L…`), maintenance runs (`M…`), entity
     * reports (`N…`).
     */
    records: string[];
}

/**
 * One maintenance run.
 */
export interface MaintenanceReport {
    /**
     * Stable for life.
     */
    id: string;
    /**
     * When (ms).
     */
    at: number;
    /**
     * Somebody asked for it, or enough was learned.
     */
    trigger: "asked" | "growth";
    /**
     * Whether nothing but this report was written.
     */
    dryRun: boolean;
    /**
     * Live propositions once it was done.
     */
    active: number;
    /**
     * Each pass, in order.
     */
    passes: PassReport[];
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
     * Repairs and other things worth knowing of the run as a whole.
     */
    notes: string[];
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
 * One mention of an entity.
 */
export interface EntityMention {
    /**
     * Id of the proposition.
     */
    proposition: string;
    /**
     * The mention's place in it, from 0: what {@link Memory.splitEntity} takes.
     */
    mention: number;
    /**
     * As the proposition says it.
     */
    span: string;
    /**
     * The kind that was seen there.
     */
    kind: string;
    /**
     * What it does there.
     */
    role: "SUBJECT" | "OBJECT" | "OTHER";
    /**
     * Id of the entity that it meant before this one took that over in a merge.
     */
    cameFrom: string | null;
    /**
     * Ids of the turns that the proposition rests on.
     */
    turns: string[];
}

/**
 * One mention of one proposition.
 */
export interface MentionPlace {
    /**
     * Id of the proposition.
     */
    proposition: string;
    /**
     * The mention's place in it, from 0.
     */
    mention: number;
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
 * One pass of a maintenance run.
 */
export interface PassReport {
    /**
     * Which.
     */
    pass: MaintenancePass;
    /**
     * Propositions, or pairs of them, that were looked at.
     */
    examined: number;
    /**
     * Propositions that it changed, or would change.
     */
    changed: number;
    /**
     * Why it, or a part of it, was not done.
     */
    skipped: string | null;
    /**
     * Why it failed; the other passes went on.
     */
    error: string | null;
    /**
     * Each proposition that it picked out.
     */
    marks: MaintenanceMark[];
    /**
     * What is worth knowing: what was kept apart, dropped, or waits for a person.
     */
    notes: string[];
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
 * One statement at the gates.
 */
export interface GateCheck {
    /**
     * The statement, cut to 300 characters.
     */
    text: string;
    /**
     * What was about to happen.
     */
    change: "new" | "merged" | "reinforced" | "contradicted" | "generalized";
    /**
     * What was decided.
     */
    decision: GateAnswer;
    /**
     * What each gate that was asked answered, in order.
     */
    evaluations: GateAnswer[];
    /**
     * Id of the question that it became, when a person is asked.
     */
    inbox: string | null;
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
     * One line about it; may be empty.
     */
    description: string;
    /**
     * The person whose memory this is.
     */
    isUser: boolean;
    /**
     * Live propositions that mention it.
     */
    propositions: number;
    /**
     * Propositions of every other status that mention it.
     */
    retired: number;
    /**
     * When it, or a proposition about it, last changed (ms).
     */
    lastTouched: number;
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
 * The kind of a conflict: the newer one corrects the older one; one of them is wrong; the world moved on; or a kind of the program's
 * own.
 */
export type ConflictKind = { type: "revision" } | { type: "contradiction" } | { type: "world-progression" } | { type: "custom"; label: string };

/**
 * The order of a list of propositions.
 */
export type ListOrder = "oldest" | "newest" | "revised" | "confidence" | "importance" | "reinforced";

/**
 * Two entities that may be one.
 */
export interface DuplicatePair {
    /**
     * Id of the older one: a merge usually keeps it.
     */
    one: string;
    /**
     * Id of the newer one.
     */
    other: string;
    /**
     * Why, in words.
     */
    why: string;
    /**
     * How alike: 0 to 1.
     */
    score: number;
    /**
     * Resolution was unsure when it met the second; otherwise the names alone suggest it.
     */
    isStored: boolean;
}

/**
 * Two live propositions that meet in one entity since it was merged.
 */
export interface NowAlike {
    /**
     * Id of the one that came along.
     */
    came: string;
    /**
     * Id of the keeper's own.
     */
    own: string;
    /**
     * They say the same, or cannot both hold.
     */
    relation: "IDENTICAL" | "CONTRADICTORY";
    /**
     * Why, in words.
     */
    why: string;
}

/**
 * What a maintenance run shall do.
 */
export interface MaintainSettings {
    /**
     * Writes the report alone: what would have been done. Default: no.
     */
    dryRun?: boolean;
    /**
     * The passes to take, in their own order. Default: those of `settings.maintenance`.
     */
    passes?: readonly MaintenancePass[];
    /**
     * The caller's own reasons against propositions.
     */
    custom?: readonly OwnReason[];
}

/**
 * What a model call is for.
 */
export type ModelRole = "chat" | "extract" | "revise" | "resolve" | "judge" | "adversary" | "embed";

/**
 * What a name was taken to mean.
 */
export interface Resolution {
    /**
     * As the statement says it.
     */
    span: string;
    /**
     * Its kind, as the extractor named it; may be empty.
     */
    kind: string;
    /**
     * A new entity; a known one; one of the program's own that is only pointed at; none.
     */
    outcome: "new" | "existing" | "reference-only" | "vetoed";
    /**
     * Id of the entity; `null` when vetoed.
     */
    entity: string | null;
    /**
     * By what kind of evidence, as a word. Later releases may add words.
     */
    level: string;
    /**
     * How sure: 0 to 1.
     */
    confidence: number;
    /**
     * Who found it, as a word. Later releases may add words.
     */
    searcher: string | null;
    /**
     * Why, in words.
     */
    why: string;
    /**
     * What else it may have been, best first.
     */
    candidates: ResolutionCandidate[];
}

/**
 * What a new entity takes from the one that it is split off.
 */
export interface SplitOptions {
    /**
     * The new one's name. It may be the old one's: then both have it.
     */
    name: string;
    /**
     * Ids of propositions all of whose mentions of the old one move.
     */
    propositions?: readonly string[];
    /**
     * Single mentions that move.
     */
    mentions?: readonly MentionPlace[];
    /**
     * Ids of turns that meant the new one, where an entity was seen without a proposition.
     */
    turns?: readonly string[];
    /**
     * Its other names; those that the old one has move away from there.
     */
    aliases?: readonly string[];
    /**
     * Its kinds. Default: the old one's.
     */
    labels?: readonly string[];
}

/**
 * What a person's act on an entity did.
 */
export interface EntityChange {
    /**
     * Id of the entity to show next: the keeper, the one that is back, the new one.
     */
    entity: string;
    /**
     * Id of the commit, which can be undone; `null` when nothing differed.
     */
    commit: string | null;
    /**
     * Ids of propositions whose mentions changed.
     */
    propositions: string[];
    /**
     * Names that moved.
     */
    names: string[];
    /**
     * Propositions that now meet; they stay as they are. Merges only.
     */
    nowAlike: NowAlike[];
}

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
 * What an endpoint takes.
 */
export interface EndpointPrice {
    /**
     * For a million tokens of prompts; 0 or more.
     */
    promptPerMillion: number;
    /**
     * For a million tokens of answers; 0 or more.
     */
    completionPerMillion: number;
    /**
     * In what: `USD`, `EUR`, … Shown as it is.
     */
    currency: string;
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
 * What analysing will cost. Without a model it costs nothing.
 */
export interface Estimate {
    /**
     * Stretches of turns, each analysed as one.
     */
    windows: number;
    /**
     * Turns or passages in them.
     */
    turns: number;
    /**
     * Turns or passages that need nothing: analysed before, or their content is known.
     */
    alreadyDone: number;
    /**
     * Model calls.
     */
    calls: CostRange;
    /**
     * Tokens of the prompts.
     */
    promptTokens: CostRange;
    /**
     * Tokens of the answers.
     */
    completionTokens: CostRange;
    /**
     * In money, where `settings.ingest.price` is given.
     */
    money: Money | null;
}

/**
 * What became of a document that was handed in. Nothing is analysed yet.
 */
export interface DocumentReceipt {
    /**
     * Id of the source to analyse; of the one that held the text first, when it is known.
     */
    conversation: string;
    /**
     * Passages.
     */
    passages: number;
    /**
     * Nothing of it is left to analyse: its text was read before.
     */
    isKnown: boolean;
}

/**
 * What became of a marked proposition.
 */
export type MarkResult = { is: "marked" } | { is: "transitioned"; to: Status } | { is: "written" } | { is: "hard-deleted" } | { is: "skipped"; why: string };

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
     * beside what it generalises; stored beside what it stands against, and a person is asked; stored as what was.
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
     * What kind of conflict, where it stands against others.
     */
    conflict: ConflictKind | null;
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
 * What forgetting a conversation or document took along.
 */
export interface ForgottenSource {
    /**
     * Id of the commit: undoing it brings everything back.
     */
    commit: string | null;
    /**
     * Turns or passages.
     */
    turns: number;
    /**
     * Ids of propositions that rested on it alone.
     */
    removed: string[];
    /**
     * Ids of propositions that rest on something else as well, or are pinned.
     */
    kept: string[];
}

/**
 * What is extracted, and how.
 */
export interface ExtractionSettings {
    /**
     * Whose facts are kept: everybody's, the user's alone, or what the assistant says of its own. Default `"all"`.
     */
    perspective?: "all" | "user" | "agent";
    /**
     * How much of a turn is worth keeping. Default `"normal"`.
     */
    density?: "sparse" | "normal" | "dense";
    /**
     * How long the prompt is: `"brief"` is for models of about a billion weights and less. Default `"full"`.
     */
    prompt?: "full" | "brief";
    /**
     * Known entities shown to the model: 0 to 500. Default 40.
     */
    entitiesToShow?: number;
}

/**
 * What is known of a document besides its name and text.
 */
export interface DocumentOptions {
    /**
     * Its address. Without one its statements are looked up by the content of their passage.
     */
    locator?: SourceAddress;
    /**
     * When it was written (ms): "yesterday" in it is counted from then. Default: now.
     */
    at?: number;
    /**
     * Minutes east of UTC of the place where it was written, -1080 to 1080. Default 0; counts with `at` alone.
     */
    offsetMinutes?: number;
    /**
     * Ids of turns that its statements rest on as well.
     */
    also?: readonly string[];
}

/**
 * What maintenance may do. What can hide a person's own words is off until somebody turns it on.
 */
export interface MaintenanceSettings {
    /**
     * Whether cycles may start by themselves in a program that asks for it. Default: no.
     */
    automatic?: boolean;
    /**
     * Growth of live propositions that makes a cycle due: 1 to 10000. Default 10.
     */
    triggerGrowth?: number;
    /**
     * The passes of a run. Default: all but `"abstraction"`.
     */
    passes?: readonly MaintenancePass[];
    /**
     * Utility below which a proposition goes stale: 0 to 1, below `reviveAbove`. Default 0.1.
     */
    retireBelow?: number;
    /**
     * Utility above which a stale one comes back: 0 to 1. Default 0.2.
     */
    reviveAbove?: number;
    /**
     * Whether stale ones can come back at all. Default: yes.
     */
    revive?: boolean;
    /**
     * Weight of importance in the utility: 0 to 10. Default 0.
     */
    importanceWeight?: number;
    /**
     * Weight of reinforcements in the utility: 0 to 10. Default 0.
     */
    reinforcementWeight?: number;
    /**
     * Whether anything may be removed from the memory. Default: no.
     */
    hardDelete?: boolean;
    /**
     * Utility below which a proposition is removed, once `hardDelete` is on: 0 to `retireBelow`. Default 0: none.
     */
    deleteBelow?: number;
    /**
     * Nearness from which two propositions may be compared: 0 to 1. Default 0.7.
     */
    nearFrom?: number;
    /**
     * Neighbours of a proposition that are compared: 1 to 50. Default 10.
     */
    nearTop?: number;
    /**
     * Pairs in the one call that asks a model about them: 0 to 200. Default 40.
     */
    judgePairs?: number;
    /**
     * Confidence below which a new, unsupported proposition goes stale at the first cycle: 0 to 1. Default 0: none.
     */
    discardBelow?: number;
    /**
     * Propositions about one entity that call for an abstraction: 2 to 1000. Default 5.
     */
    abstractFrom?: number;
    /**
     * Abstractions wanted for one entity: 1 to 20. Default 3.
     */
    abstractTarget?: number;
    /**
     * Highest level of an abstraction: 1 to 10. Default 3.
     */
    abstractMaxLevel?: number;
    /**
     * Propositions that one group shows to the model: 2 to 200. Default 40.
     */
    abstractGroup?: number;
    /**
     * Groups in the one call: 1 to 20. Default 4.
     */
    abstractGroups?: number;
    /**
     * Whether what an abstraction covers is retired. Default: no.
     */
    abstractRetires?: boolean;
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
    /**
     * What failed by itself: {@link Memory.retryFailed} tries it again.
     */
    failed: FailedStretch[];
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
     * What the mention filters did.
     */
    mentions: MentionChecks;
    /**
     * What each name was taken to mean, each once, and why.
     */
    resolutions: Resolution[];
    /**
     * What the gates answered to each decided statement.
     */
    gates: GateCheck[];
    /**
     * Ids of entities that became known.
     */
    newEntities: string[];
    /**
     * Credentials that were redacted before anything was read, by kind.
     */
    redacted: Record<string, number>;
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
 * What the mention filters did in every analysis of this memory.
 */
export interface MentionTotals {
    /**
     * Mentions that passed, by type; the empty type is unknown.
     */
    accepted: Record<string, number>;
    /**
     * Mentions that did not, by type.
     */
    rejected: Record<string, number>;
    /**
     * Mentions that did not, by the rule that they failed.
     */
    byRule: Record<string, number>;
}

/**
 * What the mention filters did in one analysis.
 */
export interface MentionChecks {
    /**
     * Mentions that passed, by type; the empty type is unknown.
     */
    accepted: Record<string, number>;
    /**
     * Mentions that did not, in order.
     */
    rejections: RejectedMention[];
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
 * Where a source is found again. `display` is a label for people.
 */
export type SourceAddress = { kind: "uri"; uri: string; display?: string } | { kind: "file"; path: string; display?: string } | { kind: "content"; contentHash: string; display?: string } | { kind: "connector"; connectorId: string; externalId: string; display?: string };

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
 * Which entities are listed: those that pass every filter.
 */
export interface EntityOptions {
    /**
     * Part of a name, an alias or the description, in any case.
     */
    text?: string;
    /**
     * A kind, without regard to case.
     */
    label?: string;
    /**
     * Only those that live propositions mention. Default: all.
     */
    withStatements?: boolean;
    /**
     * By name, by how much is known of them, or by when they last changed. Default `"name"`.
     */
    order?: "name" | "statements" | "recent";
    /**
     * Most entities. Default: all.
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
 * Who looks for an entity, in the order in which they look: the number that the extracting model gave; the same name; the same
 * without titles and initials; one word of a longer name; a slip of the pen; nearness of meaning; a model that searches itself.
 */
export type EntitySearcher = "id" | "exact-name" | "normalized-name" | "partial-name" | "fuzzy-name" | "vector" | "agentic";

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
     * Adds a name.
     */
    addAlias(id: any, alias: any): Promise<Commit | null>;
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
     * Answers a question; `verdict` is `"accept"` or `"reject"`.
     */
    decide(id: any, verdict: any): Promise<Decision>;
    /**
     * Replaces the description.
     */
    describeEntity(id: any, description: any): Promise<Commit | null>;
    /**
     * Says that two are not the same.
     */
    dismissDuplicate(a: any, b: any): Promise<Commit | null>;
    /**
     * A person's edit. `changes` is a `Changes`.
     */
    edit(id: any, changes: any): Promise<Commit | null>;
    /**
     * Entities, the user first. `options` is an `EntityOptions`.
     */
    entities(options: any): Promise<Entity[]>;
    /**
     * Everything about one entity.
     */
    entity(id: any): Promise<EntityPage>;
    /**
     * Removes the memory from its journal, whole, and closes the handle.
     */
    erase(): Promise<void>;
    /**
     * What analysing the rest of a conversation or document will cost.
     */
    estimate(conversation: any): Promise<Estimate>;
    /**
     * The whole memory as JSON.
     */
    export(): Promise<string>;
    /**
     * Makes an entity unknown.
     */
    forgetEntity(id: any): Promise<EntityChange>;
    /**
     * Takes a conversation or document back.
     */
    forgetSource(conversation: any): Promise<ForgottenSource>;
    /**
     * Takes a statement out of the memory.
     */
    forget(id: any): Promise<Commit | null>;
    /**
     * The life of a proposition, newest first.
     */
    history(id: any): Promise<Revision[]>;
    /**
     * Questions that wait, oldest first.
     */
    inbox(): Promise<InboxItem[]>;
    /**
     * Stores a document, or finds the one that holds its text. `options` is a `DocumentOptions`.
     */
    ingestDocument(name: any, text: any, options: any): Promise<DocumentReceipt>;
    /**
     * One maintenance run. `settings` is a `MaintainSettings`.
     */
    maintain(settings: any, on_progress?: Function | null, signal?: AbortSignal | null): Promise<MaintenanceReport>;
    /**
     * What the mention filters did so far.
     */
    mentionTotals(): Promise<MentionTotals>;
    /**
     * Says that `other` is `keep`.
     */
    mergeEntities(keep: any, other: any): Promise<EntityChange>;
    /**
     * Opens the memory of `context`, which is empty when nobody has written to it. `settings` is a `MemorySettings`.
     */
    static open(journal: JournalPort, model: ModelPort, embedding: EmbeddingPort, context: any, settings: any): Promise<Memory>;
    /**
     * Every conversation and document that waits, oldest first.
     */
    pendingAll(): Promise<PendingSource[]>;
    /**
     * What of a conversation waits to be analysed.
     */
    pending(conversation: any): Promise<Pending>;
    /**
     * Pins or unpins.
     */
    pin(id: any, pinned: boolean): Promise<Commit | null>;
    /**
     * Pairs that may be one, most alike first.
     */
    possibleDuplicates(): Promise<DuplicatePair[]>;
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
     * Lets a conversation or document be analysed again; says how many turns wait then.
     */
    release(conversation: any): Promise<number>;
    /**
     * Takes a text in and analyses it; `null` when its content is known.
     */
    rememberText(text: any, source: any): Promise<AnalysisReport[] | null>;
    /**
     * Keeps a statement.
     */
    remember(text: any): Promise<Remembered>;
    /**
     * Takes a name away.
     */
    removeAlias(id: any, alias: any): Promise<Commit | null>;
    /**
     * Gives an entity the name that is shown.
     */
    renameEntity(id: any, name: any): Promise<Commit | null>;
    /**
     * Tries again what failed by itself, and nothing else.
     */
    retryFailed(conversation: any, on_progress?: Function | null, signal?: AbortSignal | null): Promise<AnalysisReport[]>;
    /**
     * The reports of every maintenance run, newest first.
     */
    runs(): Promise<MaintenanceReport[]>;
    /**
     * Keeps what somebody said. `utterance` is an `Utterance`.
     */
    say(utterance: any): Promise<Turn>;
    /**
     * Looks facts up. `options` is a `SearchOptions`.
     */
    search(query: any, options: any): Promise<SearchResult>;
    /**
     * Replaces the kinds. `labels` is an array of strings.
     */
    setEntityLabels(id: any, labels: any): Promise<Commit | null>;
    /**
     * Makes part of an entity another one. `split` is a `SplitOptions`.
     */
    splitEntity(id: any, split: any): Promise<EntityChange>;
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
     * Takes a merge back.
     */
    unmergeEntity(id: any): Promise<EntityChange>;
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
