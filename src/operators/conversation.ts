import {
  connect,
  defer,
  distinctUntilChanged,
  last,
  map,
  merge,
  startWith,
  takeUntil,
  tap,
  type Observable,
  type OperatorFunction,
} from "rxjs";
import type { AgentEvent } from "../types/event";
import type { AgentMessage } from "../types/messages";
import type { AgentQueues } from "../types/state";
import { ConversationBuilder } from "./ConversationBuilder";
import type { ConversationSeed } from "./ConversationSeed";
import type { ConversationView } from "./ConversationView";

/** What {@link conversation} shows besides events. */
export interface ConversationOptions {
  /** Messages that wait for their turn. */
  queued$?: Observable<AgentQueues>;
  /** Calls that wait for a decision, as `approval()` tells them. */
  pending$?: Observable<readonly { readonly toolCallId: string }[]>;
}

const isTranscript = (seed: ConversationSeed | readonly AgentMessage[]): seed is readonly AgentMessage[] =>
  Array.isArray(seed);

/**
 * The view model of a chat: what is there at once, then a new picture per change. Items have stable ids, and only what
 * changed has a new identity.
 *
 * @param seed - What was there before, read on each subscription; `agent.state` fits, also in mid-run. An observer that comes
 * late shows the same items, with the same ids, as one that saw everything.
 * @remarks The work for a delta is that of the open answer's blocks; nothing settled is looked at or copied. A response that a
 * policy makes again replaces what had streamed of it.
 * @example
 * ```ts
 * import { conversation } from "pi-agent-rx/operators";
 * import { map } from "rxjs";
 *
 * const queued$ = agent.state$.pipe(map(({ queued }) => queued));
 * agent.events$
 *   .pipe(conversation(agent.state, { queued$ }))
 *   .subscribe(({ items }) => console.log(items.map(({ kind }) => kind)));
 * await agent.prompt("Hello");
 * ```
 */
export function conversation(
  seed: ConversationSeed | readonly AgentMessage[] = [],
  { queued$, pending$ }: ConversationOptions = {},
): OperatorFunction<AgentEvent, ConversationView> {
  return (events$) =>
    defer(() => {
      const builder = new ConversationBuilder();
      builder.seed(isTranscript(seed) ? { messages: seed } : seed);
      const others$: Observable<unknown>[] = [
        ...(queued$ ? [queued$.pipe(tap((queued) => builder.queue(queued)))] : []),
        ...(pending$
          ? [
              pending$.pipe(
                tap((calls) => builder.decide(new Set(calls.map(({ toolCallId }) => toolCallId)))),
              ),
            ]
          : []),
      ];
      return events$.pipe(
        tap((event) => builder.apply(event)),
        connect((shared$) => {
          const end$ = shared$.pipe(last(undefined, null));
          return merge(shared$, ...others$.map((other$) => other$.pipe(takeUntil(end$))));
        }),
        map(() => builder.view()),
        startWith(builder.view()),
        distinctUntilChanged(),
      );
    });
}
