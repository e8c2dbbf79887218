import type { AgentEvent } from "@earendil-works/pi-agent-core";
import type { EventType, ListenerSpec } from "../script";
import { act } from "./actions";
import { snapshot } from "./snapshot";
import { lanes, wait } from "./virtualTime";
import type { World } from "./world";

function signalView(signal: AbortSignal | undefined): "live" | "aborted" | "missing" {
  if (!signal) return "missing";
  return signal.aborted ? "aborted" : "live";
}

/** The name of the first field of `shown` that is no longer what it was. */
function changedField(shown: object): () => string | undefined {
  const before = { ...shown } as Record<string, unknown>;
  return () =>
    Object.keys(before).find((key) => !Object.is((shown as Record<string, unknown>)[key], before[key]));
}

function watchShown(world: World, event: AgentEvent): void {
  const { type } = event;
  world.watch(`${type} event`, changedField(event));
  if ("message" in event) world.watch(`the message of a ${type} event`, changedField(event.message));
}

/** Subscribes a scripted listener: it records, reacts, and then takes the time the script gives it. */
export function listen(world: World, spec: ListenerSpec): void {
  const listener = world.next("listener");
  const seen = new Map<EventType, number>();
  const heard = (type: EventType, failed: boolean) => world.record({ kind: "heard", listener, type, failed });

  const onEvent = (event: AgentEvent, signal: AbortSignal): Promise<void> | void => {
    const { type } = event;
    const nth = seen.get(type) ?? 0;
    seen.set(type, nth + 1);
    if (listener === 0) world.seenByFirst++;
    if (listener === 0 && !world.exact) watchShown(world, event);
    world.record({
      kind: "event",
      listener,
      type,
      event: snapshot(event),
      message: "message" in event ? world.nameOf(event.message) : null,
      state: world.stateView(),
      signal: signalView(signal),
    });
    if (world.calm) return finish(type, undefined);
    for (const reaction of spec.reactions) {
      if (reaction.on === type && reaction.nth === nth) act(world, reaction.action, `listener ${listener}`);
    }
    return finish(type, spec.fails?.find((failure) => failure.on === type && failure.nth === nth)?.how);
  };

  const finish = (type: EventType, how: "throws" | "rejects" | undefined): Promise<void> | void => {
    const delay = spec.delays[type] ?? "sync";
    const end = () => {
      heard(type, how !== undefined);
      if (how) throw new Error(`listener ${listener} ${how} on ${type}`);
    };
    if (how === "throws" || (delay === "sync" && !how)) return end();
    if (typeof delay === "number") return wait(delay, lanes.main).then(end);
    return Promise.resolve().then(end);
  };

  world.unsubscribes.push(world.agent.subscribe(onEvent));
}
