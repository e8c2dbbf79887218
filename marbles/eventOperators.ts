import type { AgentEvent } from "pi-agent-rx";
import * as operators from "pi-agent-rx/operators";
import type { DiagramOperator } from "pi-agent-rx/testing";
import { distinctUntilChanged, map, Observable, pipe } from "rxjs";

/** What a line of a chat is doing. */
function stateOf(item: operators.ConversationItem): string {
  if (item.kind === "text") return item.isStreaming ? "streaming" : "text";
  return item.kind === "toolCall" ? item.state : item.kind;
}

/** The operators on agent events of `pi-agent-rx/operators` by name. Where a value is large, the part that moves is drawn. */
export const eventOperators: Record<string, DiagramOperator> = {
  coalesce: ({ argument }) => operators.coalesce(argument()),
  // The last line of the chat.
  conversation: () =>
    pipe(
      operators.conversation(),
      map(({ items }) => (items.length > 0 ? stateOf(items.at(-1)!) : "empty")),
      distinctUntilChanged(),
    ),
  ofType: ({ argument }) => operators.ofType(argument<AgentEvent["type"]>()),
  status: () => operators.status(),
  textDeltas: () => operators.textDeltas(),
  thinkingDeltas: () => operators.thinkingDeltas(),
  toolCalls: () =>
    pipe(
      operators.toolCalls(),
      map(
        ({ toolCallId, state, progress }) =>
          `${toolCallId} ${state === "running" && progress ? "progress" : state}`,
      ),
    ),
  // What its listeners are told, of which one comes late.
  toStore: () => (events$) =>
    new Observable((subscriber) => {
      const store = operators.toStore(events$.pipe(operators.status()));
      const leave = store.subscribe((status) => subscriber.next(status));
      return () => {
        leave();
        store.dispose();
      };
    }),
  turns: () =>
    pipe(
      operators.turns(),
      map(({ number, toolResults, durationMs }) => ({ number, toolResults: toolResults.length, durationMs })),
    ),
  usageTotals: () =>
    pipe(
      operators.usageTotals(),
      map(({ totalTokens }) => totalTokens),
    ),
};
