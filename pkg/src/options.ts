// How calls that take a while are watched and ended.

import type { Memory } from "./memory.js";
import type {
  AnalyseSettings,
  CompactSettings,
  EnforcementPhase,
  ErasureProgress,
  MaintainSettings,
  MaintenanceProgress,
  Progress,
  SweepSettings,
  TakeInProgress,
  TakeInSettings,
} from "./wasm/credence.js";

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
