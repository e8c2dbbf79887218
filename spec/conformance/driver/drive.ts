import type { ClientIdentity } from "@earendil-works/pi-ai";
import type { Log } from "../log";
import type { Script } from "../script";
import { act } from "./actions";
import type { AgentClass, Options } from "./agentLike";
import { buildHooks } from "./hooks";
import { listen } from "./listeners";
import { buildMessage } from "./messages";
import { modelAt } from "./models";
import { buildStreamFn } from "./provider";
import { forgetObservers, observeAll } from "./observers";
import { watchRejections } from "./rejections";
import { messageOf, snapshot } from "./snapshot";
import { runStep, takeSteps } from "./steps";
import { buildTool } from "./tools";
import { lanes, rewind, runOut, wait } from "./virtualTime";
import { World } from "./world";

/** More timers than any script that comes to rest can need. */
const TIMER_LIMIT = 5000;
/** The number of the prompt after the script. */
export const LAST_STEP = -1;

function identityOf(name: string | null | undefined): { identity?: ClientIdentity } {
  if (name === undefined) return {};
  return { identity: { attribution: name === null ? null : { name, url: `https://${name}.example` } } };
}

function optionsOf(world: World): Options {
  const { identity, thinkingBudgets, callbacks, ...agent } = world.script.agent;
  const { initial } = world.script;
  return {
    ...agent,
    ...identityOf(identity),
    ...(thinkingBudgets === undefined ? {} : { thinkingBudgets: { low: thinkingBudgets } }),
    ...(callbacks
      ? { onPayload: () => undefined, onResponse: () => {}, onProviderStreamEvent: () => {} }
      : {}),
    ...buildHooks(world),
    streamFn: buildStreamFn(world),
    initialState: {
      ...(initial.systemPrompt === undefined ? {} : { systemPrompt: initial.systemPrompt }),
      tools: initial.tools.map((index) => buildTool(world, index)),
      messages: initial.messages.map((spec) => buildMessage(world, spec)),
      model: modelAt(initial.model),
      thinkingLevel: initial.level,
    },
  };
}

function scheduleActions(world: World): void {
  world.script.actions.forEach(({ at, action }, n) => {
    void wait(at, lanes.action(n)).then(() => act(world, action, `action ${n}`));
  });
}

function recordFinal(world: World): void {
  const { agent } = world;
  world.record({
    kind: "final",
    transcript: snapshot(agent.state.messages),
    identities: world.identities(agent.state.messages),
    state: world.stateView(),
    systemPrompt: agent.state.systemPrompt,
    tools: agent.state.tools.map((tool) => tool.name),
    queued: world.identities(agent.peekQueuedMessages()),
    hasQueued: agent.hasQueuedMessages(),
  });
}

/** Lets the script come to rest; one that stalls is aborted, as often as it takes. */
async function live(world: World): Promise<void> {
  const trouble = (what: "uncaught exception" | "hangs" | "never rests", detail: string) =>
    world.record({ kind: "trouble", what, detail });
  const rest = async () => {
    const rested = await runOut(TIMER_LIMIT, (error) => trouble("uncaught exception", messageOf(error)));
    if (!rested) trouble("never rests", `${TIMER_LIMIT} timers and no end`);
  };
  let done = false;
  void takeSteps(world).finally(() => (done = true));
  await rest();
  for (let aborts = world.exact ? 0 : world.script.steps.length; !done && aborts > 0; aborts--) {
    act(world, { do: "abort" }, "the patience of the driver");
    await rest();
  }
  if (!done) trouble("hangs", "a step never settled");
}

/** Once all mischief is over, one more prompt must work. */
async function liveOn(world: World): Promise<void> {
  world.calm = true;
  const once = runStep(world, { step: "prompt", input: { text: "still there?" }, sameTick: [] }, LAST_STEP);
  await runOut(TIMER_LIMIT, (error) =>
    world.record({ kind: "trouble", what: "uncaught exception", detail: messageOf(error) }),
  );
  void once;
}

/** Lives through a script with an agent of the given class, in virtual time, and tells what happened. */
export async function drive(
  AgentImplementation: AgentClass,
  script: Script,
  { exact }: { exact: boolean },
): Promise<Log> {
  rewind();
  const world = new World(script, exact);
  const unhandled = (error: unknown) =>
    world.record({ kind: "trouble", what: "unhandled rejection", detail: messageOf(error) });
  await watchRejections(unhandled, async () => {
    world.agent = new AgentImplementation(optionsOf(world));
    for (const listener of script.listeners) listen(world, listener);
    if (!exact) observeAll(world);
    scheduleActions(world);
    await live(world);
    if (!exact) await liveOn(world);
    world.recordChanges();
    recordFinal(world);
  });
  forgetObservers();
  return world.log;
}
