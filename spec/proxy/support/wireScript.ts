import fc from "fast-check";
import { emptyMessage } from "../../../src/proxy/emptyMessage";
import type { ProxyWireEvent } from "../../../src/proxy/ProxyAssistantMessageEvent";
import { rebuildMessage } from "../../../src/proxy/rebuildMessage";
import { model } from "./model";
import { usage } from "./usage";

const contentIndex = fc.nat({ max: 2 });
const delta = fc.constantFrom("a", "☕", '{"a"', ": 1}", "");
const id = fc.constantFrom("c1", "c2");
const args = fc.constantFrom({}, { a: 1 });
const signature = fc.constantFrom("s", undefined);

/** Any event of a server written for pi. */
const event: fc.Arbitrary<ProxyWireEvent> = fc.oneof(
  fc.constant<ProxyWireEvent>({ type: "start" }),
  fc.record({ type: fc.constantFrom("text_start" as const, "thinking_start" as const), contentIndex }),
  fc.record({ type: fc.constantFrom("text_delta" as const, "thinking_delta" as const), contentIndex, delta }),
  fc.record({ type: fc.constant("toolcall_delta" as const), contentIndex, delta }),
  fc.record({
    type: fc.constantFrom("text_end" as const, "thinking_end" as const),
    contentIndex,
    contentSignature: signature,
  }),
  fc.record({ type: fc.constant("toolcall_start" as const), contentIndex, id, toolName: id }),
  fc.record({
    type: fc.constant("toolcall_end" as const),
    contentIndex,
    toolCall: fc.record({ type: fc.constant("toolCall" as const), id, name: id, arguments: args }),
  }),
) as fc.Arbitrary<ProxyWireEvent>;

const last: fc.Arbitrary<ProxyWireEvent[]> = fc
  .oneof(
    fc.record({
      type: fc.constant("done" as const),
      reason: fc.constantFrom("stop" as const, "length" as const, "toolUse" as const),
      usage: fc.constant(usage),
      providerThinkingLevel: signature,
    }),
    fc.record({
      type: fc.constant("error" as const),
      reason: fc.constantFrom("error" as const, "aborted" as const),
      usage: fc.constant(usage),
      errorMessage: signature,
    }),
  )
  .map((end) => [end]);

/** A delta that no server should send: both clients name it. */
const misfit: ProxyWireEvent = { type: "text_delta", contentIndex: 9, delta: "x" };

/** Whether an event fits what came before. */
function fits(events: readonly ProxyWireEvent[]): boolean {
  try {
    events.forEach(rebuildMessage(emptyMessage(model)));
    return true;
  } catch {
    return false;
  }
}

/** Events of a server written for pi, in an order that fits, with an end, broken off, or with a last event that does not fit. */
export const wireScript: fc.Arbitrary<ProxyWireEvent[]> = fc
  .tuple(
    fc.array(event, { maxLength: 30, size: "max" }),
    fc.oneof(fc.constant([]), last, fc.constant([misfit])),
  )
  .map(([events, end]) => [
    ...events.reduce<ProxyWireEvent[]>((kept, next) => (fits([...kept, next]) ? [...kept, next] : kept), []),
    ...end,
  ]);
