import type { JsonObject, NestedToolCallRecord, NestedToolCalls, Usage } from "@earendil-works/pi-ai";
import type { AgentToolCall } from "../types/messages";
import type { AgentToolCallOutcome } from "../types/tool";
import { addUsage } from "./addUsage";
import { textOf } from "./textOf";

const MOST_CALLS = 256;
const MOST_BYTES_A_CALL = 8 * 1024;
const MOST_BYTES = 32 * 1024;
const LONGEST_ERROR = 500;

/** Keeps what a script called: bounded, since it is saved with the transcript, and without the results. */
export class NestedCallRecorder {
  /** What the nested calls used, those that are not listed too. */
  usage: Usage | undefined;
  readonly #calls: NestedToolCallRecord[] = [];
  #complete = true;
  #bytes = 0;

  /** Notes a call as it starts; gives the function that notes how it ended, and whether it was cut off. */
  start({
    id,
    name,
    arguments: args,
  }: AgentToolCall): (outcome: AgentToolCallOutcome, isCut: boolean) => void {
    const record: NestedToolCallRecord = { id, name, status: "unfinished" };
    if (this.#calls.length < MOST_CALLS) this.#calls.push(record);
    else this.#complete = false;
    const json = JSON.stringify(args);
    const bytes = new TextEncoder().encode(json).length;
    if (bytes <= MOST_BYTES_A_CALL && this.#bytes + bytes <= MOST_BYTES) {
      this.#bytes += bytes;
      record.arguments = JSON.parse(json) as JsonObject;
    } else {
      record.argumentsBytes = bytes;
      this.#complete = false;
    }
    return ({ result, isError, durationMs }, isCut) => {
      this.usage = addUsage(this.usage, result.usage);
      if (isCut) return;
      record.status = isError ? "error" : "ok";
      if (durationMs !== undefined) record.durationMs = durationMs;
      if (isError) record.error = textOf(result).slice(0, LONGEST_ERROR);
    };
  }

  /** A copy of the record as it is now; nothing when nothing was called. */
  snapshot(): NestedToolCalls | undefined {
    if (this.#calls.length === 0) return undefined;
    const calls = this.#calls.map((record) => ({ ...record }));
    return { calls, complete: this.#complete && calls.every(({ status }) => status !== "unfinished") };
  }
}
