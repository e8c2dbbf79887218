import type { AssistantMessage, ToolResultMessage } from "@earendil-works/pi-ai";
import { map, type MonoTypeOperatorFunction } from "rxjs";
import { expected } from "../internal/expected";
import type { AgentMessage, AgentToolCall } from "../types/messages";
import { outline, type Unit } from "./outline";
import { provenance } from "./provenance";

/** How {@link dedupeReads} goes about it. */
export interface DedupeReadsOptions {
  /**
   * How many outdated results are gathered before they are replaced together; in between the request's beginning stays the
   * same. With 1 each is replaced at once.
   *
   * @defaultValue 4
   */
  step?: number;
  /** What stands in place of an outdated result. @defaultValue a line that says a later result holds it */
  marker?: string;
}

/** A read's result, and what it is a read of. */
interface Read {
  index: number;
  key: string;
}

function readsOf(messages: AgentMessage[], { indexes }: Unit, keyOf: KeyOf): Read[] {
  const caller = messages[indexes[0]!];
  if (caller?.role !== "assistant") return [];
  const calls = caller.content.filter((block) => block.type === "toolCall");
  return indexes.slice(1).flatMap((index) => {
    const result = messages[index] as ToolResultMessage;
    const at = calls.findIndex(({ id }) => id === result.toolCallId);
    const [call] = calls.splice(at, 1);
    const key = result.isError || !call ? undefined : keyOf(call, result, caller);
    return key === undefined ? [] : [{ index, key }];
  });
}

type KeyOf = (
  call: AgentToolCall,
  result: ToolResultMessage,
  message: AssistantMessage,
) => string | undefined;

// The places of the results that a later read of the same thing outdates, in the order they became so.
function outdated(messages: AgentMessage[], keyOf: KeyOf): number[] {
  const latest = new Map<string, number>();
  const places: number[] = [];
  for (const unit of outline(messages).units) {
    for (const { index, key } of readsOf(messages, unit, keyOf)) {
      const earlier = latest.get(key);
      if (earlier !== undefined) places.push(earlier);
      latest.set(key, index);
    }
  }
  return places;
}

/**
 * Keeps only the latest of several reads of the same thing; the results before it become a short marker.
 *
 * @remarks `keyOf` says what a call has read (a path, an address), or nothing when it was no read. Results of failed calls
 * stay and outdate nothing. Works in steps, see {@link DedupeReadsOptions.step}.
 *
 * @example
 * ```ts
 * const context = dedupeReads((call) => (call.name === "read" ? String(call.arguments.path) : undefined));
 * const pruned = new Agent({ initialState: { model }, streamFn, operators: { context } });
 * ```
 */
export function dedupeReads(
  keyOf: KeyOf,
  { step = 4, marker = "[outdated: read again later, see there]" }: DedupeReadsOptions = {},
): MonoTypeOperatorFunction<AgentMessage[]> {
  if (!Number.isInteger(step) || step < 1) throw expected("dedupeReads: step", "an integer ≥ 1", step);
  const copies = new WeakMap<AgentMessage, AgentMessage>();
  const copyOf = (message: AgentMessage) => {
    const copy =
      copies.get(message) ??
      provenance.change(message as ToolResultMessage, { content: [{ type: "text", text: marker }] });
    copies.set(message, copy);
    return copy;
  };
  return map((messages) => {
    const places = outdated(messages, keyOf);
    const replaced = new Set(places.slice(0, Math.floor(places.length / step) * step));
    if (replaced.size === 0) return messages;
    return messages.map((message, index) => (replaced.has(index) ? copyOf(message) : message));
  });
}
