import type { AgentEvent } from "@earendil-works/pi-agent-core";
import { config } from "rxjs";
import { firstGap } from "../compare";
import type { EventType, ObserverSpec } from "../script";
import { act } from "./actions";
import { isReactive } from "./agentLike";
import { messageOf, snapshot } from "./snapshot";
import type { World } from "./world";

function react(
  world: World,
  spec: ObserverSpec,
  seen: Map<EventType, number>,
  type: EventType,
  from: string,
): void {
  const nth = seen.get(type) ?? 0;
  seen.set(type, nth + 1);
  if (world.calm) return;
  for (const reaction of spec.reactions) {
    if (reaction.on === type && reaction.nth === nth) act(world, reaction.action, from);
  }
}

/** Snapshots are immutable throughout, so that the whole of one is looked at again in the end. */
function watchSnapshot(world: World, value: object): void {
  const before = snapshot(value);
  world.watch("a snapshot of state$", () => firstGap(before, snapshot(value))?.path);
}

function observe(world: World, spec: ObserverSpec, observer: number): void {
  const { agent } = world;
  if (!isReactive(agent)) return;
  const seen = new Map<EventType, number>();
  let emissions = 0;
  const next = (value: object) => {
    const throws = !world.calm && emissions++ === spec.throwsOn;
    world.record({ kind: "observed", observer, of: spec.of, value: snapshot(value), throws });
    if (spec.of === "state") watchSnapshot(world, value);
    else react(world, spec, seen, (value as AgentEvent).type, `observer ${observer}`);
    if (throws) throw new Error(`observer ${observer} throws`);
  };
  if (spec.of === "state") agent.state$.subscribe(next);
  else agent.events$.subscribe(next);
}

/** Subscribes the scripted observers, and a silent one to events$ as a witness; theirs are the only errors that may show. */
export function observeAll(world: World): void {
  config.onUnhandledError = (error: unknown) =>
    world.record({ kind: "trouble", what: "rx unhandled error", detail: messageOf(error) });
  const specs = [{ of: "events" as const, reactions: [] }, ...(world.script.observers ?? [])];
  specs.forEach((spec, observer) => observe(world, spec, observer));
}

export function forgetObservers(): void {
  config.onUnhandledError = null;
}
