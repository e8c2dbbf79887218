import {
  animationFrameScheduler,
  Observable,
  timer,
  type MonoTypeOperatorFunction,
  type Subscription,
} from "rxjs";
import { check } from "../internal/check";
import { expected } from "../internal/expected";

/** How often {@link coalesce} emits, and what it may hold back. */
export interface CoalesceOptions<T> {
  /** Once per so many ms, counted from the first value held back. */
  ms?: number;
  /** Once per animation frame. */
  frame?: boolean;
  /**
   * Of which stream of updates a value is the latest; `undefined` for one that is no update and never held back.
   *
   * @defaultValue events: `message_update` one stream, each call's `tool_execution_update` another, all else no update; values
   * that are no events: one stream
   */
  key?: (value: T) => unknown;
}

interface EventLike {
  type?: unknown;
  toolCallId?: unknown;
}

function keyOf(value: unknown): unknown {
  const { type, toolCallId } = (value ?? {}) as EventLike;
  if (typeof type !== "string") return "";
  if (type === "tool_execution_update") return `tool ${String(toolCallId)}`;
  return type === "message_update" ? "" : undefined;
}

/**
 * Holds updates back and emits the latest, once per frame or per N ms.
 *
 * @remarks What is held goes out before every value that is no update, and before the end or an error, so order is kept and
 * the last value always arrives. The very first value passes at once, so that a store has one from the beginning. Of events,
 * deltas are lost, so put it behind what adds them up, or read `message`, as `conversation()` does. Put in front of `conversation()`, it
 * holds no other change back.
 * @example
 * ```ts
 * agent.events$.pipe(coalesce({ ms: 50 }), conversation(agent.state)).subscribe(({ items }) => console.log(items.length));
 * await agent.prompt("Hello");
 * ```
 */
export function coalesce<T>({ ms, frame, key = keyOf }: CoalesceOptions<T>): MonoTypeOperatorFunction<T> {
  if (!frame && ms === undefined) throw expected("coalesce: ms", "a number of ms, or frame: true", ms);
  check.ms("coalesce: ms", ms);
  const window$ = frame ? timer(0, animationFrameScheduler) : timer(ms ?? 0);
  return (source$) =>
    new Observable<T>((subscriber) => {
      const held = new Map<unknown, T>();
      let window: Subscription | undefined;
      const flush = () => {
        window?.unsubscribe();
        window = undefined;
        const values = [...held.values()];
        held.clear();
        for (const value of values) subscriber.next(value);
      };
      let isFirst = true;
      const hold = (name: unknown, value: T) => {
        held.delete(name);
        if (isFirst) subscriber.next(value);
        else held.set(name, value);
        isFirst = false;
        window ??= window$.subscribe(flush);
      };
      subscriber.add(() => window?.unsubscribe());
      subscriber.add(
        source$.subscribe({
          next: (value) => {
            const name = key(value);
            if (name !== undefined) return hold(name, value);
            isFirst = false;
            flush();
            subscriber.next(value);
          },
          error: (error: unknown) => {
            flush();
            subscriber.error(error);
          },
          complete: () => {
            flush();
            subscriber.complete();
          },
        }),
      );
    });
}
