// Everything that is public in every environment, but for `openMemory`, which knows where it runs.

export { CredenceError, type ErrorCode } from "./errors.js";
export { indexedDb, JournalError, memoryJournal } from "./journal.js";
export type {
  BuiltInJournal,
  HostJournal,
  Journal,
  JournalEntry,
  JournalErrorCode,
  JournalHead,
  JournalUse,
  JournalVector,
} from "./journal.js";
export type { Memory } from "./memory.js";
export type { AnalyseOptions, AnswerOptions } from "./memory.js";
export type { HostModel, HostReply } from "./model.js";
export type { OpenOptions } from "./open.js";
export type {
  AnalyseSettings,
  AnalysisReport,
  Answer,
  Changes,
  Commit,
  CommitActor,
  CommitCause,
  CommitOptions,
  ContextSummary,
  Conversation,
  ConversationOptions,
  Dropped,
  EndpointOptions,
  Entity,
  LeftOut,
  ListOptions,
  ListOrder,
  MemoryEvent,
  MemorySettings,
  Mention,
  ModelMessage,
  ModelRequest,
  ModelRole,
  ModelSchema,
  Outcome,
  Pending,
  Problem,
  Progress,
  Proposition,
  PropositionDetail,
  Remembered,
  Revision,
  SearchHit,
  SearchOptions,
  SearchResult,
  Source,
  Speaker,
  Status,
  Turn,
  UndoOptions,
  Undone,
  Utterance,
  When,
} from "./wasm/credence.js";
