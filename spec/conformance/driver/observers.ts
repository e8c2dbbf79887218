import type { AgentEvent } from "@earendil-works/pi-agent-core";
import { config } from "rxjs";
import { firstGap } from "../compare";
import type { EventType, ObserverSpec } from "../script";
import { act } from "./actions";
import { isReactive } from "./agentLike";
import { messageOf, snapshot } from "./snapshot";
import type { World } from "./world";

/** Snapshots are immutable throughout, so that the whole of one is looked at again in the end. */
function watchSnapshot(world: World, value: object): void {
  const before = snapshot(value);
  world.watch("a snapshot of state$", () => firstGap(before, snapshot(value))?.path);
}

/** Which emission, or which event of its type, a value is; reactions are chosen by that. */
function counter(of: ObserverSpec["of"]): (value: object) => { type: EventType | undefined; nth: number } {
  const counts = new Map<EventType | undefined, number>();
  return (value) => {
    const type = of === "events" ? (value as AgentEvent).type : undefined;
    const nth = counts.get(type) ?? 0;
    counts.set(type, nth + 1);
    return { type, nth };
  };
}

function observe(world: World, spec: ObserverSpec, observer: number): void {
  const { agent } = world;
  if (!isReactive(agent)) return;
  const count = counter(spec.of);
  let emissions = 0;
  const next = (value: object) => {
    const throws = !world.calm && emissions++ === spec.throwsOn;
    world.record({ kind: "observed", observer, of: spec.of, value: snapshot(value), throws });
    if (spec.of === "state") watchSnapshot(world, value);
    const { type, nth } = count(value);
    const due = spec.reactions.filter(
      (reaction) => (type ?? reaction.on) === reaction.on && reaction.nth === nth,
    );
    if (!world.calm) for (const { action } of due) act(world, action, `observer ${observer}`);
    if (throws) throw new Error(`observer ${observer} throws`);
  };
  if (spec.of === "state") agent.state$.subscribe(next);
  else agent.events$.subscribe(next);
}

/** Silent witnesses come first; the errors of the scripted observers are the only ones that may show. */
export function observeAll(world: World): void {
  config.onUnhandledError = (error: unknown) =>
    world.record({ kind: "trouble", what: "rx unhandled error", detail: messageOf(error) });
  const witnesses: ObserverSpec[] = [
    { of: "events", reactions: [] },
    { of: "state", reactions: [] },
  ];
  [...witnesses, ...(world.script.observers ?? [])].forEach((spec, observer) =>
    observe(world, spec, observer),
  );
}

export function forgetObservers(): void {
  config.onUnhandledError = null;
}
