import type { RecordingEntry } from "../Recording";

/** Follows a run entry by entry, and complains of what should not be. */
export interface LawWatch {
  see(entry: RecordingEntry): string | undefined;
  /** Called when nothing more will come. */
  end?(): string | undefined;
}

/** One law of the run contract. */
export interface Law {
  /** `I1` … `I9`, or `grammar`. */
  name: string;
  /** The law, in a sentence. */
  says: string;
  /** Begins to follow runs, from before the first. */
  watch(): LawWatch;
}
