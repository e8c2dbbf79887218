import { filter, type OperatorFunction } from "rxjs";
import type { AgentEvent } from "../types/event";
import type { EventOf } from "./EventOf";

/**
 * Lets only events of the given types through, typed as such.
 *
 * @example
 * ```ts
 * agent.events$.pipe(ofType("agent_end")).subscribe(({ outcome }) => console.log(outcome));
 * await agent.prompt("Hello");
 * ```
 */
export function ofType<T extends AgentEvent["type"]>(
  ...types: T[]
): OperatorFunction<AgentEvent, EventOf<T>> {
  const wanted = new Set<string>(types);
  return filter((event): event is EventOf<T> => wanted.has(event.type));
}
