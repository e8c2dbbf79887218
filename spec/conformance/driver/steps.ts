import { losesMessages } from "../differences";
import type { PromptInput, Step } from "../script";
import { act } from "./actions";
import { buildMessage, images } from "./messages";
import { messageOf, snapshot } from "./snapshot";
import { lanes, wait } from "./virtualTime";
import type { World } from "./world";

function prompt(world: World, input: PromptInput): Promise<void> {
  const { agent } = world;
  if ("batch" in input) return agent.prompt(input.batch.map((spec) => buildMessage(world, spec)));
  if ("message" in input) return agent.prompt(buildMessage(world, input.message));
  return input.images === undefined
    ? agent.prompt(input.text)
    : agent.prompt(input.text, images(input.images));
}

function recordRest(world: World, after: number): void {
  const { agent } = world;
  world.record({
    kind: "rest",
    after,
    transcript: snapshot(agent.state.messages),
    identities: world.identities(agent.state.messages),
    state: world.stateView(),
    queued: world.identities(agent.peekQueuedMessages()),
    hasQueued: agent.hasQueuedMessages(),
  });
}

async function runStep(
  world: World,
  step: Extract<Step, { step: "prompt" | "continue" }>,
  nth: number,
): Promise<void> {
  const tell = (phase: "begins" | "returned" | "settled", outcome: string) =>
    world.record({ kind: "step", nth, phase, step: step.step, outcome, seen: world.seenByFirst });
  tell("begins", "");
  try {
    const running = step.step === "prompt" ? prompt(world, step.input) : world.agent.continue();
    tell("returned", running instanceof Promise ? "a promise" : "no promise");
    for (const action of step.sameTick) act(world, action, `step ${nth}`);
    await running;
    tell("settled", "resolved");
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
