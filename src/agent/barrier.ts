import { lane } from "../internal/lane";
import { whenSettled } from "../internal/whenSettled";
import type { AgentEvent } from "../types/event";
import type { Gate } from "../types/gate";
import type { AgentListener } from "../types/options";

/** What the barrier does with an event. */
export interface BarrierDeps {
  /** Told in the order in which they joined; who joins or leaves meanwhile counts at once. */
  listeners: ReadonlySet<AgentListener>;
  signal: AbortSignal;
  /** First: the state takes the event over. */
  reduce: (event: AgentEvent) => void;
  /** Last: observers see the event. */
  pass: (event: AgentEvent) => void;
  /** Told before a listener is called. */
  calling: () => void;
  /** Told after it was called, with whether it is awaited. */
  called: (isAwaited: boolean) => void;
  /** A listener failed. True: fail the run with it. */
  onFailure: (error: unknown, event: AgentEvent) => boolean;
}

function failureOf(failures: unknown[]): unknown {
  return failures.length === 1 ? failures[0] : new AggregateError(failures, failures.map(String).join("; "));
}

/**
 * The gate of an Agent: reduce, tell the listeners one after another and await them, pass on.
 *
 * @remarks A listener that fails does not keep the event from the others. Without a promise or observable from a listener
 * everything is synchronous.
 */
export function barrier(deps: BarrierDeps): Gate {
  const { listeners, signal, reduce, pass, calling, called, onFailure } = deps;
  // A lane delivers one event after another, so what belongs to an event stands here, and not in closures of its own.
  let event: AgentEvent;
  let rest: Iterable<AgentListener>;
  let failures: unknown[] = [];
  let passOn: () => void;
  let failWith: (error: unknown) => void;
  let waiting = false;
  let telling = false;

  const settled = () => {
    waiting = false;
    if (!telling) tell();
  };
  const failed = (error: unknown) => {
    failures.push(error);
    settled();
  };
  const call = (listener: AgentListener) => {
    calling();
    waiting = true;
    try {
      whenSettled(listener(event, signal), settled, failed);
    } catch (error) {
      failed(error);
    }
    called(waiting);
  };
  // Calls the listeners up to one that is awaited.
  const tell = () => {
    telling = true;
    for (const listener of rest) {
      call(listener);
      if (!waiting) continue;
      telling = false;
      return;
    }
    telling = false;
    finish();
  };
  const finish = () => {
    if (failures.length === 0) {
      pass(event);
      return passOn();
    }
    const error = failureOf(failures);
    failures = [];
    const fails = onFailure(error, event);
    pass(event);
    if (fails) failWith(error);
    else passOn();
  };
  return lane((next, onPassed, onFailed) => {
    event = next;
    passOn = onPassed;
    failWith = onFailed;
    rest = listeners.values();
    reduce(event);
    tell();
  });
}
