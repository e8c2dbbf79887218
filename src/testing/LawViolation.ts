import type { RecordingEntry } from "./Recording";

/** A run broke a law. The message begins with the law's name: `I2: agent_end told twice`. */
export class LawViolation extends Error {
  override readonly name = "LawViolation";

  /**
   * @param law - `I1` … `I9` of the run contract, or `grammar`
   * @param complaint - What is wrong.
   * @param entry - What broke it; absent when something is missing at the end.
   */
  constructor(
    readonly law: string,
    complaint: string,
    readonly entry?: RecordingEntry,
  ) {
    super(`${law}: ${complaint}`);
  }
}
