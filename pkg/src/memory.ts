// A memory as programs hold it.
/// <reference lib="esnext.disposable" preserve="true" />

import { aborter, closed, known, listener } from "./arguments.js";
import { asThrown, CredenceError, engineCall } from "./errors.js";
import type {
  AnalyseOptions,
  AnswerOptions,
  CompactOptions,
  ErasureOptions,
  MaintainOptions,
  PromoteOptions,
  RetryOptions,
  SweepOptions,
  TakeInOptions,
} from "./options.js";
import type {
  ActOptions, AnalysisReport, Answer, AsOf, Assembled, Attention, Belief, Branched, BranchOptions, BundleChoice,
  CanonAnswer, Changed, Changes, Commit, CommitOptions, Compaction, ContextSummary, Conversation,
  ConversationOptions, Decision, Derived, DetectedConflicts, DocumentOptions, DocumentReceipt, DuplicatePair,
  Entity, EntityChange, EntityOptions, EntityPage, ErasurePreview, ErasureReport, Estimate, ForgetTarget,
  Forgetting, ForgottenSource, HealthReport, HistoryCompaction, HistoryPoint, Imported, ImportPlan, ImportPreview,
  ImportReport, InboxItem, KeepHistory, Life, Lineage, ListOptions, MaintenanceReport, Memory as Handle, MemoryAt,
  MemoryEvent, MemoryMode, MentionGraph, MentionGraphOptions, MentionTotals, Pending, PendingSource, Pressure,
  PromotionReport, Property, Proposition, PropositionDetail, Remembered, Repaired, Replay, ReturnOptions, Revision,
  SearchOptions, SearchResult, Settled, SplitOptions, Summary, Superseded, SupersedeOptions, SweepReport, TrustStep,
  Turn, TurnChange, Undone, UndoOptions, UndoPreview, Unit, UnitAct, UsedByTurn, Utterance, Xray,
} from "./wasm/credence.js";

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
  /**
   * Whether the browser has emptied its database since something was kept there, as browsers do with one that they find damaged, after a
   * crash for example: say so, and offer to import a copy. Told once, by the first opening after it.
   */
  readonly emptied: boolean;

  /** Use {@link openMemory}. @internal */
  constructor(handle: Handle, open: OpenContext, volatile: string | null, emptied: boolean) {
    this.#handle = handle;
    this.#open = open;
    this.name = handle.context;
    this.volatile = volatile;
    this.emptied = emptied;
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

  /** Who and what the propositions are about, the user first. Entities that were merged away are not listed. */
  entities(options: EntityOptions = {}): Promise<Entity[]> {
    return this.#call(() => this.#handle.entities(options));
  }

  /** Everything about one entity. One that was merged away shows the page of the entity that it is part of now. */
  entity(id: string): Promise<EntityPage> {
    return this.#call(() => this.#handle.entity(id));
  }

  /** Says that `other` is `keep`: its mentions, names and kinds go there, and it is hidden until that is taken back. */
  mergeEntities(keep: string, other: string): Promise<EntityChange> {
    return this.#call(() => this.#handle.mergeEntities(keep, other));
  }

  /** Takes a merge back, at any later time: the entity that was merged away stands for itself again. */
  unmergeEntity(id: string): Promise<EntityChange> {
    return this.#call(() => this.#handle.unmergeEntity(id));
  }

  /** Says that part of what is known of an entity is about another one, which is made. */
  splitEntity(id: string, split: SplitOptions): Promise<EntityChange> {
    return this.#call(() => this.#handle.splitEntity(id, split));
  }

  /** Gives an entity the name that is shown from now on; the old one stays as an alias. `null` when nothing differs. */
  renameEntity(id: string, name: string): Promise<Commit | null> {
    return this.#call(() => this.#handle.renameEntity(id, name));
  }

  /** Adds a name by which an entity is recognised; `null` when it has it already. */
  addAlias(id: string, alias: string): Promise<Commit | null> {
    return this.#call(() => this.#handle.addAlias(id, alias));
  }

  /** Takes an alias away, in every spelling. The name that is shown cannot be taken away. */
  removeAlias(id: string, alias: string): Promise<Commit | null> {
    return this.#call(() => this.#handle.removeAlias(id, alias));
  }

  /** Replaces the kinds of an entity; `null` when nothing differs. */
  setEntityLabels(id: string, labels: readonly string[]): Promise<Commit | null> {
    return this.#call(() => this.#handle.setEntityLabels(id, labels));
  }

  /** Replaces the description of an entity; blank takes it away. `null` when nothing differs. */
  describeEntity(id: string, description: string): Promise<Commit | null> {
    return this.#call(() => this.#handle.describeEntity(id, description));
  }

  /** Makes an entity unknown: its mentions become plain text, and the propositions stay. */
  forgetEntity(id: string): Promise<EntityChange> {
    return this.#call(() => this.#handle.forgetEntity(id));
  }

  /** Pairs of entities that may be one, most alike first, with the reason. */
  possibleDuplicates(): Promise<DuplicatePair[]> {
    return this.#call(() => this.#handle.possibleDuplicates());
  }

  /** Says that two entities are not the same: they are not suggested again. `null` when that was said before. */
  dismissDuplicate(a: string, b: string): Promise<Commit | null> {
    return this.#call(() => this.#handle.dismissDuplicate(a, b));
  }

  /** Questions that wait for a person, oldest first: changes that a gate holds, and conflicts with what is protected. */
  inbox(): Promise<InboxItem[]> {
    return this.#call(() => this.#handle.inbox());
  }

  /** Answers a question of the inbox. Undoing the commit opens it again. */
  decide(id: string, verdict: "accept" | "reject"): Promise<Decision> {
    return this.#call(() => this.#handle.decide(id, verdict));
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

  /**
   * Takes a commit back, or several in one, or what they did to some records. That is a commit of its own, which can be taken back in
   * turn. It is the program's act unless `by: "person"` says otherwise: what only a person may do, as giving and taking CANON, is refused as `invalid-argument`.
   */
  undo(commit: string | readonly string[], options: UndoOptions = {}): Promise<Undone> {
    return this.#call(() => this.#handle.undo(commit, options));
  }

  /** What {@link undo} would do now, and why it may not be done. Nothing is written. */
  previewUndo(commit: string | readonly string[], options: UndoOptions = {}): Promise<UndoPreview> {
    return this.#call(() => this.#handle.previewUndo(commit, options));
  }

  /**
   * Takes the memory back to what it was after the commit with this `seq`, in one new commit. What was said stays, and so does what a
   * person changed since, unless `options` asks for it too.
   */
  revertTo(seq: number, options: ReturnOptions = {}): Promise<Undone> {
    return this.#call(() => this.#handle.revertTo(seq, options));
  }

  /** What {@link revertTo} would do now. Nothing is written. */
  previewRevertTo(seq: number, options: ReturnOptions = {}): Promise<UndoPreview> {
    return this.#call(() => this.#handle.previewRevertTo(seq, options));
  }

  /** What memory was: every statement and the working set of then. */
  memoryAt(point: HistoryPoint): Promise<MemoryAt> {
    return this.#call(() => this.#handle.memoryAt(point));
  }

  /** What changed after one point up to and including another: the commits between, and each record from what to what and why. */
  changedBetween(from: HistoryPoint, to: HistoryPoint): Promise<Changed> {
    return this.#call(() => this.#handle.changedBetween(from, to));
  }

  /** Who or what changed a record of any kind, when, from what to what. Empty for an unknown one. */
  lifeOf(record: string): Promise<Life> {
    return this.#call(() => this.#handle.lifeOf(record));
  }

  /** Which revisions of which statements a turn was given, and how they have changed since. */
  usedByTurn(turn: string): Promise<UsedByTurn[]> {
    return this.#call(() => this.#handle.usedByTurn(turn));
  }

  /** Why a statement is believed: its sources, its confidence over time, its trust, what it was made from. */
  whyBelieved(id: string): Promise<Belief> {
    return this.#call(() => this.#handle.whyBelieved(id));
  }

  /** Every statement that came of this one: what sums it up, took its place or stands against it. The nearest first. */
  derivedFrom(id: string): Promise<Derived[]> {
    return this.#call(() => this.#handle.derivedFrom(id));
  }

  /** A turn, whole: the prompt, the model with its options and tool calls, and the output. `null` for one that nothing was given to. */
  replay(turn: string): Promise<Replay | null> {
    return this.#call(() => this.#handle.replay(turn));
  }

  /** What {@link compactHistory} would take now. Nothing is written. */
  previewCompactHistory(keep: KeepHistory): Promise<HistoryCompaction> {
    return this.#call(() => this.#handle.previewCompactHistory(keep));
  }

  /** Drops the revisions that `keep` no longer asks for. The present stays as it is; it cannot be undone. */
  compactHistory(keep: KeepHistory): Promise<HistoryCompaction> {
    return this.#call(() => this.#handle.compactHistory(keep));
  }

  /** What {@link forgetTarget} would do. Nothing is written. */
  previewForgetting(target: ForgetTarget, options: ErasureOptions = {}): Promise<Forgetting> {
    return this.#call(() => {
      const { onProgress, signal } = known("options", options, ["onProgress", "signal"]);
      return this.#handle.previewForgetting(target, listener("options.onProgress", onProgress), aborter(signal));
    });
  }

  /** Takes a statement, entity, source, turn or span of time out of the memory, in one commit that can be undone. */
  forgetTarget(target: ForgetTarget, options: ErasureOptions = {}): Promise<Forgetting> {
    return this.#call(() => {
      const { onProgress, signal } = known("options", options, ["onProgress", "signal"]);
      return this.#handle.forgetTarget(target, listener("options.onProgress", onProgress), aborter(signal));
    });
  }

  /** What {@link eraseTarget} would destroy. Nothing is written. */
  previewErasure(target: ForgetTarget, options: ErasureOptions = {}): Promise<ErasurePreview> {
    return this.#call(() => {
      const { onProgress, signal } = known("options", options, ["onProgress", "signal"]);
      return this.#handle.previewErasure(target, listener("options.onProgress", onProgress), aborter(signal));
    });
  }

  /**
   * Destroys the content of a target, and of everything that was derived from it, in all of history, for ever. Tombstones keep it from being
   * learned again from what was said before. Call it for a person's own act and nothing else.
   */
  eraseTarget(target: ForgetTarget, options: ErasureOptions = {}): Promise<ErasureReport> {
    return this.#call(() => {
      const { onProgress, signal } = known("options", options, ["onProgress", "signal"]);
      return this.#handle.eraseTarget(target, listener("options.onProgress", onProgress), aborter(signal));
    });
  }

  /** The reports of every erasure, oldest first. */
  erasures(): Promise<ErasureReport[]> {
    return this.#call(() => this.#handle.erasures());
  }

  /** Lets what an erasure destroyed be learned again; its content does not come back by that. Says whether anything changed. */
  liftTombstones(erasure: string): Promise<boolean> {
    return this.#call(() => this.#handle.liftTombstones(erasure));
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

  /**
   * Answers the last turn of a conversation with what memory knows. A model that fails gives a turn whose state is `"failed"`;
   * `turn.compliance` says what came of holding the answer to the working set.
   */
  answer(conversation: string, options: AnswerOptions = {}): Promise<Answer> {
    return this.#call(() => {
      const { onText, onPhase, signal } = known("options", options, ["onText", "onPhase", "signal"]);
      const [text, phase] = [listener("options.onText", onText), listener("options.onPhase", onPhase)];
      return this.#handle.answer(conversation, text, phase, aborter(signal));
    });
  }

  /** Takes the last answer of a conversation back and answers again. The earlier answer stays in the history. */
  regenerate(conversation: string, options: AnswerOptions = {}): Promise<Answer> {
    return this.#call(() => {
      const { onText, onPhase, signal } = known("options", options, ["onText", "onPhase", "signal"]);
      const [text, phase] = [listener("options.onText", onText), listener("options.onPhase", onPhase)];
      return this.#handle.regenerate(conversation, text, phase, aborter(signal));
    });
  }

  /** Gives a conversation's last answer again, as {@link regenerate} does: the one that stands stays with the turn as a wording. */
  reroll(turn: string, options: AnswerOptions = {}): Promise<Answer> {
    return this.#call(() => {
      const { onText, onPhase, signal } = known("options", options, ["onText", "onPhase", "signal"]);
      const [text, phase] = [listener("options.onText", onText), listener("options.onPhase", onPhase)];
      return this.#handle.reroll(turn, text, phase, aborter(signal));
    });
  }

  /** Words a turn anew. What rested on its old words is taken back, and it waits to be analysed again. */
  editTurn(turn: string, text: string): Promise<TurnChange> {
    return this.#call(() => this.#handle.editTurn(turn, text));
  }

  /** Has a turn say another of its `wordings`, by its place from 0; what rested on that comes back. */
  swipe(turn: string, wording: number): Promise<TurnChange> {
    return this.#call(() => this.#handle.swipe(turn, wording));
  }

  /** Takes one turn out of its conversation, with exactly what rested on it. */
  deleteTurn(turn: string): Promise<TurnChange> {
    return this.#call(() => this.#handle.deleteTurn(turn));
  }

  /** Takes a turn and everything after it out of its conversation, with exactly what rested on them. */
  deleteFrom(turn: string): Promise<TurnChange> {
    return this.#call(() => this.#handle.deleteFrom(turn));
  }

  /** Begins a new memory `name` in the same journal, as this one was at a turn or commit. {@link context} opens it. Nothing changes here. */
  branch(name: string, options: BranchOptions = {}): Promise<Branched> {
    return this.#call(() => this.#handle.branch(name, options));
  }

  /** Chooses what a conversation has to do with the memory, from now on; `null` when it was so already. */
  setConversationMode(conversation: string, mode: MemoryMode): Promise<Commit | null> {
    return this.#call(() => this.#handle.setConversationMode(conversation, mode));
  }

  /** The prompt that answers `query` in a conversation, with its use record written. */
  assemble(conversation: string, query: string): Promise<Assembled> {
    return this.#call(() => this.#handle.assemble(conversation, query));
  }

  /** The prompt that would be sent if the user now said `draft`, byte for byte; blank: for the last turn. Nothing is written. */
  preview(conversation: string, draft = ""): Promise<Assembled> {
    return this.#call(() => this.#handle.preview(conversation, draft));
  }

  /** The prompt of an answered turn or another recorded step, by its `use`; `null` for an unknown one. */
  xray(use: string): Promise<Xray | null> {
    return this.#call(() => this.#handle.xray(use));
  }

  /**
   * Counts tokens with the tokenizer of the model in use: a text in, a number out. `null` goes back to estimates. Where the
   * function throws or gives no number, the estimate's upper end counts.
   */
  useTokenCounter(counter: ((text: string) => number) | null): Promise<void> {
    return this.#call(async () => this.#handle.useTokenCounter(listener("counter", counter ?? undefined)));
  }

  /** Sums up the earlier turns of a conversation; the summary goes into its next prompts in their place. */
  compact(conversation: string, options: CompactOptions = {}): Promise<Compaction> {
    return this.#call(() => {
      const { signal, ...settings } = options;
      return this.#handle.compact(conversation, settings, aborter(signal));
    });
  }

  /** The summary that stands in for a conversation's earlier turns. */
  summary(conversation: string): Promise<Summary | null> {
    return this.#call(() => this.#handle.summary(conversation));
  }

  /** Turns what was said into propositions, one commit for each stretch of turns. What fails waits and can be tried again. */
  analyse(conversation: string, options: AnalyseOptions = {}): Promise<AnalysisReport[]> {
    return this.#call(() => {
      const { onProgress, signal, ...settings } = options;
      return this.#handle.analyse(conversation, settings, listener("options.onProgress", onProgress), aborter(signal));
    });
  }

  /** Tries again what failed by itself in a conversation or document, and nothing else. */
  retryFailed(conversation: string, options: RetryOptions = {}): Promise<AnalysisReport[]> {
    return this.#call(() => {
      const { onProgress, signal } = known("options", options, ["onProgress", "signal"]);
      return this.#handle.retryFailed(conversation, listener("options.onProgress", onProgress), aborter(signal));
    });
  }

  /** What of a conversation waits to be analysed. */
  pending(conversation: string): Promise<Pending> {
    return this.#call(() => this.#handle.pending(conversation));
  }

  /** Every conversation and document that waits to be analysed, oldest first, and why. */
  pendingAll(): Promise<PendingSource[]> {
    return this.#call(() => this.#handle.pendingAll());
  }

  /** What analysing the rest of a conversation or document will cost, before anything is paid. */
  estimate(conversation: string): Promise<Estimate> {
    return this.#call(() => this.#handle.estimate(conversation));
  }

  /**
   * Stores a document as a source, or finds the one that holds its text already. Nothing is learnt from it before
   * {@link analyse}, which takes the receipt's `conversation`. Credentials in it are redacted before it is kept.
   */
  ingestDocument(name: string, text: string, options: DocumentOptions = {}): Promise<DocumentReceipt> {
    return this.#call(() => this.#handle.ingestDocument(name, text, options));
  }

  /** Takes a text in under a name and analyses it. `null`: its content is known, and nothing was asked or paid. */
  rememberText(text: string, sourceId: string): Promise<AnalysisReport[] | null> {
    return this.#call(() => this.#handle.rememberText(text, sourceId));
  }

  /** Forgets a conversation or document and what rested on it alone. One commit, which can be undone. */
  forgetSource(conversation: string): Promise<ForgottenSource> {
    return this.#call(() => this.#handle.forgetSource(conversation));
  }

  /** Lets a conversation or document be analysed again, by a better model for example; says how many turns wait then. */
  release(conversation: string): Promise<number> {
    return this.#call(() => this.#handle.release(conversation));
  }

  /** What the mention filters let pass and rejected in everything that was analysed. */
  mentionTotals(): Promise<MentionTotals> {
    return this.#call(() => this.#handle.mentionTotals());
  }

  /**
   * One maintenance run: retires what has faded, unites what is there twice, resolves what cannot both hold. One commit, which can
   * be undone; `dryRun` only says what it would do. A model that fails is told in the report.
   */
  maintain(options: MaintainOptions = {}): Promise<MaintenanceReport> {
    return this.#call(() => {
      const { onProgress, signal, ...settings } = options;
      return this.#handle.maintain(settings, listener("options.onProgress", onProgress), aborter(signal));
    });
  }

  /** The reports of every maintenance run, newest first. */
  runs(): Promise<MaintenanceReport[]> {
    return this.#call(() => this.#handle.runs());
  }

  /** The working set as of now: the most activated unit first. */
  workingSet(): Promise<Unit[]> {
    return this.#call(() => this.#handle.workingSet());
  }

  /** The unit of a statement, wherever it stands; `null` where the statement was never promoted. */
  unit(id: string): Promise<Unit | null> {
    return this.#call(() => this.#handle.unit(id));
  }

  /** Every evaluation of a unit's trust, oldest first. The parts of each add up to its score. */
  trustTrail(id: string): Promise<TrustStep[]> {
    return this.#call(() => this.#handle.trustTrail(id));
  }

  /** A person confirms what a unit says: a piece of evidence, which counts once. */
  confirmUnit(id: string): Promise<UnitAct> {
    return this.#call(() => this.#handle.confirmUnit(id));
  }

  /** A person lowers a unit one level; what is PROVISIONAL is archived. */
  demoteUnit(id: string): Promise<UnitAct> {
    return this.#call(() => this.#handle.demoteUnit(id));
  }

  /** A person takes a unit out of the working set. Its statement stays. */
  archiveUnit(id: string, options: ActOptions = {}): Promise<UnitAct> {
    return this.#call(() => this.#handle.archiveUnit(id, options));
  }

  /** A person brings a unit back, with the authority that it had. */
  reviveUnit(id: string): Promise<UnitAct> {
    return this.#call(() => this.#handle.reviveUnit(id));
  }

  /** A person sets a unit's activation: 100 to 900, within the settings. */
  setActivation(id: string, activation: number): Promise<UnitAct> {
    return this.#call(() => this.#handle.setActivation(id, activation));
  }

  /** A person puts a statement into the working set, past the gates of {@link promote}, but within the budget. */
  addToWorkingSet(id: string): Promise<UnitAct> {
    return this.#call(() => this.#handle.addToWorkingSet(id));
  }

  /** A person makes a unit CANON. Call it for a person's own act and nothing else: use {@link requestCanon} to ask for it. */
  canonizeUnit(id: string, options: ActOptions = {}): Promise<UnitAct> {
    return this.#call(() => this.#handle.canonizeUnit(id, options));
  }

  /** A person takes CANON back. */
  decanonizeUnit(id: string, options: ActOptions = {}): Promise<UnitAct> {
    return this.#call(() => this.#handle.decanonizeUnit(id, options));
  }

  /** The program asks that a unit become CANON: a question for {@link inbox}, which a person answers. */
  requestCanon(id: string, options: ActOptions = {}): Promise<CanonAnswer> {
    return this.#call(() => this.#handle.requestCanon(id, options));
  }

  /** The program asks that a unit no longer be CANON: a question for {@link inbox}. */
  requestDecanon(id: string, options: ActOptions = {}): Promise<CanonAnswer> {
    return this.#call(() => this.#handle.requestDecanon(id, options));
  }

  /** Writes down what time has changed in the working set. Settling twice settles once. */
  settleUnits(): Promise<Settled> {
    return this.#call(() => this.#handle.settleUnits());
  }

  /** Offers statements to the working set: each gate's answer is in the report. Analysing a conversation does it by itself. */
  promote(propositions: readonly string[], options: PromoteOptions = {}): Promise<PromotionReport> {
    return this.#call(() => this.#handle.promote(propositions, aborter(options.signal)));
  }

  /** The reports of every promotion run, newest first. */
  promotions(): Promise<PromotionReport[]> {
    return this.#call(() => this.#handle.promotions());
  }

  /** What each of these statements stands against in the working set. Nothing is written. */
  detectConflicts(propositions: readonly string[]): Promise<DetectedConflicts> {
    return this.#call(() => this.#handle.detectConflicts(propositions));
  }

  /** Which statements took whose place, oldest first. */
  lineage(id: string): Promise<Lineage> {
    return this.#call(() => this.#handle.lineage(id));
  }

  /** A person says what is so now: a new statement takes the place of a stored one. To mend a wording, {@link edit} it. */
  supersede(id: string, text: string, options: SupersedeOptions = {}): Promise<Superseded> {
    return this.#call(() => this.#handle.supersede(id, text, options));
  }

  /** What held at one time, as the memory knew it at another. */
  asOf(when: AsOf): Promise<Proposition[]> {
    return this.#call(() => this.#handle.asOf(when));
  }

  /** The working set as it was at `recorded`: those units whose statements held at `valid`. */
  workingSetAsOf(when: AsOf): Promise<Unit[]> {
    return this.#call(() => this.#handle.workingSetAsOf(when));
  }

  /** Every setting that has a name, with its type, range, value and default. */
  properties(): Promise<Property[]> {
    return this.#call(async () => this.#handle.properties());
  }

  /** A setting's value by its name, `"unit.budget"` for example. */
  property(name: string): Promise<unknown> {
    return this.#call(async () => this.#handle.property(name));
  }

  /** Changes a setting by its name for as long as this memory is open, all checks included. */
  setProperty(name: string, value: unknown): Promise<void> {
    return this.#call(async () => this.#handle.setProperty(name, value));
  }

  /** How near the working set is to what it can hold. Reading changes nothing. */
  pressure(): Promise<Pressure> {
    return this.#call(() => this.#handle.pressure());
  }

  /** How much happens around each unit. Reading changes nothing. */
  attention(): Promise<Attention> {
    return this.#call(() => this.#handle.attention());
  }

  /** Sweeps the working set: one commit, which can be undone; `dryRun` only says what it would do. */
  sweep(options: SweepOptions = {}): Promise<SweepReport> {
    return this.#call(() => {
      const { signal, ...settings } = options;
      return this.#handle.sweep(settings, aborter(signal));
    });
  }

  /** The reports of every sweep, newest first. */
  sweeps(): Promise<SweepReport[]> {
    return this.#call(() => this.#handle.sweeps());
  }

  /** What is mentioned together. */
  mentionGraph(options: MentionGraphOptions = {}): Promise<MentionGraph> {
    return this.#call(() => this.#handle.mentionGraph(options));
  }

  /** The whole memory as JSON: every commit and use record, with a checksum. No key is ever in it. */
  export(): Promise<string> {
    return this.#call(() => this.#handle.export());
  }

  /** Memories of the journal as one bundle: those of these names, or without names every one. */
  exportBundle(contexts?: readonly string[]): Promise<string> {
    return this.#call(() => this.#handle.exportBundle(contexts));
  }

  /** What importing a bundle would do, memory by memory. Nothing is written. */
  previewImport(bundle: string): Promise<ImportPlan> {
    return this.#call(() => this.#handle.previewImport(bundle));
  }

  /**
   * Imports memories of a bundle as chosen, by their names in it; one without a choice is skipped. Without `choices` each is done as
   * {@link previewImport} suggests, which loses nothing. Either everything chosen is imported or nothing is.
   */
  importBundle(bundle: string, choices?: Readonly<Record<string, BundleChoice>>): Promise<ImportReport> {
    return this.#call(() => this.#handle.importBundle(bundle, choices));
  }

  /** What a file of another program would become: a chat, memories, a list, a character card, a document. Nothing is written. */
  inspectImport(name: string, content: string | Uint8Array): Promise<ImportPreview> {
    return this.#call(() => this.#handle.inspectImport(name, content));
  }

  /** Takes a file of another program in. Analyse what `waiting` names then. */
  takeIn(name: string, content: string | Uint8Array, options: TakeInOptions = {}): Promise<Imported> {
    return this.#call(() => {
      const { onProgress, signal, ...settings } = options;
      return this.#handle.takeIn(name, content, settings, listener("options.onProgress", onProgress), aborter(signal));
    });
  }

  /** Statements as a Markdown list, by whom they are about. */
  asMarkdown(options: ListOptions = {}): Promise<string> {
    return this.#call(() => this.#handle.asMarkdown(options));
  }

  /** Statements as a table: comma-separated values with a line of names. */
  asCsv(options: ListOptions = {}): Promise<string> {
    return this.#call(() => this.#handle.asCsv(options));
  }

  /** Looks at everything that is stored of this memory: rows, commits, links, vectors. Changes nothing. */
  checkHealth(): Promise<HealthReport> {
    return this.#call(() => this.#handle.checkHealth());
  }

  /** Looks again and does what can be done: what cannot be read is set aside, links that lead nowhere are taken out. */
  repair(): Promise<Repaired> {
    return this.#call(() => this.#handle.repair());
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
