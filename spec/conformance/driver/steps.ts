import type { AgentEvent, AgentMessage } from "@earendil-works/pi-agent-core";
import { losesMessages } from "../differences";
import type { PromptInput, Step } from "../script";
import { isReactive, queuesOf } from "./agentLike";
import { act } from "./actions";
import { buildMessage, images } from "./messages";
import { messageOf, snapshot } from "./snapshot";
import { lanes, wait } from "./virtualTime";
import type { World } from "./world";

type RunStep = Extract<Step, { step: "prompt" | "continue" }>;

function promptOf(world: World, input: PromptInput): string | AgentMessage | AgentMessage[] {
  if ("batch" in input) return input.batch.map((spec) => buildMessage(world, spec));
  return "message" in input ? buildMessage(world, input.message) : input.text;
}

function start({ agent }: World, step: RunStep, input: ReturnType<typeof promptOf>): Promise<void> {
  if (step.step === "continue") return agent.continue();
  if (typeof input !== "string") return agent.prompt(input);
  const count = "text" in step.input ? step.input.images : undefined;
  return count === undefined ? agent.prompt(input) : agent.prompt(input, images(count));
}

function recordRest(world: World, after: number): void {
  const { agent } = world;
  const queues = world.exact ? undefined : queuesOf(agent);
  world.record({
    kind: "rest",
    after,
    transcript: snapshot(agent.state.messages),
    identities: world.identities(agent.state.messages),
    state: world.stateView(),
    queued: world.identities(agent.peekQueuedMessages()),
    hasQueued: agent.hasQueuedMessages(),
    steering: queues ? world.identities(queues.steering) : null,
    followUp: queues ? world.identities(queues.followUp) : null,
  });
}

/** What the prompt consists of, by identity. */
function promptView(world: World, step: RunStep, input: ReturnType<typeof promptOf>): string {
  if (step.step === "continue") return "";
  return typeof input === "string" ? "user" : world.identities([input].flat()).join(" ");
}

/** Watches the run as an observable; leaving it is an abort, and the run has then still to settle. */
function watch(
  world: World,
  step: RunStep,
  input: ReturnType<typeof promptOf>,
  nth: number,
): Promise<string> {
  const { agent } = world;
  if (!isReactive(agent)) throw new Error("only ours can be watched");
  const run$ = step.step === "continue" ? agent.continue$() : agent.prompt$(input);
  return new Promise((resolve, reject) => {
    const next = (event: AgentEvent) =>
      world.record({ kind: "observed", observer: nth, of: "run", value: snapshot(event), throws: false });
    const watching = run$.subscribe({ next, error: reject, complete: () => resolve("resolved") });
    if (typeof step.watched !== "number") return;
    void wait(step.watched, lanes.steps).then(async () => {
      if (watching.closed) return;
      world.record({ kind: "action", from: `step ${nth}`, action: { do: "abort" }, outcome: null });
      world.leaving = true;
      watching.unsubscribe();
      await agent.waitForIdle();
      world.leaving = false;
      resolve("left");
    });
  });
}

export async function runStep(world: World, step: RunStep, nth: number): Promise<void> {
  const input = step.step === "prompt" ? promptOf(world, step.input) : [];
  const tell = (phase: "begins" | "returned" | "settled", outcome: string) =>
    world.record({ kind: "step", nth, phase, step: step.step, outcome, seen: world.seenByFirst });
  tell("begins", promptView(world, step, input));
  try {
    const running =
      step.watched === undefined
        ? start(world, step, input).then(() => "resolved")
        : watch(world, step, input, nth);
    tell("returned", running instanceof Promise ? "a promise" : "no promise");
    for (const action of step.sameTick) act(world, action, `step ${nth}`);
    tell("settled", await running);
  } catch (error) {
    tell("settled", `rejected: ${messageOf(error)}`);
  }
  recordRest(world, nth);
  if (world.exact && losesMessages(world.script)) world.agent.clearAllQueues();
}

/** The user's own course of action, one step after the other. */
export async function takeSteps(world: World): Promise<void> {
  for (const [nth, step] of world.script.steps.entries()) {
    if (step.step === "wait") await wait(step.ms, lanes.steps);
    else if (step.step === "act") act(world, step.action, `step ${nth}`);
    else await runStep(world, step, nth);
  }
}
