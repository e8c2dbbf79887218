import { map, type MonoTypeOperatorFunction } from "rxjs";
import type { AgentMessage } from "../types/messages";
import { repair, type Repair } from "./repair";

/** Whom {@link repairTranscript} tells. */
export interface RepairTranscriptOptions {
  /** Told what was changed for a request; not called when nothing was. */
  onRepair?: (repairs: Repair[]) => void;
}

/**
 * Makes the messages of each request valid for a provider, whatever happened to the transcript.
 *
 * @remarks See {@link repair} for what it changes. A transcript in order passes as it is.
 *
 * @example
 * ```ts
 * const context = repairTranscript({ onRepair: (repairs) => console.warn(repairs.map(({ kind }) => kind)) });
 * const robust = new Agent({ initialState: { model }, streamFn, operators: { context } });
 * ```
 */
export function repairTranscript({ onRepair }: RepairTranscriptOptions = {}): MonoTypeOperatorFunction<
  AgentMessage[]
> {
  return map((transcript) => {
    const { messages, repairs } = repair(transcript);
    if (repairs.length === 0) return transcript;
    onRepair?.(repairs);
    return messages;
  });
}
