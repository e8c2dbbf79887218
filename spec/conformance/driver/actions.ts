import type { Plain } from "../log";
import type { Action, Immediate } from "../script";
import { listen } from "./listeners";
import { buildMessage } from "./messages";
import { modelAt } from "./models";
import { messageOf } from "./snapshot";
import { buildTool } from "./tools";
import type { World } from "./world";

type Announced = { do: "steer" | "followUp" } | { do: "abort" };

function assignMessages(world: World, action: Extract<Action, { do: "messages" }>): void {
  const added = action.add.map((spec) => buildMessage(world, spec));
  world.agent.state.messages = [...world.agent.state.messages.slice(0, action.keep), ...added];
}

/** What an action tells at once, or a promise of what it tells later. */
function apply(world: World, action: Exclude<Action, Announced>): Plain | Promise<void> {
  const { agent } = world;
  const { state } = agent;
  switch (action.do) {
    case "clearSteering":
      agent.clearSteeringQueue();
      return null;
    case "clearFollowUp":
      agent.clearFollowUpQueue();
      return null;
    case "clearAll":
      agent.clearAllQueues();
      return null;
    case "peek":
      return [agent.hasQueuedMessages(), ...world.identities(agent.peekQueuedMessages())];
    case "reset":
      agent.reset();
      return null;
    case "prompt":
      return state.isStreaming && !world.leaving ? agent.prompt("not now") : "idle";
    case "continue":
      return state.isStreaming && !world.leaving ? agent.continue() : "idle";
    case "idle":
      return agent.waitForIdle();
    default:
      assign(world, action);
      return null;
  }
}

type Assignment = Exclude<Action, Announced | { do: Immediate }>;

function assign(world: World, action: Assignment): void {
  const { agent } = world;
  const { state } = agent;
  switch (action.do) {
    case "steeringMode":
    case "followUpMode":
      agent[action.do] = action.mode;
      return;
    case "tools":
      state.tools = action.tools.map((index) => buildTool(world, index));
      return;
    case "model":
      state.model = modelAt(action.model);
      return;
    case "level":
      state.thinkingLevel = action.level;
      return;
    case "messages":
      return assignMessages(world, action);
    case "push":
      state.messages.push(buildMessage(world, action.message));
      return;
    case "toolExecution":
      agent.toolExecution = action.mode;
      return;
    case "sessionId":
      agent.sessionId = action.value;
      return;
    case "dropHook":
      // The one hook that pi's Agent cannot do without is left alone.
      if (action.hook !== "convertToLlm") agent[action.hook] = undefined;
      return;
    case "subscribe":
      listen(world, { delays: {}, reactions: [] });
      return;
    case "unsubscribe":
      // The witness of our own scripts stays.
      world.unsubscribes[action.listener + (world.exact ? 0 : 1)]?.();
  }
}

/** Aborting and queueing are told before they are done, since the agent may react within the call. */
function announced(
  world: World,
  action: Action,
  from: string,
  tell: (outcome: Plain) => void,
): action is Extract<Action, Announced> {
  const { agent } = world;
  if (action.do === "abort") {
    tell(from);
    agent.abort(from);
    return true;
  }
  if (action.do !== "steer" && action.do !== "followUp") return false;
  const message = buildMessage(world, action.message);
  for (let n = action.twice ? 2 : 1; n > 0; n--) {
    tell(world.nameOf(message));
    agent[action.do](message);
  }
  return true;
}

/** Does one thing to the agent and records what came of it; what comes later is told apart, since its microtask is free. */
export function act(world: World, action: Action, from: string): void {
  const tell = (outcome: Plain, late = "") =>
    world.record({ kind: "action", from: `${from}${late}`, action, outcome });
  try {
    if (announced(world, action, from, tell)) return;
    const told = apply(world, action);
    if (!(told instanceof Promise)) return tell(told);
    tell("asked");
    told.then(
      () => tell("settled", ", later"),
      (error: unknown) => tell(`rejected: ${messageOf(error)}`, ", later"),
    );
  } catch (error) {
    tell(`threw: ${messageOf(error)}`);
  }
}
