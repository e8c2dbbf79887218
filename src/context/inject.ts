import {
  concatMap,
  defer,
  isObservable,
  map,
  of,
  type MonoTypeOperatorFunction,
  type Observable,
} from "rxjs";
import { fromHook } from "../internal/fromHook";
import type { HookOutput } from "../types/hooks";
import type { AgentMessage } from "../types/messages";
import { outline } from "./outline";
import { provenance } from "./provenance";

/** Messages to put in: one, several or none. */
export type Injection = AgentMessage | readonly AgentMessage[] | undefined | void;

/** Where {@link inject} puts messages. */
export interface InjectOptions {
  /**
   * `"end"`: after everything, where a change costs no prompt cache; `"beforeUser"`: before the newest user message;
   * `"start"`: after the system messages that lead.
   *
   * @defaultValue `"end"`
   */
  at?: "end" | "beforeUser" | "start";
}

// What the source has by now: values that it emits on subscription, the last of them.
function latest(source$: Observable<Injection>): Observable<Injection> {
  return defer(() => {
    let value: Injection;
    let failure: { error: unknown } | undefined;
    source$
      .subscribe({
        next: (next) => (value = next),
        error: (error: unknown) => (failure = { error }),
      })
      .unsubscribe();
    if (failure) throw failure.error;
    return of(value);
  });
}

function placeOf(messages: AgentMessage[], at: InjectOptions["at"]): number {
  if (at === "end") return messages.length;
  const { units } = outline(messages);
  const target =
    at === "start"
      ? units.find((unit) => messages[unit.indexes[0]!]!.role !== "system")
      : units.findLast(({ isUser }) => isUser);
  const place = target?.indexes[0] ?? messages.length;
  // Never between a call and its results.
  const around = units.find(({ indexes }) => indexes[0]! < place && indexes.at(-1)! >= place);
  return around?.indexes[0] ?? place;
}

/**
 * Puts messages into each request that are not in the transcript: live state, or what was retrieved for it.
 *
 * @remarks From an observable it takes the latest value there is at the time of the request, so give it one that replays (a
 * `BehaviorSubject`, `shareReplay(1)`); one that has none yet puts in nothing. A function is called with the messages of
 * the request, and what it returns, now or later, is waited for. Unsubscribing from the request unsubscribes from it. The
 * operators behind it leave injected messages alone, and count no turns by them.
 *
 * @example
 * ```ts
 * import { BehaviorSubject } from "rxjs";
 * import { Agent } from "pi-agent-rx";
 * import { inject } from "pi-agent-rx/context";
 *
 * const selection$ = new BehaviorSubject({ role: "user" as const, content: "Selected: line 1", timestamp: 0 });
 * const context = inject(selection$);
 * const aware = new Agent({ initialState: { model }, streamFn, operators: { context } });
 * ```
 */
export function inject(
  source: Observable<Injection> | ((messages: AgentMessage[]) => HookOutput<Injection>),
  { at = "end" }: InjectOptions = {},
): MonoTypeOperatorFunction<AgentMessage[]> {
  return concatMap((messages) => {
    const injection$ = isObservable(source) ? latest(source) : fromHook("inject", () => source(messages));
    return injection$.pipe(
      map((injection) => {
        const added = injection ? [injection].flat() : [];
        return messages.toSpliced(placeOf(messages, at), 0, ...added.map(provenance.add));
      }),
    );
  });
}
