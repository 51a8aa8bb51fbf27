// ---- dist/index.d.ts
import type { Memory } from "./memory.js";
import { type OpenOptions } from "./open.js";
export * from "./api.js";
/** Opens the memory of one context; it is empty when nobody has written to it. */
export declare function openMemory(options?: OpenOptions): Promise<Memory>;

// ---- dist/api.d.ts
export { CredenceError, type ErrorCode } from "./errors.js";
export { indexedDb, JournalError, memoryJournal } from "./journal.js";
export type { BuiltInJournal, HostJournal, Journal, JournalContents, JournalDamage, JournalEntry, JournalErrorCode, JournalHead, JournalRepair, JournalRewrite, JournalUse, JournalVector, } from "./journal.js";
export type { Memory } from "./memory.js";
export type { HostModel, HostReply } from "./model.js";
export type { OpenOptions } from "./open.js";
export type { AnalyseOptions, AnswerOptions, CompactOptions, ErasureOptions, MaintainOptions, PromoteOptions, RetryOptions, SweepOptions, TakeInOptions, } from "./options.js";
export type { ActBy, ActOptions, AgeCount, AnalyseSettings, AnalysisReport, Answer, ArchiveReason, AskedStatement, AsOf, Assembled, AssembledItem, Attention, AttentionSignal, AuditedUnit, AuthorityReason, AuthorityStep, AuthorityTier, Belief, Branched, BranchOptions, BundleChoice, BundleStanding, BundleTally, CanonAnswer, Canonization, CanonRequest, Changed, ChangedSince, Changes, Cleaned, ClosedQuestion, Commit, CommitActor, CommitCause, CommitLine, CommitOptions, Compaction, CompactSettings, Compliance, ComplianceAttempt, ConfidenceStep, ConflictKind, ConflictSettings, ContextSummary, Conversation, ConversationOptions, CostRange, DamagedRow, Decision, Dependant, Derived, DetectedConflicts, DocumentOptions, DocumentReceipt, DormancyReason, Dropped, DuplicatePair, EndpointOptions, RoleEndpointOptions, EndpointPrice, EnforcementPhase, Entity, EntityChange, EntityDuplicate, EntityMention, EntityName, EntityOptions, EntityPage, EntitySearcher, ErasurePreview, ErasureProgress, ErasureReport, Estimate, Evidence, Execution, ExtractionSettings, FailedStretch, FieldChange, ForgetTarget, Forgetting, ForgottenSource, Gate, GateAnswer, GateCheck, GateSettings, HealthFinding, HealthReport, HistoryCompaction, HistoryPoint, HowFollowed, Imported, ImportedContext, ImportedConversation, ImportedDocument, ImportedStatement, ImportedTurn, ImportFormat, ImportPlan, ImportPreview, ImportReport, InboxItem, IngestSettings, JoinedStatement, KeepHistory, KnowledgeSchema, KnownEntity, LeftOut, Life, LifeStep, Lineage, LineageStep, ListOptions, ListOrder, MaintainSettings, MaintenanceMark, MaintenancePass, MaintenanceProgress, MaintenanceReport, MaintenanceSettings, MarkResult, MemoryAt, MemoryEvent, MemoryMode, MemorySettings, Mention, MentionChecks, MentionEdge, MentionFilter, MentionGraph, MentionGraphOptions, MentionNode, MentionPlace, MentionRule, MentionTotals, MergeConflict, MergedEntity, MergedUnits, MergeReport, ModelMessage, ModelRequest, ModelRole, ModelSchema, Money, Named, NotTaken, NowAlike, Objection, Outcome, OwnReason, PassReport, Pending, PendingSource, PlannedContext, Predecessor, Pressure, PressureAt, PressureBreach, PressureParts, Problem, Progress, PromotionAnswer, PromotionCandidate, PromotionConflict, PromotionFunnel, PromotionReport, PromptMessage, PromptSection, PromptTokens, Property, Proposition, PropositionDetail, RecordChange, RejectedMention, Remembered, Repaired, Replay, Resolution, ResolutionCandidate, ResolutionSettings, Restoring, Retraction, ReturnOptions, Revision, RevisionSettings, Said, SchemaSettings, SearchHit, SearchOptions, SearchResult, SettingsArea, Settled, Skipped, Source, SourceAddress, Speaker, SplitOptions, Status, Summary, SummaryLoss, Superseded, SupersedeOptions, SweepBlock, SweepEffect, SweepReport, SweepSettings, TakeInProgress, TakeInSettings, TokenCount, ToolChange, ToolOutcome, ToolUse, TouchedStatement, TouchedTurn, TrustAudit, TrustSettings, TrustSignal, TrustStep, Turn, TurnChange, Undone, UndoOptions, UndoPreview, Unit, UnitAct, UnitAction, UnitAttention, UnitAuthority, UnitChange, UnitConflict, UnitDeed, UnitEvent, UnitStanding, UnitTier, UpkeepSignal, UsedByTurn, UsedRevision, UsedUnit, Utterance, Violation, When, Withheld, Wording, Xray, } from "./wasm/credence.js";

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
import type { AnalyseOptions, AnswerOptions, CompactOptions, ErasureOptions, MaintainOptions, PromoteOptions, RetryOptions, SweepOptions, TakeInOptions } from "./options.js";
import type { ActOptions, AnalysisReport, Answer, AsOf, Assembled, Attention, Belief, Branched, BranchOptions, BundleChoice, CanonAnswer, Changed, Changes, Commit, CommitOptions, Compaction, ContextSummary, Conversation, ConversationOptions, Decision, Derived, DetectedConflicts, DocumentOptions, DocumentReceipt, DuplicatePair, Entity, EntityChange, EntityOptions, EntityPage, ErasurePreview, ErasureReport, Estimate, ForgetTarget, Forgetting, ForgottenSource, HealthReport, HistoryCompaction, HistoryPoint, Imported, ImportPlan, ImportPreview, ImportReport, InboxItem, KeepHistory, Life, Lineage, ListOptions, MaintenanceReport, Memory as Handle, MemoryAt, MemoryEvent, MemoryMode, MentionGraph, MentionGraphOptions, MentionTotals, Pending, PendingSource, Pressure, PromotionReport, Property, Proposition, PropositionDetail, Remembered, Repaired, Replay, ReturnOptions, Revision, SearchOptions, SearchResult, Settled, SplitOptions, Summary, Superseded, SupersedeOptions, SweepReport, TrustStep, Turn, TurnChange, Undone, UndoOptions, UndoPreview, Unit, UnitAct, UsedByTurn, Utterance, Xray } from "./wasm/credence.js";
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
    /**
     * Whether the browser has emptied its database since something was kept there, as browsers do with one that they find damaged, after a
     * crash for example: say so, and offer to import a copy. Told once, by the first opening after it.
     */
    readonly emptied: boolean;
    /** Use {@link openMemory}. @internal */
    constructor(handle: Handle, open: OpenContext, volatile: string | null, emptied: boolean);
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
    /**
     * Takes a commit back, or several in one, or what they did to some records. That is a commit of its own, which can be taken back in
     * turn. It is the program's act unless `by: "person"` says otherwise: what only a person may do, as giving and taking CANON, is refused as `invalid-argument`.
     */
    undo(commit: string | readonly string[], options?: UndoOptions): Promise<Undone>;
    /** What {@link undo} would do now, and why it may not be done. Nothing is written. */
    previewUndo(commit: string | readonly string[], options?: UndoOptions): Promise<UndoPreview>;
    /**
     * Takes the memory back to what it was after the commit with this `seq`, in one new commit. What was said stays, and so does what a
     * person changed since, unless `options` asks for it too.
     */
    revertTo(seq: number, options?: ReturnOptions): Promise<Undone>;
    /** What {@link revertTo} would do now. Nothing is written. */
    previewRevertTo(seq: number, options?: ReturnOptions): Promise<UndoPreview>;
    /** What memory was: every statement and the working set of then. */
    memoryAt(point: HistoryPoint): Promise<MemoryAt>;
    /** What changed after one point up to and including another: the commits between, and each record from what to what and why. */
    changedBetween(from: HistoryPoint, to: HistoryPoint): Promise<Changed>;
    /** Who or what changed a record of any kind, when, from what to what. Empty for an unknown one. */
    lifeOf(record: string): Promise<Life>;
    /** Which revisions of which statements a turn was given, and how they have changed since. */
    usedByTurn(turn: string): Promise<UsedByTurn[]>;
    /** Why a statement is believed: its sources, its confidence over time, its trust, what it was made from. */
    whyBelieved(id: string): Promise<Belief>;
    /** Every statement that came of this one: what sums it up, took its place or stands against it. The nearest first. */
    derivedFrom(id: string): Promise<Derived[]>;
    /** A turn, whole: the prompt, the model with its options and tool calls, and the output. `null` for one that nothing was given to. */
    replay(turn: string): Promise<Replay | null>;
    /** What {@link compactHistory} would take now. Nothing is written. */
    previewCompactHistory(keep: KeepHistory): Promise<HistoryCompaction>;
    /** Drops the revisions that `keep` no longer asks for. The present stays as it is; it cannot be undone. */
    compactHistory(keep: KeepHistory): Promise<HistoryCompaction>;
    /** What {@link forgetTarget} would do. Nothing is written. */
    previewForgetting(target: ForgetTarget, options?: ErasureOptions): Promise<Forgetting>;
    /** Takes a statement, entity, source, turn or span of time out of the memory, in one commit that can be undone. */
    forgetTarget(target: ForgetTarget, options?: ErasureOptions): Promise<Forgetting>;
    /** What {@link eraseTarget} would destroy. Nothing is written. */
    previewErasure(target: ForgetTarget, options?: ErasureOptions): Promise<ErasurePreview>;
    /**
     * Destroys the content of a target, and of everything that was derived from it, in all of history, for ever. Tombstones keep it from being
     * learned again from what was said before. Call it for a person's own act and nothing else.
     */
    eraseTarget(target: ForgetTarget, options?: ErasureOptions): Promise<ErasureReport>;
    /** The reports of every erasure, oldest first. */
    erasures(): Promise<ErasureReport[]>;
    /** Lets what an erasure destroyed be learned again; its content does not come back by that. Says whether anything changed. */
    liftTombstones(erasure: string): Promise<boolean>;
    /** Opens a conversation. */
    startConversation(options?: ConversationOptions): Promise<Conversation>;
    /** Conversations, as they were opened. */
    conversations(): Promise<Conversation[]>;
    /** The turns of a conversation, in order. */
    turns(conversation: string): Promise<Turn[]>;
    /** Keeps what somebody said. Nothing is learnt from it before {@link analyse}. */
    say(utterance: Utterance): Promise<Turn>;
    /**
     * Answers the last turn of a conversation with what memory knows. A model that fails gives a turn whose state is `"failed"`;
     * `turn.compliance` says what came of holding the answer to the working set.
     */
    answer(conversation: string, options?: AnswerOptions): Promise<Answer>;
    /** Takes the last answer of a conversation back and answers again. The earlier answer stays in the history. */
    regenerate(conversation: string, options?: AnswerOptions): Promise<Answer>;
    /** Gives a conversation's last answer again, as {@link regenerate} does: the one that stands stays with the turn as a wording. */
    reroll(turn: string, options?: AnswerOptions): Promise<Answer>;
    /** Words a turn anew. What rested on its old words is taken back, and it waits to be analysed again. */
    editTurn(turn: string, text: string): Promise<TurnChange>;
    /** Has a turn say another of its `wordings`, by its place from 0; what rested on that comes back. */
    swipe(turn: string, wording: number): Promise<TurnChange>;
    /** Takes one turn out of its conversation, with exactly what rested on it. */
    deleteTurn(turn: string): Promise<TurnChange>;
    /** Takes a turn and everything after it out of its conversation, with exactly what rested on them. */
    deleteFrom(turn: string): Promise<TurnChange>;
    /** Begins a new memory `name` in the same journal, as this one was at a turn or commit. {@link context} opens it. Nothing changes here. */
    branch(name: string, options?: BranchOptions): Promise<Branched>;
    /** Chooses what a conversation has to do with the memory, from now on; `null` when it was so already. */
    setConversationMode(conversation: string, mode: MemoryMode): Promise<Commit | null>;
    /** The prompt that answers `query` in a conversation, with its use record written. */
    assemble(conversation: string, query: string): Promise<Assembled>;
    /** The prompt that would be sent if the user now said `draft`, byte for byte; blank: for the last turn. Nothing is written. */
    preview(conversation: string, draft?: string): Promise<Assembled>;
    /** The prompt of an answered turn or another recorded step, by its `use`; `null` for an unknown one. */
    xray(use: string): Promise<Xray | null>;
    /**
     * Counts tokens with the tokenizer of the model in use: a text in, a number out. `null` goes back to estimates. Where the
     * function throws or gives no number, the estimate's upper end counts.
     */
    useTokenCounter(counter: ((text: string) => number) | null): Promise<void>;
    /** Sums up the earlier turns of a conversation; the summary goes into its next prompts in their place. */
    compact(conversation: string, options?: CompactOptions): Promise<Compaction>;
    /** The summary that stands in for a conversation's earlier turns. */
    summary(conversation: string): Promise<Summary | null>;
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
    /** The working set as of now: the most activated unit first. */
    workingSet(): Promise<Unit[]>;
    /** The unit of a statement, wherever it stands; `null` where the statement was never promoted. */
    unit(id: string): Promise<Unit | null>;
    /** Every evaluation of a unit's trust, oldest first. The parts of each add up to its score. */
    trustTrail(id: string): Promise<TrustStep[]>;
    /** A person confirms what a unit says: a piece of evidence, which counts once. */
    confirmUnit(id: string): Promise<UnitAct>;
    /** A person lowers a unit one level; what is PROVISIONAL is archived. */
    demoteUnit(id: string): Promise<UnitAct>;
    /** A person takes a unit out of the working set. Its statement stays. */
    archiveUnit(id: string, options?: ActOptions): Promise<UnitAct>;
    /** A person brings a unit back, with the authority that it had. */
    reviveUnit(id: string): Promise<UnitAct>;
    /** A person sets a unit's activation: 100 to 900, within the settings. */
    setActivation(id: string, activation: number): Promise<UnitAct>;
    /** A person puts a statement into the working set, past the gates of {@link promote}, but within the budget. */
    addToWorkingSet(id: string): Promise<UnitAct>;
    /** A person makes a unit CANON. Call it for a person's own act and nothing else: use {@link requestCanon} to ask for it. */
    canonizeUnit(id: string, options?: ActOptions): Promise<UnitAct>;
    /** A person takes CANON back. */
    decanonizeUnit(id: string, options?: ActOptions): Promise<UnitAct>;
    /** The program asks that a unit become CANON: a question for {@link inbox}, which a person answers. */
    requestCanon(id: string, options?: ActOptions): Promise<CanonAnswer>;
    /** The program asks that a unit no longer be CANON: a question for {@link inbox}. */
    requestDecanon(id: string, options?: ActOptions): Promise<CanonAnswer>;
    /** Writes down what time has changed in the working set. Settling twice settles once. */
    settleUnits(): Promise<Settled>;
    /** Offers statements to the working set: each gate's answer is in the report. Analysing a conversation does it by itself. */
    promote(propositions: readonly string[], options?: PromoteOptions): Promise<PromotionReport>;
    /** The reports of every promotion run, newest first. */
    promotions(): Promise<PromotionReport[]>;
    /** What each of these statements stands against in the working set. Nothing is written. */
    detectConflicts(propositions: readonly string[]): Promise<DetectedConflicts>;
    /** Which statements took whose place, oldest first. */
    lineage(id: string): Promise<Lineage>;
    /** A person says what is so now: a new statement takes the place of a stored one. To mend a wording, {@link edit} it. */
    supersede(id: string, text: string, options?: SupersedeOptions): Promise<Superseded>;
    /** What held at one time, as the memory knew it at another. */
    asOf(when: AsOf): Promise<Proposition[]>;
    /** The working set as it was at `recorded`: those units whose statements held at `valid`. */
    workingSetAsOf(when: AsOf): Promise<Unit[]>;
    /** Every setting that has a name, with its type, range, value and default. */
    properties(): Promise<Property[]>;
    /** A setting's value by its name, `"unit.budget"` for example. */
    property(name: string): Promise<unknown>;
    /** Changes a setting by its name for as long as this memory is open, all checks included. */
    setProperty(name: string, value: unknown): Promise<void>;
    /** How near the working set is to what it can hold. Reading changes nothing. */
    pressure(): Promise<Pressure>;
    /** How much happens around each unit. Reading changes nothing. */
    attention(): Promise<Attention>;
    /** Sweeps the working set: one commit, which can be undone; `dryRun` only says what it would do. */
    sweep(options?: SweepOptions): Promise<SweepReport>;
    /** The reports of every sweep, newest first. */
    sweeps(): Promise<SweepReport[]>;
    /** What is mentioned together. */
    mentionGraph(options?: MentionGraphOptions): Promise<MentionGraph>;
    /** The whole memory as JSON: every commit and use record, with a checksum. No key is ever in it. */
    export(): Promise<string>;
    /** Memories of the journal as one bundle: those of these names, or without names every one. */
    exportBundle(contexts?: readonly string[]): Promise<string>;
    /** What importing a bundle would do, memory by memory. Nothing is written. */
    previewImport(bundle: string): Promise<ImportPlan>;
    /**
     * Imports memories of a bundle as chosen, by their names in it; one without a choice is skipped. Without `choices` each is done as
     * {@link previewImport} suggests, which loses nothing. Either everything chosen is imported or nothing is.
     */
    importBundle(bundle: string, choices?: Readonly<Record<string, BundleChoice>>): Promise<ImportReport>;
    /** What a file of another program would become: a chat, memories, a list, a character card, a document. Nothing is written. */
    inspectImport(name: string, content: string | Uint8Array): Promise<ImportPreview>;
    /** Takes a file of another program in. Analyse what `waiting` names then. */
    takeIn(name: string, content: string | Uint8Array, options?: TakeInOptions): Promise<Imported>;
    /** Statements as a Markdown list, by whom they are about. */
    asMarkdown(options?: ListOptions): Promise<string>;
    /** Statements as a table: comma-separated values with a line of names. */
    asCsv(options?: ListOptions): Promise<string>;
    /** Looks at everything that is stored of this memory: rows, commits, links, vectors. Changes nothing. */
    checkHealth(): Promise<HealthReport>;
    /** Looks again and does what can be done: what cannot be read is set aside, links that lead nowhere are taken out. */
    repair(): Promise<Repaired>;
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

// ---- dist/options.d.ts
import type { AnalyseSettings, CompactSettings, EnforcementPhase, ErasureProgress, MaintainSettings, MaintenanceProgress, Progress, SweepSettings, TakeInProgress, TakeInSettings } from "./wasm/credence.js";
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
/** How {@link Memory.previewForgetting}, {@link Memory.forgetTarget}, {@link Memory.previewErasure} and {@link Memory.eraseTarget} work. */
export interface ErasureOptions {
    /** Called while the memory is looked through. */
    onProgress?: (progress: ErasureProgress) => void;
    /** Ends it while the memory is looked through; nothing was written then. */
    signal?: AbortSignal;
}
/** How {@link Memory.answer} works. */
export interface AnswerOptions {
    /** Called with each piece of the answer as it comes. */
    onText?: (piece: string) => void;
    /**
     * Called when the draft is whole and is checked, and when it is put aside because it contradicts what is enforced: what
     * {@link onText} brings from then on takes its place.
     */
    onPhase?: (phase: EnforcementPhase) => void;
    /** Ends it; what had come by then is kept as a stopped turn. */
    signal?: AbortSignal;
}
/** How {@link Memory.promote} works. */
export interface PromoteOptions {
    /** Ends it; nothing was written then. */
    signal?: AbortSignal;
}
/** How {@link Memory.sweep} works. */
export interface SweepOptions extends SweepSettings {
    /** Ends it; nothing was written then. */
    signal?: AbortSignal;
}
/** How {@link Memory.takeIn} works. */
export interface TakeInOptions extends TakeInSettings {
    /** Called after each conversation, document and statement. */
    onProgress?: (progress: TakeInProgress) => void;
    /** Ends it; what was committed by then stays, and taking the same file in again goes on from there. */
    signal?: AbortSignal;
}
/** How {@link Memory.compact} works. */
export interface CompactOptions extends CompactSettings {
    /** Ends it; summaries that were committed by then stay. */
    signal?: AbortSignal;
}

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
    readonly spaces: readonly {
        readonly space: string;
        readonly vectors: readonly JournalVector[];
    }[];
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
/** A rule of the working set stands against it; the message names the rule. */
| "refused"
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
/** The file is no bundle. */
| "not-a-bundle"
/** The bundle ends in the middle. */
| "bundle-truncated"
/** The bundle is no JSON. */
| "bundle-syntax"
/** The bundle was written by a newer release. */
| "bundle-newer-schema"
/** The bundle is not what was written. */
| "bundle-checksum"
/** Something in the bundle cannot be. */
| "bundle-invalid"
/** A choice for a memory of a bundle cannot be carried out. */
| "bundle-choice"
/** The store refused an import and then refused to put back what had been written. */
| "bundle-half-way"
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



/** How a memory of a bundle stands to the one of the same name here. */
export type BundleStanding =
/** There is none of this name here. */
| { is: "new" }
/** Both have the same commits. */
| { is: "same" }
/** The bundle goes on from what is here, by so many commits. */
| { is: "ahead"; commits: number }
/** What is here goes on from the bundle. */
| { is: "behind"; commits: number }
/** Both went on since the commit with the `seq` of `common`; 0: they have none in common. */
| { is: "diverged"; common: number };

/** What is to be done with a memory of a bundle. */
export type BundleChoice =
/** It becomes a memory of its own, under a name that no other has. */
| { do: "create"; name: string }
/** It takes the place of the memory of its name, without what was erased here for ever since it was made. */
| { do: "replace" }
/** Takes the place of the memory of its name, whole: what was erased here for ever comes back as well. */
| { do: "bring-back" }
/** What the memory of its name lacks is added; where there is none, it becomes one. */
| { do: "merge" }
| { do: "skip" };



/** How far a unit's word is to be taken. `"CANON"` is a person's to give, and nobody else's. */
export type UnitAuthority = "PROVISIONAL" | "UNRELIABLE" | "RELIABLE" | "CANON";

/** Where activation places a unit. */
export type UnitTier = "COLD" | "WARM" | "HOT";

/** Why a unit's authority changed. */
export type AuthorityReason =
| "REINFORCEMENT"
| "CONFLICT_EVIDENCE"
| "TRUST_DEGRADATION"
| "RANK_DECAY"
| "MANUAL"
| "CANONIZATION"
| "DECANONIZATION"
| "SEED";

/** Why a unit sleeps: it faded, or another one needed its place. */
export type DormancyReason = "DORMANCY_DECAY" | "BUDGET_EVICTION";

/** Why a unit was taken out. */
export type ArchiveReason = "CONFLICT_REPLACEMENT" | "REVISION" | "MANUAL" | "PROACTIVE_MAINTENANCE";

/** What is to be done to a unit. */
export type UnitAction =
| "promote"
| "revive"
| "reinforce"
| "raise"
| "demote"
| "set-activation"
| "decay"
| "sleep"
| "evict"
| "archive"
| "canonize"
| "decanonize"
| "edit";



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
    /** How far each kind of source is trusted by the working set: 0 to 1 by its name, and what the others get. */
    sourceAuthority?: { scores?: Readonly<Record<string, number>>; defaultScore?: number };
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

/**
 * Settings of one area by their names, areas within areas included: `{ budget: 12, tier: { hotThreshold: 700 } }`. {@link Memory.properties}
 * lists most of them with type, range and default; an error names the place.
 */
export interface SettingsArea {
    readonly [name: string]: SettingsArea | readonly unknown[] | boolean | number | string | null;
}

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



/** What a conversation has to do with the memory: everything; answers alone, and nothing is learned; nothing at all. */
export type MemoryMode = "full" | "read-only" | "off";



/** What a person wants gone. */
export type ForgetTarget =
/** A statement, with what says the same and what was made of it. */
| { kind: "proposition"; id: string }
/** An entity: statements about it alone go, others lose its name. */
| { kind: "entity"; id: string }
/** A conversation or document, with what rested on it alone. */
| { kind: "source"; id: string }
/** A turn, with what rested on it alone. */
| { kind: "turn"; id: string }
/** Every turn said from `from` (ms, inclusive) until `to` (ms, exclusive). */
| { kind: "span"; from: number; to: number };


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
 * A branch that was made.
 */
export interface Branched {
    /**
     * Its name: {@link Memory.context} opens it.
     */
    context: string;
    /**
     * The memory that it came from.
     */
    from: string;
    /**
     * The `seq` of the last commit that both have.
     */
    seq: number;
    /**
     * Id of the commit that says so: the head of the branch.
     */
    commit: string;
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
 * A change of a unit.
 */
export interface UnitChange {
    /**
     * Id of the unit.
     */
    unit: string;
    /**
     * What was done.
     */
    deed: UnitDeed;
    /**
     * Why, in words.
     */
    why: string;
    /**
     * Rules that it goes against without being stopped, and raises that were held back.
     */
    warnings: Objection[];
}

/**
 * A change of memory that the model asked for.
 */
export interface ToolChange {
    /**
     * With which tool: a new statement, or other words for a unit.
     */
    tool: "propose_fact" | "revise_fact";
    /**
     * What was to be remembered, cut for display.
     */
    statement: string;
    /**
     * Id of the unit that was to be revised.
     */
    unit: string | null;
    /**
     * What came of it.
     */
    outcome: ToolOutcome;
    /**
     * Id of the commit that holds it; {@link Memory.undo} takes it back.
     */
    commit: string | null;
}

/**
 * A change that a sweep made.
 */
export interface SweepEffect {
    /**
     * In which step.
     */
    step: "refresh" | "consolidate" | "prune";
    /**
     * What was done.
     */
    change: UnitChange;
}

/**
 * A change that was stopped.
 */
export interface SweepBlock {
    /**
     * In which step.
     */
    step: "refresh" | "consolidate" | "prune";
    /**
     * What stands against it.
     */
    objection: Objection;
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
 * A conflict of a statement with a unit.
 */
export interface UnitConflict {
    /**
     * Id of the unit.
     */
    unit: string;
    /**
     * How sure the detector is that both cannot hold: 0 to 1. It says nothing about which is right.
     */
    confidence: number;
    /**
     * What kind of conflict.
     */
    kind: ConflictKind;
    /**
     * Graded by the detector; a default; or not decided, so that a person has to look.
     */
    quality: "FULL" | "FALLBACK" | "DEGRADED";
    /**
     * Why, in words.
     */
    reason: string;
}

/**
 * A conversation as a file holds it.
 */
export interface ImportedConversation {
    /**
     * A few words.
     */
    title: string;
    /**
     * The file's name.
     */
    source: string;
    /**
     * Who speaks, in order of first turn.
     */
    speakers: string[];
    /**
     * What was said, in order.
     */
    turns: ImportedTurn[];
    /**
     * What was left out or guessed, in words.
     */
    notes: string[];
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
 * A fact that a summary does not keep.
 */
export interface SummaryLoss {
    /**
     * Id of the statement.
     */
    proposition: string;
    /**
     * What it says.
     */
    text: string;
    /**
     * How far it is to be taken.
     */
    authority: UnitAuthority | null;
    /**
     * How it was lost.
     */
    kind: "missing" | "number" | "unit" | "date" | "name" | "denial" | "opposed";
    /**
     * The sentence of the summary in its place; may be empty.
     */
    sentence: string;
    /**
     * Why, in words.
     */
    reason: string;
}

/**
 * A field before and after.
 */
export interface FieldChange {
    /**
     * Its name, as it is stored.
     */
    field: string;
    /**
     * Before; `null` where it was not there.
     */
    from: unknown;
    /**
     * After; `null` where it is not there.
     */
    to: unknown;
}

/**
 * A further phase of the making of an answer. What streams is a draft until the turn is stored.
 */
export type EnforcementPhase = { phase: "checking" } | { phase: "regenerating"; contradicted: string[] };

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
 * A number of tokens: known where all three are one.
 */
export interface TokenCount {
    /**
     * At least so many.
     */
    low: number;
    /**
     * Probably so many.
     */
    likely: number;
    /**
     * At most so many.
     */
    high: number;
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
 * A person's words with an act.
 */
export interface ActOptions {
    /**
     * Why; kept with the act. Default: nothing.
     */
    note?: string;
}

/**
 * A point of history: after a commit, by its `seq` (0 is before the first), or at an instant (ms).
 */
export type HistoryPoint = { commit: number } | { time: number };

/**
 * A prompt, ready to be sent.
 */
export interface Assembled {
    /**
     * Exactly what the model is sent.
     */
    messages: PromptMessage[];
    /**
     * The statements in it, in order.
     */
    items: AssembledItem[];
    /**
     * Statements that were considered and are not in it.
     */
    leftOut: Withheld[];
    /**
     * How units were chosen.
     */
    mode: "BULK" | "TOOL" | "HYBRID" | "RANK_ONLY" | "SEMANTIC";
    /**
     * What it costs.
     */
    tokens: PromptTokens;
    /**
     * Things worth knowing.
     */
    notes: string[];
    /**
     * What was looked for, credentials redacted.
     */
    query: string;
    /**
     * The memory's position at which it was made: once the log is longer, it is to be made again.
     */
    seq: number;
    /**
     * Id of the use record; `null` for a preview.
     */
    use: string | null;
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
     * A gate held a change; a statement stands against a pinned one; against a value that is not supposed to change; against a
     * unit that kept its place; what a statement rests on no longer stands; statements of a source are not trusted enough for
     * the working set; or could not be judged; a unit shall become CANON; or no longer be. Later releases may add words.
     */
    kind: "review" | "pinned-conflict" | "immutable-questioned" | "unit-dispute" | "support-lost" | "promotion-review" | "quarantine" | "canonization" | "decanonization";
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
    /**
     * Id of the conversation whose statements wait at the door of the working set.
     */
    source: string | null;
    /**
     * Id of the promotion report, of {@link Memory.promotions}, that says what the gates said.
     */
    promotion: string | null;
    /**
     * What was asked of CANON, and by whom.
     */
    canon: CanonRequest | null;
    /**
     * The answer, once there is one.
     */
    decision: Decision | null;
    /**
     * Why nobody has to answer any more.
     */
    closed: ClosedQuestion | null;
}

/**
 * A record that both changed, each in its own way. The one here stays.
 */
export interface MergeConflict {
    /**
     * Its id.
     */
    record: string;
    /**
     * As it is here; empty: it was removed.
     */
    here: string;
    /**
     * As it is in the bundle; empty: it was removed.
     */
    there: string;
    /**
     * What stands against what, in words.
     */
    why: string;
}

/**
 * A record that was changed by later commits.
 */
export interface ChangedSince {
    /**
     * Its id.
     */
    record: string;
    /**
     * The `seq` of each of those commits.
     */
    by: number[];
    /**
     * Whether a person made one of them.
     */
    byPerson: boolean;
}

/**
 * A setting by its name.
 */
export interface Property {
    /**
     * Its name: what {@link Memory.setProperty} takes.
     */
    name: string;
    /**
     * What it takes. Later releases may add kinds.
     */
    type: { kind: "bool" | "int" | "double" | "maybedouble" | "text" | "maybetext" | "duration" | "list" | "map" } | { kind: "enum"; choices: string[] };
    /**
     * Its range, in words; empty where the type says it all.
     */
    range: string;
    /**
     * What it does, in a line.
     */
    about: string;
    /**
     * As it is.
     */
    value: unknown;
    /**
     * As it is without anybody's change.
     */
    default: unknown;
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
 * A statement as a file holds it.
 */
export interface ImportedStatement {
    /**
     * Its words.
     */
    text: string;
    /**
     * Whom it is about, where the file says so beside the words; may be empty.
     */
    subject: string;
    /**
     * The headings or categories that it stands under; may be empty.
     */
    topic: string;
    /**
     * When it was said or written (ms).
     */
    at: number | null;
    /**
     * Until when it holds, exclusive (ms).
     */
    validTo: number | null;
    /**
     * Its id in the other system; may be empty.
     */
    externalId: string;
    /**
     * Where it stands in the file.
     */
    place: string;
}

/**
 * A statement that an erasure bears on.
 */
export interface TouchedStatement {
    /**
     * Its id.
     */
    id: string;
    /**
     * What it says now.
     */
    text: string;
    /**
     * What it will say; `null`: nothing will be left of it.
     */
    after: string | null;
    /**
     * A person pinned it, or made it CANON.
     */
    isKeptDear: boolean;
    /**
     * What happens to it and why, in words.
     */
    why: string;
}

/**
 * A statement that came of another.
 */
export interface Derived {
    /**
     * The statement.
     */
    proposition: Proposition;
    /**
     * Id of what it came of directly.
     */
    from: string;
    /**
     * It sums the other up, took its place, or stands against it.
     */
    by: "abstraction" | "supersession" | "contradiction";
    /**
     * How many steps from the statement that was asked about; 1 for the nearest.
     */
    depth: number;
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
 * A statement that rested on one that was superseded.
 */
export interface Dependant {
    /**
     * Its id.
     */
    proposition: string;
    /**
     * How much of it.
     */
    materiality: "not" | "in-part" | "alone";
    /**
     * What became of it.
     */
    effect: "untouched" | "asked" | "retired" | "closed";
    /**
     * Why, in words.
     */
    why: string;
}

/**
 * A statement that was considered and is not in the prompt.
 */
export interface Withheld {
    /**
     * Its id.
     */
    proposition: string;
    /**
     * It is a unit of the working set.
     */
    isUnit: boolean;
    /**
     * Why. Later releases may add words.
     */
    reason: "unrelated" | "below-minimum" | "over-limit" | "token-budget" | "faded" | "left-to-tools" | "cold" | "off";
    /**
     * The same in words.
     */
    why: string;
    /**
     * What it scored, where it was scored.
     */
    score: number | null;
}

/**
 * A statement that was here already under another id.
 */
export interface JoinedStatement {
    /**
     * Its id in the bundle.
     */
    statement: string;
    /**
     * Id of the statement here that took its evidence over.
     */
    into: string;
    /**
     * What both say, cut for display.
     */
    text: string;
}

/**
 * A step of a maintenance run.
 */
export type MaintenancePass = "session-consolidation" | "duplicates" | "abstraction" | "contradiction-resolution" | "decay-sweep" | "custom";

/**
 * A stored row that cannot be read.
 */
export interface DamagedRow {
    /**
     * Where it is stored.
     */
    store: string;
    /**
     * Its key there.
     */
    key: string;
    /**
     * What is wrong with it.
     */
    detail: string;
    /**
     * What is stored there, as text; `null`: nothing.
     */
    raw: string | null;
}

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
 * A text to be read like any document.
 */
export interface ImportedDocument {
    /**
     * Its name.
     */
    name: string;
    /**
     * Its words.
     */
    text: string;
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
    /**
     * What it has to do with the memory.
     */
    mode: MemoryMode;
}

/**
 * A threshold that pressure has reached and not left.
 */
export interface PressureBreach {
    /**
     * The sweep that it calls for.
     */
    sweep: "LIGHT" | "FULL";
    /**
     * The turn in which it was reached.
     */
    since: number;
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
 * A turn that an erasure bears on.
 */
export interface TouchedTurn {
    /**
     * Its id.
     */
    id: string;
    /**
     * Id of its conversation.
     */
    conversation: string;
    /**
     * The sentences that go.
     */
    cut: string[];
    /**
     * What it will say; `null`: nothing will be left of it.
     */
    after: string | null;
}

/**
 * A turn, whole: what it was given, what was sent, how, and what came back.
 */
export interface Replay {
    /**
     * The turn with the wording that this was.
     */
    turn: Turn;
    /**
     * The prompt, and what memory gave to it.
     */
    xray: Xray;
    /**
     * The model, its options and tool calls; `null` where nothing was asked of a model.
     */
    execution: Execution | null;
    /**
     * Ids of the use records of the searches that the model made meanwhile.
     */
    searches: string[];
}

/**
 * A unit of the working set, as of now.
 */
export interface Unit {
    /**
     * Id of its proposition, which names it.
     */
    id: string;
    /**
     * What it says.
     */
    text: string;
    /**
     * Where its proposition stands.
     */
    status: Status;
    /**
     * Pinned by a person: no policy takes it out or lowers it.
     */
    pinned: boolean;
    /**
     * How present it is: 100 to 900.
     */
    activation: number;
    /**
     * Where that places it.
     */
    tier: UnitTier;
    /**
     * How far it is to be taken.
     */
    authority: UnitAuthority;
    /**
     * The highest authority that policies may give it, by where it came from.
     */
    ceiling: Exclude<UnitAuthority, "CANON">;
    /**
     * Where it stands.
     */
    standing: UnitStanding;
    /**
     * Its proposition's confidence now: 0 to 1.
     */
    effectiveConfidence: number;
    /**
     * The evidence that was counted, oldest first.
     */
    evidence: Evidence[];
    /**
     * The last evaluation of its trust.
     */
    trust: TrustAudit | null;
    /**
     * The act that made it CANON.
     */
    canon: Canonization | null;
    /**
     * The last change of its authority.
     */
    lastStep: AuthorityStep | null;
    /**
     * Entered the working set first (ms).
     */
    promoted: number;
}

/**
 * A wish about CANON.
 */
export interface CanonRequest {
    /**
     * Who asked.
     */
    asker: "person" | "host" | "model" | { policy: string };
    /**
     * Why, in their words.
     */
    reason: string;
    /**
     * The unit's authority then.
     */
    authority: UnitAuthority;
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
     * What the model looked up itself, in order.
     */
    searches: ToolUse[];
    /**
     * What of memory the model asked to change, in order, and what came of it.
     */
    changes: ToolChange[];
    /**
     * Things worth knowing about the call.
     */
    notes: string[];
}

/**
 * An enforced fact that an answer contradicts.
 */
export interface Violation {
    /**
     * Id of the unit.
     */
    unit: string;
    /**
     * What it says.
     */
    fact: string;
    /**
     * How far it is to be taken.
     */
    authority: UnitAuthority;
    /**
     * The sentence of the answer.
     */
    sentence: string;
    /**
     * Why both cannot hold, in words.
     */
    reason: string;
    /**
     * 0 to 1.
     */
    confidence: number;
    /**
     * Who saw it.
     */
    by: "rules" | "model" | "host";
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
 * Everything of one kind that is wrong.
 */
export interface HealthFinding {
    /**
     * What. Later releases may add words.
     */
    trouble: string;
    /**
     * Nothing is lost or wrong; records disagree; something cannot be read.
     */
    severity: "note" | "disagreement" | "loss";
    /**
     * What can be done: a repair does the first four, the rest comes by itself or from a bundle.
     */
    remedy: "set-aside" | "unlink" | "recreate" | "remove" | "wait" | "restore";
    /**
     * In words.
     */
    words: string;
    /**
     * How often.
     */
    count: number;
    /**
     * The first places, with what is found there.
     */
    places: string[];
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
    /**
     * What it has to do with the memory. Default `"full"`.
     */
    mode?: MemoryMode;
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
 * How a file of another program is taken in.
 */
export interface TakeInSettings {
    /**
     * Which of the preview's `people` is the user.
     */
    user?: string;
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
    /**
     * The working set's units: how many, what they begin with, who may raise them, what rules stand.
     */
    unit?: SettingsArea;
    /**
     * What memory takes in, and with which models.
     */
    memory?: SettingsArea;
    /**
     * What is kept from one start to the next.
     */
    persistence?: SettingsArea;
    /**
     * Bounds of every model call.
     */
    llmCall?: SettingsArea;
    /**
     * How the number of units is kept.
     */
    budget?: SettingsArea;
    /**
     * What a prompt is made of.
     */
    assembly?: SettingsArea;
    /**
     * How answers are kept to the facts.
     */
    enforcement?: SettingsArea;
    /**
     * Earlier turns as a summary.
     */
    compaction?: SettingsArea;
    /**
     * Who looks for conflicts with the working set.
     */
    conflictDetection?: SettingsArea;
    /**
     * From which confidence a conflict with the working set acts.
     */
    conflict?: SettingsArea;
    /**
     * How much happens around each unit.
     */
    attention?: SettingsArea;
    /**
     * How near the working set is to what it can hold.
     */
    pressure?: SettingsArea;
    /**
     * Units served by tier.
     */
    tieredStorage?: SettingsArea;
    /**
     * Which facts a prompt gets.
     */
    retrieval?: SettingsArea;
    /**
     * How the assistant answers.
     */
    chat?: SettingsArea;
    /**
     * What the assistant may ask of memory.
     */
    tools?: SettingsArea;
    /**
     * How much of history is kept.
     */
    history?: SettingsArea;
    /**
     * How scenarios are played, and where their runs are kept. A memory by itself reads none of it.
     */
    sim?: SettingsArea;
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
 * How a statement takes another one's place.
 */
export interface SupersedeOptions {
    /**
     * The older one was true until now, or it was wrong. Default `"moved-on"`.
     */
    how?: HowFollowed;
}

/**
 * How an answer was made.
 */
export interface Execution {
    /**
     * The model that was asked for by name; `null`: the one chosen for the role.
     */
    asked: string | null;
    /**
     * The model that answered, as the server names it.
     */
    model: string;
    /**
     * 0 to 2; `null`: the model's own.
     */
    temperature: number | null;
    /**
     * Most tokens of the answer; `null`: the model's own.
     */
    maxTokens: number | null;
    /**
     * Milliseconds that were waited for each byte; `null`: the adapter's own.
     */
    timeoutMs: number | null;
    /**
     * How the answer ended.
     */
    finish: "stop" | "length" | "filtered" | "cancelled";
    /**
     * Tokens of the prompt as the server counted them.
     */
    promptTokens: number | null;
    /**
     * Tokens of the answer as the server counted them.
     */
    completionTokens: number | null;
    /**
     * What the model looked up, in order.
     */
    searches: ToolUse[];
    /**
     * What of memory it asked to change, in order.
     */
    changes: ToolChange[];
    /**
     * What the adapter changed or noticed.
     */
    notes: string[];
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
 * How far a memory goes back to an earlier commit, and by whom.
 */
export interface ReturnOptions {
    /**
     * Conversations, turns and how far they were analysed go back too. Default: no, what was said stays.
     */
    turns?: boolean;
    /**
     * What a person changed since goes back too. Default: no, it stays and is reported.
     */
    overPersons?: boolean;
    /**
     * Whose act it is. Default `"host"`.
     */
    by?: ActBy;
}

/**
 * How far a sweep goes, and whether it writes.
 */
export interface SweepSettings {
    /**
     * By rules alone, or with contradictions and the model where it is allowed. Default `"LIGHT"`.
     */
    kind?: "LIGHT" | "FULL";
    /**
     * Writes the report alone, with what would have been done. Default: no.
     */
    dryRun?: boolean;
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
 * How far an erasure has looked through history.
 */
export interface ErasureProgress {
    /**
     * Records that were looked at.
     */
    done: number;
    /**
     * Records to look at, each as often as the plan comes by it.
     */
    total: number;
}

/**
 * How far taking a file in has come.
 */
export interface TakeInProgress {
    /**
     * Conversations, documents and statements that are done.
     */
    done: number;
    /**
     * Of how many.
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
 * How many statements each gate let through.
 */
export interface PromotionFunnel {
    /**
     * Offered.
     */
    offered: number;
    /**
     * Hold now and are no units yet.
     */
    candidates: number;
    /**
     * Sure enough.
     */
    confident: number;
    /**
     * Not said by the working set already.
     */
    unique: number;
    /**
     * Against nothing that stays.
     */
    unopposed: number;
    /**
     * Trusted enough.
     */
    trusted: number;
    /**
     * Allowed by the rules.
     */
    allowed: number;
    /**
     * In the working set now.
     */
    admitted: number;
    /**
     * Whose comparison failed, so that a person is asked.
     */
    degraded: number;
}

/**
 * How much a memory holds.
 */
export interface BundleTally {
    /**
     * Commits.
     */
    commits: number;
    /**
     * Statements, whatever their status.
     */
    statements: number;
    /**
     * Statements that are believed.
     */
    live: number;
    /**
     * Entities.
     */
    entities: number;
    /**
     * Conversations and documents.
     */
    conversations: number;
    /**
     * Turns and passages.
     */
    turns: number;
    /**
     * Use records.
     */
    uses: number;
    /**
     * Vectors, of every space.
     */
    vectors: number;
}

/**
 * How much happens around one unit, in its window.
 */
export interface UnitAttention {
    /**
     * Id of the unit.
     */
    unit: string;
    /**
     * Conflicts.
     */
    conflicts: number;
    /**
     * Reinforcements.
     */
    reinforcements: number;
    /**
     * All events.
     */
    events: number;
    /**
     * The last event of all, also before the window (ms).
     */
    lastEvent: number | null;
    /**
     * Where the window begins (ms).
     */
    start: number;
    /**
     * How long it is (ms).
     */
    durationMs: number;
    /**
     * 0 to 1.
     */
    heat: number;
    /**
     * 0 to 1.
     */
    pressure: number;
    /**
     * 0 to 4: above 1 it quickens, below 1 it slows.
     */
    burst: number;
    /**
     * Its signals that are on.
     */
    signals: AttentionSignal[];
}

/**
 * How much happens around the units.
 */
export interface Attention {
    /**
     * Active units, hottest first.
     */
    units: UnitAttention[];
    /**
     * What is worth telling now.
     */
    signals: AttentionSignal[];
}

/**
 * How much was cleaned, by kind of place.
 */
export interface Cleaned {
    /**
     * Records of which nothing is left.
     */
    destroyed: Record<string, number>;
    /**
     * Records that lost a part of their content.
     */
    redacted: Record<string, number>;
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
 * How near the working set is to what it can hold.
 */
export interface Pressure {
    /**
     * The user turn under way.
     */
    turn: number;
    /**
     * 0 to 1.
     */
    score: number;
    /**
     * What it is made of.
     */
    parts: PressureParts;
    /**
     * Active units.
     */
    active: number;
    /**
     * Most active units.
     */
    budget: number;
    /**
     * Conflicts in the window.
     */
    conflicts: number;
    /**
     * Demotions in it.
     */
    demotions: number;
    /**
     * Compactions in it.
     */
    compactions: number;
    /**
     * Thresholds that are reached, the light one first.
     */
    breaches: PressureBreach[];
    /**
     * The scores of the turns that are kept, oldest first.
     */
    history: PressureAt[];
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
 * How one statement took another one's place.
 */
export type HowFollowed = "moved-on" | "corrected";

/**
 * How sure a statement was after one of its revisions.
 */
export interface ConfidenceStep {
    /**
     * The revision.
     */
    revision: number;
    /**
     * Its commit's `seq`.
     */
    seq: number;
    /**
     * When (ms).
     */
    at: number;
    /**
     * 0 to 1.
     */
    confidence: number;
    /**
     * Where it stood.
     */
    status: Status;
    /**
     * Ids of the turns that it rested on.
     */
    turns: string[];
    /**
     * Why, in words.
     */
    why: string;
}

/**
 * How the age of a fact is counted.
 */
export type AgeCount = "whole-days" | "fractional-days";

/**
 * One answer as it was checked.
 */
export interface ComplianceAttempt {
    /**
     * The layers that worked.
     */
    layers: ("prompt" | "bias" | "rules" | "host" | "model")[];
    /**
     * What it contradicts.
     */
    violations: Violation[];
    /**
     * What that calls for.
     */
    action: "ACCEPT" | "RETRY" | "REJECT";
    /**
     * Failed layers and remarks, in words.
     */
    warnings: string[];
    /**
     * Milliseconds that checking took.
     */
    elapsedMs: number;
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
     * The model that the settings name; none: the program's own choice.
     */
    model: string | null;
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
 * One change of authority.
 */
export interface AuthorityStep {
    /**
     * Before.
     */
    from: UnitAuthority;
    /**
     * After.
     */
    to: UnitAuthority;
    /**
     * Why.
     */
    reason: AuthorityReason;
    /**
     * When (ms).
     */
    at: number;
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
 * One erasure. No word of what went is in it.
 */
export interface ErasureReport {
    /**
     * Its id: what {@link Memory.liftTombstones} takes.
     */
    id: string;
    /**
     * When (ms).
     */
    at: number;
    /**
     * What was wanted gone.
     */
    target: ForgetTarget;
    /**
     * What was done.
     */
    cleaned: Cleaned;
    /**
     * Ids of records of which nothing is left.
     */
    records: string[];
    /**
     * The `seq` of each commit that was rewritten.
     */
    commits: number[];
    /**
     * How many tombstones keep it from being learned again from old sources.
     */
    tombstones: number;
    /**
     * A person took the tombstones away: it may be learned again.
     */
    lifted: boolean;
}

/**
 * One evaluation of a unit's trust.
 */
export interface TrustStep {
    /**
     * Id of the commit that kept it.
     */
    commit: string;
    /**
     * The unit's authority after it.
     */
    authority: UnitAuthority;
    /**
     * What was found.
     */
    audit: TrustAudit;
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
 * One memory of a bundle, after an import.
 */
export interface ImportedContext {
    /**
     * Its name in the bundle.
     */
    context: string;
    /**
     * The memory here.
     */
    into: string;
    /**
     * What became of it.
     */
    outcome: "created" | "replaced" | "appended" | "merged" | "unchanged" | "skipped";
    /**
     * Commits that came along as they are.
     */
    commits: number;
    /**
     * Commits of the memory that is gone, where one was replaced.
     */
    replaced: number | null;
    /**
     * Id of the commit of a merge; `null` where nothing was merged or lacking.
     */
    commit: string | null;
    /**
     * What a merge did.
     */
    merge: MergeReport | null;
    /**
     * Use records that came along.
     */
    uses: number;
    /**
     * Vectors that came along.
     */
    vectors: number;
    /**
     * Worth knowing, in words.
     */
    notes: string[];
}

/**
 * One memory of a bundle, and what importing it would mean.
 */
export interface PlannedContext {
    /**
     * Its name in the bundle.
     */
    context: string;
    /**
     * How it stands to what is here.
     */
    standing: BundleStanding;
    /**
     * What it holds.
     */
    inside: BundleTally;
    /**
     * What the memory of its name holds here; `null`: there is none.
     */
    here: BundleTally | null;
    /**
     * What merging would do; `null` unless both went on.
     */
    merge: MergeReport | null;
    /**
     * Records of it that were erased here for ever: they stay gone unless `bring-back` is chosen.
     */
    staysErased: number;
    /**
     * What loses nothing.
     */
    suggested: BundleChoice;
    /**
     * Worth knowing before a choice is made, in words.
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
 * One message of a prompt.
 */
export interface PromptMessage {
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
 * One part of a prompt and what it costs.
 */
export interface PromptSection {
    /**
     * Which.
     */
    kind: "instructions" | "memory" | "summary" | "history";
    /**
     * Its tokens.
     */
    tokens: TokenCount;
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
 * One piece of evidence for a unit.
 */
export interface Evidence {
    /**
     * A source that had not said it before; an answer that used it and agrees with it; a person.
     */
    kind: "independent-source" | "correct-use" | "confirmation";
    /**
     * Who or what it came from; for a use, id of the conversation.
     */
    source: string;
    /**
     * When (ms).
     */
    at: number;
    /**
     * For a use, the index of the turn that used it.
     */
    turn: number | null;
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
 * One revision that a turn was given.
 */
export interface UsedRevision {
    /**
     * From 1.
     */
    rank: number;
    /**
     * Id of the statement.
     */
    proposition: string;
    /**
     * The revision that was given.
     */
    revision: number;
    /**
     * Why it was chosen, in words.
     */
    why: string;
    /**
     * What it said; `null` where that revision is gone from history.
     */
    then: Said | null;
    /**
     * What it says now; `null` when it was forgotten.
     */
    now: Said | null;
    /**
     * How it has changed since.
     */
    since: LifeStep[];
}

/**
 * One search that the model made in memory, in the retrieval mode `TOOL`.
 */
export interface ToolUse {
    /**
     * What it looked for.
     */
    query: string;
    /**
     * How many statements it got.
     */
    found: number;
    /**
     * Id of the use record of what it got.
     */
    use: string;
}

/**
 * One signal's part of a trust score.
 */
export interface TrustSignal {
    /**
     * Its name.
     */
    name: string;
    /**
     * What it said: 0 to 1; `null` where it had nothing to say.
     */
    value: number | null;
    /**
     * Its weight in the profile.
     */
    weight: number;
    /**
     * What it added to the score.
     */
    added: number;
    /**
     * Why, in words.
     */
    why: string;
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
 * One statement of a lineage.
 */
export interface LineageStep {
    /**
     * The statement as it stands now.
     */
    proposition: Proposition;
    /**
     * Its authority in the working set, where it has or had a place there.
     */
    authority: UnitAuthority | null;
    /**
     * What it took the place of.
     */
    follows: Predecessor[];
    /**
     * Why it stands as it does, in words; may be empty.
     */
    why: string;
}

/**
 * One statement of a prompt.
 */
export interface AssembledItem {
    /**
     * Position, from 1.
     */
    rank: number;
    /**
     * Its id.
     */
    proposition: string;
    /**
     * What it says.
     */
    text: string;
    /**
     * Its line as the model sees it, without number or bullet.
     */
    line: string;
    /**
     * What it was in the working set; `null`: it was recalled beside it.
     */
    unit: UsedUnit | null;
    /**
     * Why it comes whatever the question.
     */
    always: "canon" | "pinned" | "vital" | null;
    /**
     * Another statement stands against it and a person has not decided yet.
     */
    isDisputed: boolean;
    /**
     * It has to do with the question.
     */
    isRelated: boolean;
    /**
     * What ordered it: 0 to 1.
     */
    score: number;
    /**
     * Why it was chosen, in words.
     */
    why: string;
    /**
     * What its line costs.
     */
    tokens: TokenCount;
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
 * One step in the life of a record.
 */
export interface LifeStep {
    /**
     * The revision.
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
     * Why this record changed, in words.
     */
    why: string;
    /**
     * What changed, by field. Empty for the first step that is known.
     */
    fields: FieldChange[];
    /**
     * An earlier revision with the same content.
     */
    cameBack: number | null;
    /**
     * It was taken out.
     */
    removed: boolean;
    /**
     * Its content was destroyed for ever.
     */
    erased: boolean;
}

/**
 * One turn of a file.
 */
export interface ImportedTurn {
    /**
     * As the file names them.
     */
    speaker: string;
    /**
     * What was said.
     */
    text: string;
    /**
     * When, where the file says so (ms).
     */
    at: number | null;
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
    state: "complete" | "stopped" | "cut" | "failed";
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
    /**
     * What came of holding the answer to the enforced facts; `null` where the prompt alone enforces.
     */
    compliance: Compliance | null;
    /**
     * Every wording that it has had, in the order in which they were made; one for a turn that was never changed.
     */
    wordings: Wording[];
    /**
     * The place of the wording that stands, from 0.
     */
    chosen: number;
    /**
     * It was said while nothing was learned, and never will be.
     */
    offRecord: boolean;
}

/**
 * One unit's score in a sweep.
 */
export interface AuditedUnit {
    /**
     * Id of the unit.
     */
    unit: string;
    /**
     * What decided: 0 to 1.
     */
    score: number;
    /**
     * What the rules gave, where the model or a contradiction decided.
     */
    byRules: number | null;
    /**
     * User turns since it was last used.
     */
    idleTurns: number;
    /**
     * Why the score is not that of the rules, in words; may be empty.
     */
    why: string;
}

/**
 * One wording of a turn.
 */
export interface Wording {
    /**
     * What it says, with credentials redacted.
     */
    text: string;
    /**
     * When it was made (ms).
     */
    at: number;
    /**
     * How it ended.
     */
    state: "complete" | "stopped" | "cut" | "failed";
    /**
     * Why it failed.
     */
    failure: Problem | null;
    /**
     * The model that wrote it.
     */
    model: string | null;
    /**
     * Id of the use record that says what memory gave to it.
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
 * Something around units that is worth telling.
 */
export interface AttentionSignal {
    /**
     * Which.
     */
    kind: "PRESSURE_SPIKE" | "HEAT_PEAK" | "HEAT_DROP" | "CLUSTER_DRIFT";
    /**
     * Id of the unit; `null` for several together.
     */
    unit: string | null;
    /**
     * Since when (ms).
     */
    since: number;
}

/**
 * Something of the bundle that is not taken over.
 */
export interface NotTaken {
    /**
     * Its id.
     */
    record: string;
    /**
     * Why, in words.
     */
    why: string;
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
export type MemoryEvent = { type: "committed"; commit: Commit; remote: boolean } | { type: "used"; use: string; query: string; step: string; propositions: string[]; leftOut: LeftOut[] } | { type: "unit"; event: UnitEvent; at: number; remote: boolean } | { type: "upkeep"; signal: UpkeepSignal } | { type: "upkeep-failed"; reason: string } | { type: "enforcement"; conversation: string; phase: EnforcementPhase } | { type: "compacted"; summary: Summary } | { type: "analysis-started"; conversation: string; from: number; to: number } | { type: "analysed"; report: AnalysisReport } | { type: "analysis-failed"; conversation: string; code: string; reason: string };

/**
 * Something that is left out.
 */
export interface Skipped {
    /**
     * Where in the file.
     */
    place: string;
    /**
     * How many such things there.
     */
    count: number;
    /**
     * What, and why, in words.
     */
    reason: string;
}

/**
 * Something that statements mention.
 */
export interface MentionNode {
    /**
     * The entity's id, or `unresolved:<type>:<span>`.
     */
    id: string;
    /**
     * Its name, or the words of the mention.
     */
    label: string;
    /**
     * Its type; empty when unknown.
     */
    kind: string;
    /**
     * Mentions of it.
     */
    mentions: number;
    /**
     * Statements that mention it.
     */
    propositions: number;
}

/**
 * Something with a name.
 */
export interface Named {
    /**
     * Its id.
     */
    id: string;
    /**
     * Its name, or what it says.
     */
    name: string;
}

/**
 * The act that made a unit CANON.
 */
export interface Canonization {
    /**
     * When (ms).
     */
    at: number;
    /**
     * Id of the question that it answered.
     */
    question: string | null;
    /**
     * What the person said of it; may be empty.
     */
    note: string;
}

/**
 * The end of a question that nobody had to answer.
 */
export interface ClosedQuestion {
    /**
     * What it asked about has changed meanwhile, or new evidence settled it.
     */
    as: "stale" | "settled";
    /**
     * When (ms).
     */
    at: number;
    /**
     * In words.
     */
    why: string;
}

/**
 * The kind of a conflict: the newer one corrects the older one; one of them is wrong; the world moved on; or a kind of the program's
 * own.
 */
export type ConflictKind = { type: "revision" } | { type: "contradiction" } | { type: "world-progression" } | { type: "custom"; label: string };

/**
 * The life of a record.
 */
export interface Life {
    /**
     * Oldest first.
     */
    steps: LifeStep[];
    /**
     * Earlier steps were dropped by a retention policy.
     */
    compacted: boolean;
}

/**
 * The model server of one role.
 */
export interface RoleEndpointOptions {
    /**
     * The kind of server, as in `EndpointOptions`. Default `"custom"`.
     */
    preset?: string;
    /**
     * Its address. Default: the preset's own; `"custom"` has none.
     */
    baseUrl?: string;
    /**
     * Its key, sent to this server alone. Default: none, or that of an endpoint of the same origin.
     */
    key?: string;
}

/**
 * The order of a list of propositions.
 */
export type ListOrder = "oldest" | "newest" | "revised" | "confidence" | "importance" | "reinforced";

/**
 * The pressure of one turn.
 */
export interface PressureAt {
    /**
     * Which user turn, from 1; 0 is before the first.
     */
    turn: number;
    /**
     * 0 to 1.
     */
    score: number;
}

/**
 * The prompt of a recorded step, put together again from the log.
 */
export interface Xray {
    /**
     * Id of the use record.
     */
    use: string;
    /**
     * When (ms).
     */
    at: number;
    /**
     * What was looked for, credentials redacted.
     */
    query: string;
    /**
     * The messages. Empty when the record is of no prompt (a search).
     */
    messages: PromptMessage[];
    /**
     * Ids of the statements that were given, in order.
     */
    propositions: string[];
    /**
     * What was considered and stayed away.
     */
    leftOut: Withheld[];
    /**
     * The messages are what was sent, byte for byte. `false` when a text was purged since.
     */
    isExact: boolean;
    /**
     * A model was sent them; the built-in responder reads the facts and no prompt.
     */
    wasSent: boolean;
    /**
     * Tokens of the prompt as the server counted them.
     */
    counted: number | null;
}

/**
 * The summary that stands in for a conversation's earlier turns.
 */
export interface Summary {
    /**
     * Stable for life.
     */
    id: string;
    /**
     * Id of the conversation.
     */
    conversation: string;
    /**
     * The first turn's index.
     */
    from: number;
    /**
     * One past the last.
     */
    to: number;
    /**
     * What it says.
     */
    text: string;
    /**
     * When (ms).
     */
    at: number;
    /**
     * Why it was made.
     */
    reason: "token_threshold" | "message_threshold" | "forced_turn" | "asked";
    /**
     * Id of the summary that it took in.
     */
    follows: string | null;
    /**
     * Who wrote it: a model; a model and rules; rules alone.
     */
    writtenBy: "model" | "mended" | "extractive";
    /**
     * Ids of the facts that it was to keep.
     */
    protected: string[];
    /**
     * What it still does not keep.
     */
    losses: SummaryLoss[];
    /**
     * Tokens of what it stands in for.
     */
    tokensBefore: number;
    /**
     * Tokens of its own.
     */
    tokensAfter: number;
}

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
 * Two nodes that are mentioned together.
 */
export interface MentionEdge {
    /**
     * Id of a node.
     */
    a: string;
    /**
     * Id of another.
     */
    b: string;
    /**
     * Statements that mention both.
     */
    weight: number;
}

/**
 * Two units that became one.
 */
export interface MergedUnits {
    /**
     * Id of the one that went.
     */
    gone: string;
    /**
     * Id of the one that stands for both.
     */
    into: string;
}

/**
 * What a compaction of history took, or would take.
 */
export interface HistoryCompaction {
    /**
     * Id of the commit that says so; `null` for a preview, and where nothing was to go.
     */
    commit: string | null;
    /**
     * The `seq` of the first commit whose view is whole afterwards; 0 where every one is.
     */
    horizon: number;
    /**
     * Commits that lose revisions.
     */
    commits: number;
    /**
     * Revisions that go.
     */
    revisions: number;
    /**
     * Revisions that stay.
     */
    kept: number;
    /**
     * Size of what goes, in bytes of stored text.
     */
    bytes: number;
}

/**
 * What a file is, by its content. Later releases may add words.
 */
export type ImportFormat = "bundle" | "mem0" | "chatgpt" | "claude" | "lorebook" | "character-card" | "conversation" | "list" | "document";

/**
 * What a file would become. Nothing was written.
 */
export interface ImportPreview {
    /**
     * What it is.
     */
    format: ImportFormat;
    /**
     * The file's name.
     */
    source: string;
    /**
     * Conversations, in order.
     */
    conversations: ImportedConversation[];
    /**
     * Documents, in order.
     */
    documents: ImportedDocument[];
    /**
     * Statements, in order.
     */
    statements: ImportedStatement[];
    /**
     * Who speaks, or whose memories these are: one of them is the user. Empty where nobody has to be chosen.
     */
    people: string[];
    /**
     * What is left out.
     */
    skipped: Skipped[];
    /**
     * Worth knowing, in words.
     */
    notes: string[];
}

/**
 * What a look at a memory found.
 */
export interface HealthReport {
    /**
     * When it was looked at (ms).
     */
    at: number;
    /**
     * The head's `seq` then.
     */
    seq: number;
    /**
     * Records of the present.
     */
    records: number;
    /**
     * Vectors, of every space.
     */
    vectors: number;
    /**
     * Whether everything is there and fits together; notes do not count.
     */
    isSound: boolean;
    /**
     * Whether a repair would change something.
     */
    canRepair: boolean;
    /**
     * What is wrong, the worst first.
     */
    findings: HealthFinding[];
    /**
     * Stored rows that cannot be read.
     */
    damages: DamagedRow[];
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
 * What a merge does. Counts are of records, by kind.
 */
export interface MergeReport {
    /**
     * Records that were not here.
     */
    added: Record<string, number>;
    /**
     * Records that only the bundle had changed.
     */
    changed: Record<string, number>;
    /**
     * Records that only the bundle had removed.
     */
    removed: Record<string, number>;
    /**
     * Records that are here as they are in the bundle.
     */
    same: number;
    /**
     * Records that only this memory has changed since: they stay.
     */
    newerHere: number;
    /**
     * Statements that were here under another id.
     */
    joined: JoinedStatement[];
    /**
     * Records that both changed.
     */
    conflicts: MergeConflict[];
    /**
     * What is not taken over.
     */
    notTaken: NotTaken[];
    /**
     * Worth knowing, in words.
     */
    notes: string[];
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
 * What a person's act did to a unit.
 */
export interface UnitAct {
    /**
     * What was done to it.
     */
    change: UnitChange;
    /**
     * Units that made room for it.
     */
    displaced: UnitChange[];
    /**
     * Id of the commit, which can be undone; `null` where nothing changed.
     */
    commit: string | null;
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
 * What a person's revision of a statement did.
 */
export interface Superseded {
    /**
     * Id of the statement in its place.
     */
    successor: string;
    /**
     * What rested on the older one.
     */
    dependants: Dependant[];
}

/**
 * What a prompt costs.
 */
export interface PromptTokens {
    /**
     * All messages with the marks around them.
     */
    prompt: TokenCount;
    /**
     * The memory block.
     */
    block: TokenCount;
    /**
     * Most tokens of the block; 0 is no limit.
     */
    budget: number;
    /**
     * Something was dropped for it, or the rest is still over.
     */
    exceeded: boolean;
    /**
     * Part by part.
     */
    sections: PromptSection[];
}

/**
 * What a repair did.
 */
export interface Repaired {
    /**
     * The `seq` of each commit that says so; empty when nothing was to be done.
     */
    commits: number[];
    /**
     * Rows that were set aside.
     */
    setAside: number;
    /**
     * Records that were changed, made or removed, by what was wrong.
     */
    mended: Record<string, number>;
    /**
     * Texts whose vectors were removed.
     */
    vectors: number;
    /**
     * What is left as it is, because it comes by itself or only a bundle could bring it back.
     */
    left: string[];
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
 * What a search for conflicts found. Nothing was written.
 */
export interface DetectedConflicts {
    /**
     * For each statement, in the order in which they were given: its conflicts, surest first.
     */
    conflicts: UnitConflict[][];
    /**
     * What was left out or could not be done, in words.
     */
    notes: string[];
    /**
     * Model calls.
     */
    calls: number;
    /**
     * Tokens of the prompts.
     */
    promptTokens: number;
    /**
     * Tokens of the replies.
     */
    completionTokens: number;
}

/**
 * What a statement said at one revision.
 */
export interface Said {
    /**
     * Its words.
     */
    text: string;
    /**
     * Where it stood.
     */
    status: Status;
    /**
     * How sure its source left us: 0 to 1.
     */
    confidence: number;
}

/**
 * What a statement stood against, and what came of it.
 */
export interface PromotionConflict {
    /**
     * Id of the other statement.
     */
    with: string;
    /**
     * How sure the detector is: 0 to 1.
     */
    confidence: number;
    /**
     * What kind of conflict.
     */
    kind: string;
    /**
     * What came of it.
     */
    outcome: string;
    /**
     * Why, in words.
     */
    why: string;
}

/**
 * What a statement took the place of.
 */
export interface Predecessor {
    /**
     * Its id.
     */
    proposition: string;
    /**
     * It was true until then, or it was wrong.
     */
    how: "moved-on" | "corrected";
}

/**
 * What a trust evaluation found: the parts of its signals add up to its score.
 */
export interface TrustAudit {
    /**
     * 0 to 1.
     */
    score: number;
    /**
     * Where it leads.
     */
    zone: "ARCHIVE" | "REVIEW" | "AUTO_PROMOTE";
    /**
     * The highest authority that it allows.
     */
    ceiling: Exclude<UnitAuthority, "CANON">;
    /**
     * The profile's name.
     */
    profile: string;
    /**
     * Every signal.
     */
    signals: TrustSignal[];
    /**
     * What asked for it.
     */
    trigger: string;
    /**
     * When (ms).
     */
    at: number;
}

/**
 * What a unit was when it was given to a model.
 */
export interface UsedUnit {
    /**
     * How far it was to be taken.
     */
    authority: UnitAuthority;
    /**
     * Its activation: 100 to 900.
     */
    activation: number;
    /**
     * Where that placed it.
     */
    tier: UnitTier;
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
 * What an erasure would do. Nothing was written.
 */
export interface ErasurePreview {
    /**
     * What was asked about.
     */
    target: ForgetTarget;
    /**
     * Statements, those that go first.
     */
    statements: TouchedStatement[];
    /**
     * Entities of which nothing will be left.
     */
    entities: Named[];
    /**
     * Conversations and documents that go.
     */
    sources: Named[];
    /**
     * Turns, in order of time.
     */
    turns: TouchedTurn[];
    /**
     * How much, by kind of place.
     */
    cleaned: Cleaned;
    /**
     * Worth knowing before it is done, in words.
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
    /**
     * Ids of records whose earlier revision is gone from history: left as they are.
     */
    lost: string[];
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
 * What became of a file.
 */
export interface Imported {
    /**
     * What it was.
     */
    format: ImportFormat;
    /**
     * Ids of conversations that were stored.
     */
    conversations: string[];
    /**
     * Documents, those included that were known.
     */
    documents: DocumentReceipt[];
    /**
     * Ids of conversations and documents with something left for {@link Memory.analyse}.
     */
    waiting: string[];
    /**
     * What came of the statements, a report a commit.
     */
    reports: AnalysisReport[];
    /**
     * What was not taken in.
     */
    skipped: Skipped[];
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
 * What became of a wish about CANON.
 */
export type CanonAnswer = { status: "approved" } | { status: "pending"; question: string } | { status: "nothing" };

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
 * What became of {@link Memory.compact}.
 */
export interface Compaction {
    /**
     * The last of the summaries that were made.
     */
    summary: Summary | null;
    /**
     * Why none was, in words; empty where one was.
     */
    whyNot: string;
}

/**
 * What began that a person may want to know.
 */
export type UpkeepSignal = { is: "attention"; signal: AttentionSignal } | { is: "pressure"; breach: PressureBreach; score: number };

/**
 * What came of a change of memory that the model asked for: a person is asked, it was done, memory says so already, or it was refused.
 */
export type ToolOutcome = { came: "asked"; question: string } | { came: "done"; statement: string } | { came: "known"; statement: string } | { came: "refused"; why: string };

/**
 * What came of holding an answer to the enforced facts.
 */
export interface Compliance {
    /**
     * The strategy in force.
     */
    strategy: "PROMPT_ONLY" | "POST_GENERATION" | "LOGIT_BIAS" | "HYBRID";
    /**
     * How many facts were enforced.
     */
    enforced: number;
    /**
     * Every answer, in order.
     */
    attempts: ComplianceAttempt[];
    /**
     * Which of them the turn's text is, from 0.
     */
    kept: number | null;
    /**
     * How it ended: nothing contradicted; not wholly checked; kept although it contradicts; withheld.
     */
    outcome: "compliant" | "unchecked" | "violating" | "withheld";
    /**
     * Why, in words; empty where all is well.
     */
    reason: string;
    /**
     * Ids of units that the answer used and agrees with.
     */
    used: string[];
    /**
     * Tokens that the request made more likely.
     */
    biased: number;
}

/**
 * What changing a turn did.
 */
export interface TurnChange {
    /**
     * The turn as it is now; `null` when it was taken out.
     */
    turn: Turn | null;
    /**
     * Id of the commit, which {@link Memory.undo} takes back; `null` when nothing differs.
     */
    commit: string | null;
    /**
     * What was taken back with the words that went.
     */
    retraction: Retraction;
    /**
     * Ids of records that came back with the words that were chosen again.
     */
    restored: string[];
    /**
     * Ids of records that should have come back and have changed since.
     */
    conflicts: string[];
    /**
     * Whether the turn waits to be analysed.
     */
    pending: boolean;
}

/**
 * What each dimension adds to the pressure: already weighted.
 */
export interface PressureParts {
    /**
     * How full the budget is.
     */
    budget: number;
    /**
     * Recent conflicts.
     */
    conflict: number;
    /**
     * Recent demotions.
     */
    decay: number;
    /**
     * Recent compactions.
     */
    compaction: number;
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
 * What forgetting softly did, or would do.
 */
export interface Forgetting {
    /**
     * Id of the commit; {@link Memory.undo} brings everything back. `null` for a preview, and where nothing was there.
     */
    commit: string | null;
    /**
     * Statements that go, with what they say.
     */
    removed: Named[];
    /**
     * Statements that rest on something else as well, or are pinned or CANON: they stay, without the evidence that goes.
     */
    kept: Named[];
    /**
     * Ids of turns that go, or that are off the record from now on.
     */
    turns: string[];
}

/**
 * What happened to a unit, told apart by `kind`. Later releases may add kinds.
 */
export type UnitEvent = { kind: "promoted"; unit: string; activation: number } | { kind: "reinforced"; unit: string; previous: number; activation: number; count: number } | { kind: "archived"; unit: string; reason: ArchiveReason } | { kind: "evicted"; unit: string; activation: number } | { kind: "dormant"; unit: string; activation: number } | { kind: "revived"; unit: string; activation: number; authority: UnitAuthority } | { kind: "authority-changed"; unit: string; previous: UnitAuthority; authority: UnitAuthority; direction: "PROMOTED" | "DEMOTED"; reason: AuthorityReason | null } | { kind: "tier-changed"; unit: string; previous: UnitTier; tier: UnitTier } | { kind: "superseded"; predecessor: string; successor: string; reason: "CONFLICT_REPLACEMENT" | "USER_REVISION" | "MANUAL" } | { kind: "removed"; unit: string } | { kind: "invariant-violation"; violation: Objection } | { kind: "conflict-detected"; incoming: string; units: string[] } | { kind: "conflict-resolved"; unit: string; outcome: string };

/**
 * What importing a bundle did.
 */
export interface ImportReport {
    /**
     * Memory by memory, in the bundle's order.
     */
    contexts: ImportedContext[];
}

/**
 * What importing a bundle would do. Nothing was written.
 */
export interface ImportPlan {
    /**
     * The release that made the bundle.
     */
    madeWith: string;
    /**
     * When it was made (ms).
     */
    exportedAt: number;
    /**
     * Its memories.
     */
    contexts: PlannedContext[];
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
 * What is mentioned together.
 */
export interface MentionGraph {
    /**
     * Most mentioned first.
     */
    nodes: MentionNode[];
    /**
     * By their ends.
     */
    edges: MentionEdge[];
}

/**
 * What lies between two points.
 */
export interface Changed {
    /**
     * The earlier `seq`.
     */
    from: number;
    /**
     * The later `seq`.
     */
    to: number;
    /**
     * The commits between, oldest first.
     */
    commits: CommitLine[];
    /**
     * What ended otherwise than it began.
     */
    changes: RecordChange[];
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
    /**
     * When the working set is looked after: after each turn, under pressure, or both. Default `"REACTIVE"`.
     */
    mode?: "REACTIVE" | "PROACTIVE" | "HYBRID";
    /**
     * Sweeps over the working set.
     */
    proactive?: SettingsArea;
}

/**
 * What memory gave to one step of a turn.
 */
export interface UsedByTurn {
    /**
     * Id of the use record.
     */
    use: string;
    /**
     * What for. Later releases may add words.
     */
    purpose: "assembly" | "search" | "tool" | "oracle" | "scenario";
    /**
     * What was looked for.
     */
    query: string;
    /**
     * The `seq` that memory stood at.
     */
    seq: number;
    /**
     * What was given, in order.
     */
    items: UsedRevision[];
}

/**
 * What memory was.
 */
export interface MemoryAt {
    /**
     * The `seq` that it stood at.
     */
    seq: number;
    /**
     * The commit that it stood at; `null` before the first.
     */
    commit: CommitLine | null;
    /**
     * Every statement of then, whatever its status, each with what it was worth then.
     */
    propositions: Proposition[];
    /**
     * The working set of then, the most activated first.
     */
    units: Unit[];
}

/**
 * What of a commit is undone, and by whom.
 */
export interface UndoOptions {
    /**
     * Ids of the records to take back. Default: everything that the commit wrote.
     */
    only?: readonly string[];
    /**
     * Whose act it is. Default `"host"`.
     */
    by?: ActBy;
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
 * What of history is kept: all of it, the newest commits with at most so many revisions, or the last days.
 */
export type KeepHistory = { revisions: number } | { days: number };

/**
 * What of the mention graph is wanted.
 */
export interface MentionGraphOptions {
    /**
     * A type, whatever its case. Default: every one.
     */
    kind?: string;
    /**
     * Statements that are no longer believed count too. Default: no.
     */
    retired?: boolean;
    /**
     * Least weight of an edge. Default 1.
     */
    minEdgeWeight?: number;
}

/**
 * What one gate of promotion said of a statement.
 */
export interface PromotionAnswer {
    /**
     * Which, in the order in which they are met.
     */
    gate: "candidate" | "confidence" | "dedup" | "conflict" | "trust" | "invariants" | "budget";
    /**
     * Whether the statement went on.
     */
    passed: boolean;
    /**
     * Why, in words.
     */
    why: string;
}

/**
 * What one promotion run did.
 */
export interface PromotionReport {
    /**
     * Stable for life.
     */
    id: string;
    /**
     * When (ms).
     */
    at: number;
    /**
     * Each statement, in the order in which they were offered.
     */
    candidates: PromotionCandidate[];
    /**
     * How far they came.
     */
    funnel: PromotionFunnel;
    /**
     * How many units there may be, as the budget stood.
     */
    budget: number;
    /**
     * Model calls.
     */
    calls: number;
    /**
     * Tokens of all prompts.
     */
    promptTokens: number;
    /**
     * Tokens of all answers.
     */
    completionTokens: number;
    /**
     * Warnings and other things worth knowing.
     */
    notes: string[];
    /**
     * Rules that kept a change from being made, and those that were told of one that was.
     */
    violations: Objection[];
}

/**
 * What one record did between two points.
 */
export interface RecordChange {
    /**
     * Id of the record.
     */
    record: string;
    /**
     * What happened to it.
     */
    kind: "added" | "changed" | "removed";
    /**
     * What it was, as it is stored; `null` when it was not there.
     */
    before: unknown;
    /**
     * What it became, as it is stored; `null` when it was removed.
     */
    after: unknown;
    /**
     * Every step between, with who and why.
     */
    steps: LifeStep[];
}

/**
 * What one record would go back to.
 */
export interface Restoring {
    /**
     * Id of the record.
     */
    record: string;
    /**
     * Its revision now.
     */
    from: number;
    /**
     * The revision whose value comes back; `null`: it had not been there, and goes.
     */
    to: number | null;
    /**
     * What it is now, as it is stored; `null` where it was removed.
     */
    now: unknown;
    /**
     * What it would be, as it is stored; `null`: it would go.
     */
    then: unknown;
}

/**
 * What one sweep did.
 */
export interface SweepReport {
    /**
     * Stable for life.
     */
    id: string;
    /**
     * When (ms).
     */
    at: number;
    /**
     * By rules alone, or with contradictions and the model.
     */
    kind: "LIGHT" | "FULL";
    /**
     * Somebody asked; pressure called for it; the talk had moved on.
     */
    trigger: "asked" | "pressure" | "drift";
    /**
     * Nothing but this report was written.
     */
    dry: boolean;
    /**
     * The user turn.
     */
    turn: number;
    /**
     * Pressure when it began: 0 to 1.
     */
    pressure: number;
    /**
     * Every active unit, lowest score first.
     */
    audited: AuditedUnit[];
    /**
     * What was done.
     */
    effects: SweepEffect[];
    /**
     * What was kept from being done.
     */
    blocked: SweepBlock[];
    /**
     * Units that became one.
     */
    merged: MergedUnits[];
    /**
     * Ids of proposals for CANON that wait for a person.
     */
    proposed: string[];
    /**
     * Rules that the changes go against without being stopped.
     */
    violations: Objection[];
    /**
     * Why nothing was written although something was planned.
     */
    rolledBack: string[];
    /**
     * Active units afterwards.
     */
    left: number;
    /**
     * Model calls.
     */
    calls: number;
    /**
     * Tokens of all prompts.
     */
    promptTokens: number;
    /**
     * Tokens of all answers.
     */
    completionTokens: number;
    /**
     * Failures and other things worth knowing.
     */
    notes: string[];
}

/**
 * What promotion said of one statement.
 */
export interface PromotionCandidate {
    /**
     * Its id.
     */
    proposition: string;
    /**
     * What it said then, cut to 300 characters.
     */
    text: string;
    /**
     * How sure its source left us: 0 to 1.
     */
    confidence: number;
    /**
     * Each gate that was asked, in order.
     */
    gates: PromotionAnswer[];
    /**
     * What became of it. Later releases may add words.
     */
    fate: "promoted" | "revived" | "reinforced" | "known" | "duplicate" | "review" | "quarantined" | "disputed" | "waiting" | "left-out";
    /**
     * Why, in words.
     */
    reason: string;
    /**
     * Id of the statement that says the same.
     */
    duplicateOf: string | null;
    /**
     * What it stood against.
     */
    conflicts: PromotionConflict[];
    /**
     * How far its sources are trusted, where that was asked.
     */
    trust: TrustAudit | null;
    /**
     * The highest authority that policies may give it, where it became a unit.
     */
    ceiling: Exclude<UnitAuthority, "CANON"> | null;
    /**
     * Ids of units that gave up their place.
     */
    displaced: string[];
    /**
     * Id of the question that it became, or joined.
     */
    inbox: string | null;
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
 * What stands against a change of a unit.
 */
export interface Objection {
    /**
     * Id of the unit.
     */
    unit: string;
    /**
     * What was to be done.
     */
    action: UnitAction;
    /**
     * Which rule: `A1` to `A3d`, `self-editing`, `standing`, or the id of a rule of the settings.
     */
    rule: string;
    /**
     * Whether it stops the change or is only told.
     */
    strength: "MUST" | "SHOULD";
    /**
     * In words.
     */
    words: string;
}

/**
 * What taking back would do. Nothing was written.
 */
export interface UndoPreview {
    /**
     * What would go back.
     */
    restoring: Restoring[];
    /**
     * What would stay, because it has changed since.
     */
    conflicts: ChangedSince[];
    /**
     * Ids of records that would stay, because their earlier revision is gone from history.
     */
    lost: string[];
    /**
     * Ids of units that would fall asleep to make room for those that come back.
     */
    asleep: string[];
    /**
     * Why it may not be done, in words; `null`: it may.
     */
    refused: string | null;
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
 * What time had changed in the working set.
 */
export interface Settled {
    /**
     * What was done, in order.
     */
    changes: UnitChange[];
    /**
     * What a rule kept from happening.
     */
    held: Objection[];
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
 * What was done to a unit, told apart by `did`.
 */
export type UnitDeed = { did: "nothing" } | { did: "promoted"; activation: number } | { did: "revived"; activation: number } | { did: "reinforced"; from: number; to: number; count: number; authority: [UnitAuthority, UnitAuthority] | null } | { did: "took-over"; from: string; evidence: number } | { did: "assessed"; score: number; authority: [UnitAuthority, UnitAuthority] | null } | { did: "demoted"; from: UnitAuthority; to: UnitAuthority } | { did: "activated"; from: number; to: number } | { did: "slept"; activation: number; reason: DormancyReason } | { did: "archived"; reason: ArchiveReason; successor: string | null } | { did: "canonized" } | { did: "decanonized"; to: UnitAuthority };

/**
 * What was taken back with the words of turns.
 */
export interface Retraction {
    /**
     * Ids of statements that rested on them alone.
     */
    retracted: string[];
    /**
     * Ids of statements that lost this evidence and stand on other.
     */
    weakened: string[];
    /**
     * Ids of statements that rest on nothing any more and stay, because a person pinned them or made them CANON.
     */
    kept: string[];
    /**
     * Ids of statements that came back, because what had retired them went.
     */
    revived: string[];
    /**
     * What rested on statements that went, and what became of it.
     */
    dependants: Dependant[];
    /**
     * What else is worth knowing, in words.
     */
    notes: string[];
}

/**
 * When a conversation is analysed.
 */
export type When = "now" | "due";

/**
 * When earlier turns are summed up.
 */
export interface CompactSettings {
    /**
     * Now, or only when the settings say that it is due. Default `"now"`.
     */
    when?: "now" | "due";
}

/**
 * Where a branch begins. Default: at the newest commit.
 */
export interface BranchOptions {
    /**
     * Id of a turn: as the memory was when it had been said. Not together with `seq`.
     */
    turn?: string;
    /**
     * As the memory was after the commit with this `seq`.
     */
    seq?: number;
    /**
     * Why, in words. Default: where it came from.
     */
    reason?: string;
}

/**
 * Where a proposition stands: `"ACTIVE"` and `"PROMOTED"` may be recalled; the others are kept and shown, not used.
 */
export type Status = "ACTIVE" | "PROMOTED" | "CONTRADICTED" | "SUPERSEDED" | "STALE";

/**
 * Where a source is found again. `display` is a label for people.
 */
export type SourceAddress = { kind: "uri"; uri: string; display?: string } | { kind: "file"; path: string; display?: string } | { kind: "content"; contentHash: string; display?: string } | { kind: "connector"; connectorId: string; externalId: string; display?: string };

/**
 * Where a unit stands. Wherever that is, it keeps its authority and its evidence.
 */
export type UnitStanding = { state: "active" } | { state: "dormant"; since: number; reason: DormancyReason } | { state: "archived"; at: number; reason: ArchiveReason; successor: string | null };

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
    /**
     * Roles that another server plays, with the models that `models` names for them.
     */
    elsewhere?: Partial<Record<ModelRole, RoleEndpointOptions>>;
}

/**
 * Which past is read.
 */
export interface AsOf {
    /**
     * What held then (ms). Default: now.
     */
    valid?: number;
    /**
     * As the memory knew it then (ms). Default: now.
     */
    recorded?: number;
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
 * Which statements took whose place, oldest first.
 */
export interface Lineage {
    /**
     * Oldest first; empty for an unknown statement.
     */
    steps: LineageStep[];
    /**
     * More lay beyond the 50 links that are followed each way.
     */
    isCut: boolean;
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
 * Whose act it is.
 */
export type ActBy = "host" | "person";

/**
 * Why a commit was made. Later releases may add words.
 */
export type CommitCause = "conversation" | "extraction" | "revision" | "manual" | "forget" | "undo" | "maintenance" | "projection" | "import" | "sync" | "promotion" | "erasure" | "retention" | "repair" | "branch";

/**
 * Why a statement is believed, or was.
 */
export interface Belief {
    /**
     * As it stands, or last stood.
     */
    proposition: Proposition;
    /**
     * The turns that it rests on.
     */
    sources: Source[];
    /**
     * Its confidence over its revisions, oldest first.
     */
    path: ConfidenceStep[];
    /**
     * Earlier steps were dropped by a retention policy.
     */
    compacted: boolean;
    /**
     * The evaluations of its unit's trust, oldest first.
     */
    audits: TrustAudit[];
    /**
     * Statements that it was made from.
     */
    madeFrom: Proposition[];
    /**
     * Ids of statements that it took the place of or stands against.
     */
    insteadOf: string[];
}

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
     * Whether the browser has emptied its database, which held something before.
     */
    readonly emptied: boolean;
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
     * A person puts a statement into the working set.
     */
    addToWorkingSet(id: any): Promise<UnitAct>;
    /**
     * Turns what was said into propositions. `settings` is an `AnalyseSettings`.
     */
    analyse(conversation: any, settings: any, on_progress?: Function | null, signal?: AbortSignal | null): Promise<AnalysisReport[]>;
    /**
     * Answers a conversation's last turn; `on_text` is called with each piece of the answer, `on_phase` when a draft is checked
     * or put aside.
     */
    answer(conversation: any, on_text?: Function | null, on_phase?: Function | null, signal?: AbortSignal | null): Promise<Answer>;
    /**
     * A person takes a unit out. `options` is an `ActOptions`.
     */
    archiveUnit(id: any, options: any): Promise<UnitAct>;
    /**
     * Statements as a table. `options` is a `ListOptions`.
     */
    asCsv(options: any): Promise<string>;
    /**
     * Statements as a Markdown list. `options` is a `ListOptions`.
     */
    asMarkdown(options: any): Promise<string>;
    /**
     * What held at one time, as it was known at another. `when` is an `AsOf`.
     */
    asOf(when: any): Promise<Proposition[]>;
    /**
     * The prompt that answers `query` in a conversation, with its use record written.
     */
    assemble(conversation: any, query: any): Promise<Assembled>;
    /**
     * How much happens around each unit.
     */
    attention(): Promise<Attention>;
    /**
     * Begins a new memory as this one was. `options` is a `BranchOptions`.
     */
    branch(name: any, options: any): Promise<Branched>;
    /**
     * A person makes a unit CANON. `options` is an `ActOptions`.
     */
    canonizeUnit(id: any, options: any): Promise<UnitAct>;
    /**
     * What changed between two points.
     */
    changedBetween(from: any, to: any): Promise<Changed>;
    /**
     * Looks at everything that is stored of this memory.
     */
    checkHealth(): Promise<HealthReport>;
    /**
     * Closes the handle. What is stored stays.
     */
    close(): void;
    /**
     * Commits, oldest first. `options` is a `CommitOptions`.
     */
    commits(options: any): Promise<Commit[]>;
    /**
     * Drops what a policy no longer keeps. `keep` is a `KeepHistory`.
     */
    compactHistory(keep: any): Promise<HistoryCompaction>;
    /**
     * Sums up a conversation's earlier turns. `settings` is a `CompactSettings`.
     */
    compact(conversation: any, settings: any, signal?: AbortSignal | null): Promise<Compaction>;
    /**
     * A person confirms what a unit says.
     */
    confirmUnit(id: any): Promise<UnitAct>;
    /**
     * Every memory of the journal, by name.
     */
    contexts(): Promise<ContextSummary[]>;
    /**
     * Conversations, as they were opened.
     */
    conversations(): Promise<Conversation[]>;
    /**
     * A person takes CANON back. `options` is an `ActOptions`.
     */
    decanonizeUnit(id: any, options: any): Promise<UnitAct>;
    /**
     * Answers a question; `verdict` is `"accept"` or `"reject"`.
     */
    decide(id: any, verdict: any): Promise<Decision>;
    /**
     * Takes a turn and everything after it out.
     */
    deleteFrom(turn: any): Promise<TurnChange>;
    /**
     * Takes one turn out.
     */
    deleteTurn(turn: any): Promise<TurnChange>;
    /**
     * A person lowers a unit one level.
     */
    demoteUnit(id: any): Promise<UnitAct>;
    /**
     * Every statement that came of one.
     */
    derivedFrom(id: any): Promise<Derived[]>;
    /**
     * Replaces the description.
     */
    describeEntity(id: any, description: any): Promise<Commit | null>;
    /**
     * What statements stand against in the working set. Nothing is written.
     */
    detectConflicts(propositions: any): Promise<DetectedConflicts>;
    /**
     * Says that two are not the same.
     */
    dismissDuplicate(a: any, b: any): Promise<Commit | null>;
    /**
     * Words a turn anew.
     */
    editTurn(turn: any, text: any): Promise<TurnChange>;
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
     * Destroys a target's content in all of history.
     */
    eraseTarget(target: any, on_progress?: Function | null, signal?: AbortSignal | null): Promise<ErasureReport>;
    /**
     * Removes the memory from its journal, whole, and closes the handle.
     */
    erase(): Promise<void>;
    /**
     * The reports of every erasure, oldest first.
     */
    erasures(): Promise<ErasureReport[]>;
    /**
     * What analysing the rest of a conversation or document will cost.
     */
    estimate(conversation: any): Promise<Estimate>;
    /**
     * Memories of the journal as one bundle: those of these names, or every one.
     */
    exportBundle(names: any): Promise<string>;
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
     * Takes a target out of the memory; it can be undone.
     */
    forgetTarget(target: any, on_progress?: Function | null, signal?: AbortSignal | null): Promise<Forgetting>;
    /**
     * Takes a statement out of the memory.
     */
    forget(id: any): Promise<Commit | null>;
    /**
     * The life of a proposition, newest first.
     */
    history(id: any): Promise<Revision[]>;
    /**
     * Imports memories of a bundle as chosen, by their names in it; without choices as the preview suggests.
     */
    importBundle(file: any, choices: any): Promise<ImportReport>;
    /**
     * Questions that wait, oldest first.
     */
    inbox(): Promise<InboxItem[]>;
    /**
     * Stores a document, or finds the one that holds its text. `options` is a `DocumentOptions`.
     */
    ingestDocument(name: any, text: any, options: any): Promise<DocumentReceipt>;
    /**
     * What a file of another program would become.
     */
    inspectImport(name: any, content: any): Promise<ImportPreview>;
    /**
     * Who or what changed a record, when, from what to what.
     */
    lifeOf(record: any): Promise<Life>;
    /**
     * Lets what an erasure destroyed be learned again; says whether anything changed.
     */
    liftTombstones(erasure: any): Promise<boolean>;
    /**
     * Which statements took whose place.
     */
    lineage(id: any): Promise<Lineage>;
    /**
     * One maintenance run. `settings` is a `MaintainSettings`.
     */
    maintain(settings: any, on_progress?: Function | null, signal?: AbortSignal | null): Promise<MaintenanceReport>;
    /**
     * What memory was. `point` is a `HistoryPoint`.
     */
    memoryAt(point: any): Promise<MemoryAt>;
    /**
     * What is mentioned together. `options` is a `MentionGraphOptions`.
     */
    mentionGraph(options: any): Promise<MentionGraph>;
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
     * How near the working set is to what it can hold.
     */
    pressure(): Promise<Pressure>;
    /**
     * What `compactHistory` would take. `keep` is a `KeepHistory`.
     */
    previewCompactHistory(keep: any): Promise<HistoryCompaction>;
    /**
     * What `eraseTarget` would do.
     */
    previewErasure(target: any, on_progress?: Function | null, signal?: AbortSignal | null): Promise<ErasurePreview>;
    /**
     * What `forgetTarget` would do. `target` is a `ForgetTarget`.
     */
    previewForgetting(target: any, on_progress?: Function | null, signal?: AbortSignal | null): Promise<Forgetting>;
    /**
     * What importing a bundle would do.
     */
    previewImport(file: any): Promise<ImportPlan>;
    /**
     * What `revertTo` would do.
     */
    previewRevertTo(seq: any, options: any): Promise<UndoPreview>;
    /**
     * What `undo` would do.
     */
    previewUndo(commit: any, options: any): Promise<UndoPreview>;
    /**
     * The prompt that would be sent if the user now said `draft`. Nothing is written.
     */
    preview(conversation: any, draft: any): Promise<Assembled>;
    /**
     * Offers statements to the working set.
     */
    promote(propositions: any, signal?: AbortSignal | null): Promise<PromotionReport>;
    /**
     * The reports of every promotion run, newest first.
     */
    promotions(): Promise<PromotionReport[]>;
    /**
     * Every setting that has a name.
     */
    properties(): Property[];
    /**
     * A setting's value by its name.
     */
    property(name: any): unknown;
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
     * Takes a conversation's last answer back and answers again.
     */
    regenerate(conversation: any, on_text?: Function | null, on_phase?: Function | null, signal?: AbortSignal | null): Promise<Answer>;
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
     * Looks again, and does what can be done about it.
     */
    repair(): Promise<Repaired>;
    /**
     * A turn, whole.
     */
    replay(turn: any): Promise<Replay | null>;
    /**
     * The program asks a person to make a unit CANON. `options` is an `ActOptions`.
     */
    requestCanon(id: any, options: any): Promise<CanonAnswer>;
    /**
     * The program asks a person to take CANON back. `options` is an `ActOptions`.
     */
    requestDecanon(id: any, options: any): Promise<CanonAnswer>;
    /**
     * Gives a conversation's last answer again.
     */
    reroll(turn: any, on_text?: Function | null, on_phase?: Function | null, signal?: AbortSignal | null): Promise<Answer>;
    /**
     * Tries again what failed by itself, and nothing else.
     */
    retryFailed(conversation: any, on_progress?: Function | null, signal?: AbortSignal | null): Promise<AnalysisReport[]>;
    /**
     * Goes back to what the memory was after a commit. `options` is a `ReturnOptions`.
     */
    revertTo(seq: any, options: any): Promise<Undone>;
    /**
     * A person brings a unit back.
     */
    reviveUnit(id: any): Promise<UnitAct>;
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
     * A person sets a unit's activation.
     */
    setActivation(id: any, activation: any): Promise<UnitAct>;
    /**
     * Chooses what a conversation has to do with the memory.
     */
    setConversationMode(conversation: any, mode: any): Promise<Commit | null>;
    /**
     * Replaces the kinds. `labels` is an array of strings.
     */
    setEntityLabels(id: any, labels: any): Promise<Commit | null>;
    /**
     * Changes a setting by its name, for as long as the handle is open.
     */
    setProperty(name: any, value: any): void;
    /**
     * Writes down what time has changed in the working set.
     */
    settleUnits(): Promise<Settled>;
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
     * The summary that stands in for a conversation's earlier turns.
     */
    summary(conversation: any): Promise<Summary | null>;
    /**
     * A person says what is so now. `options` is a `SupersedeOptions`.
     */
    supersede(id: any, text: any, options: any): Promise<Superseded>;
    /**
     * Sweeps the working set. `settings` is a `SweepSettings`.
     */
    sweep(settings: any, signal?: AbortSignal | null): Promise<SweepReport>;
    /**
     * The reports of every sweep, newest first.
     */
    sweeps(): Promise<SweepReport[]>;
    /**
     * Has a turn say another of its wordings.
     */
    swipe(turn: any, wording: any): Promise<TurnChange>;
    /**
     * Takes a file of another program in. `settings` is a `TakeInSettings`; `on_progress` is called with pieces done and in all.
     */
    takeIn(name: any, content: any, settings: any, on_progress?: Function | null, signal?: AbortSignal | null): Promise<Imported>;
    /**
     * Every evaluation of a unit's trust, oldest first.
     */
    trustTrail(id: any): Promise<TrustStep[]>;
    /**
     * The turns of a conversation, in order.
     */
    turns(conversation: any): Promise<Turn[]>;
    /**
     * Takes commits back. `commits` is an id or several, `options` an `UndoOptions`.
     */
    undo(commit: any, options: any): Promise<Undone>;
    /**
     * The unit of a statement, wherever it stands.
     */
    unit(id: any): Promise<Unit | null>;
    /**
     * Takes a merge back.
     */
    unmergeEntity(id: any): Promise<EntityChange>;
    /**
     * Counts tokens with a function of the host's; none: back to estimates.
     */
    useTokenCounter(counter?: Function | null): void;
    /**
     * Which revisions of which statements a turn was given.
     */
    usedByTurn(turn: any): Promise<UsedByTurn[]>;
    /**
     * Why a statement is believed.
     */
    whyBelieved(id: any): Promise<Belief>;
    /**
     * The working set of the past. `when` is an `AsOf`.
     */
    workingSetAsOf(when: any): Promise<Unit[]>;
    /**
     * The working set as of now.
     */
    workingSet(): Promise<Unit[]>;
    /**
     * The prompt of a recorded step.
     */
    xray(used: any): Promise<Xray | null>;
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
