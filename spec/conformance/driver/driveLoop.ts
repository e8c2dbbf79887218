import type {
  AgentContext,
  AgentEvent,
  AgentLoopConfig,
  AgentMessage,
  agentLoop,
  agentLoopContinue,
  runAgentLoop,
  runAgentLoopContinue,
  runToolCall,
} from "@earendil-works/pi-agent-core";
import type { Log, Plain } from "../log";
import type { LoopScript } from "../script";
import { buildHooks } from "./hooks";
import { listen } from "./listeners";
import { buildMessage } from "./messages";
import { modelAt } from "./models";
import { buildStreamFn } from "./provider";
import { watchRejections } from "./rejections";
import { messageOf, snapshot } from "./snapshot";
import { buildTool } from "./tools";
import { rewind, runOut } from "./virtualTime";
import { World } from "./world";
import type { AgentLike } from "./agentLike";

const TIMER_LIMIT = 5000;

/** The functions under the Agent, of either implementation. */
export interface LowLevel {
  agentLoop: typeof agentLoop;
  agentLoopContinue: typeof agentLoopContinue;
  runAgentLoop: typeof runAgentLoop;
  runAgentLoopContinue: typeof runAgentLoopContinue;
  runToolCall: typeof runToolCall;
}

type Listener = (event: AgentEvent, signal: AbortSignal) => Promise<void> | void;

/** What listeners and hooks look at in an Agent: here there is none, and they see a state that stays empty. */
function nobody(onSubscribe: (listener: Listener) => void): AgentLike {
  const state = { messages: [], tools: [], isStreaming: false, pendingToolCalls: new Set<string>() };
  const subscribe = (listener: Listener) => {
    onSubscribe(listener);
    return () => true;
  };
  return { state, subscribe } as unknown as AgentLike;
}

function contextOf(world: World): AgentContext {
  const { initial } = world.script;
  return {
    messages: initial.messages.map((spec) => buildMessage(world, spec)),
    tools: initial.tools.map((index) => buildTool(world, index)),
  };
}

/** The n-th poll of a queue gives the n-th batch. */
function poll(
  world: World,
  batches: LoopScript["loop"]["steering"],
  queue: string,
): () => Promise<AgentMessage[]> {
  return () => Promise.resolve((batches[world.next(queue)] ?? []).map((spec) => buildMessage(world, spec)));
}

function configOf(world: World, { agent, initial, loop }: LoopScript): AgentLoopConfig {
  const { prepareNextTurn: _, prepareNextTurnWithContext: prepare, ...hooks } = buildHooks(world);
  return {
    convertToLlm: (messages) => messages,
    ...hooks,
    ...(prepare ? { prepareNextTurn: prepare } : {}),
    model: modelAt(initial.model),
    ...(initial.level === "off" ? {} : { reasoning: initial.level }),
    ...(agent.sessionId === undefined ? {} : { sessionId: agent.sessionId }),
    ...(agent.toolExecution === undefined ? {} : { toolExecution: agent.toolExecution }),
    apiKey: "static key",
    getSteeringMessages: poll(world, loop.steering, "steering"),
    getFollowUpMessages: poll(world, loop.followUps, "followUp"),
  };
}

interface Started {
  emit: Listener;
  world: World;
  script: LoopScript;
  library: LowLevel;
}

/** Runs one of the four entries, shows its events, and gives what it gives. */
async function run({ emit, world, script, library }: Started): Promise<AgentMessage[]> {
  const { entry, prompts, withSignal } = script.loop;
  const { signal } = new AbortController();
  const given = withSignal ? signal : undefined;
  const told = (event: AgentEvent) => emit(event, signal);
  const context = contextOf(world);
  const config = configOf(world, script);
  const streamFn = buildStreamFn(world);
  const messages = prompts.map((spec) => buildMessage(world, spec));
  if (entry === "runAgentLoop") return library.runAgentLoop(messages, context, config, told, given, streamFn);
  if (entry === "runAgentLoopContinue")
    return library.runAgentLoopContinue(context, config, told, given, streamFn);
  const stream =
    entry === "agentLoop"
      ? library.agentLoop(messages, context, config, given, streamFn)
      : library.agentLoopContinue(context, config, given, streamFn);
  for await (const event of stream) void told(event);
  return stream.result();
}

/** Lives through a script on the low level, as `drive` does with an Agent. */
export async function driveLoop(library: LowLevel, script: LoopScript): Promise<Log> {
  rewind();
  const world = new World(script, true);
  const listeners: Listener[] = [];
  world.agent = nobody((listener) => listeners.push(listener));
  for (const spec of script.listeners) listen(world, spec);
  const tell = (phase: "begins" | "settled", outcome: string, gave: Plain = null) =>
    world.record({
      kind: "step",
      nth: 0,
      phase,
      step: script.loop.entry,
      outcome,
      gave,
      seen: world.seenByFirst,
    });
  const emit: Listener = async (event, signal) => {
    for (const listener of listeners) await listener(event, signal);
  };
  const trouble = (what: "unhandled rejection" | "uncaught exception" | "hangs", error: unknown) =>
    world.record({ kind: "trouble", what, detail: messageOf(error) });
  let done = false;
  const live = async () => {
    tell("begins", "");
    try {
      const messages = await run({ emit, world, script, library });
      tell("settled", "resolved", [world.identities(messages), snapshot(messages)]);
    } catch (error) {
      tell("settled", `rejected: ${messageOf(error)}`);
    }
    done = true;
  };
  await watchRejections(
    (error) => trouble("unhandled rejection", error),
    async () => {
      void live();
      await runOut(TIMER_LIMIT, (error) => trouble("uncaught exception", error));
    },
  );
  if (!done) trouble("hangs", "it never settled");
  return world.log;
}

/** One call through `runToolCall`. */
export async function driveToolCall(library: LowLevel, script: LoopScript): Promise<Log> {
  rewind();
  const world = new World(script, true);
  world.agent = nobody(() => {});
  const { signal } = new AbortController();
  const trouble = (error: unknown) =>
    world.record({ kind: "trouble", what: "unhandled rejection", detail: messageOf(error) });
  const spec = script.loop.call;
  const toolCall = {
    type: "toolCall" as const,
    id: "the-call",
    name: spec.tool,
    arguments: { path: "a.txt" },
  };
  const args = {
    valid: {},
    coerced: { count: "3" },
    renamed: { path: undefined, file: "a.txt" },
    invalid: { path: {} },
  };
  Object.assign(toolCall.arguments, spec.args === "broken" ? {} : args[spec.args]);
  if (spec.args === "broken") Object.assign(toolCall, { argumentsError: "no JSON" });
  world.announceCalls([{ id: toolCall.id, call: { spec, index: 0, batch: 1 } }]);
  const assistant = buildMessage(world, { role: "assistant", text: "calls" });
  const { beforeToolCall, afterToolCall } = buildHooks(world);
  const context = contextOf(world);
  await watchRejections(trouble, async () => {
    const running = library.runToolCall(toolCall, {
      tools: context.tools ?? [],
      assistantMessage: assistant as never,
      context,
      ...(script.loop.withSignal ? { signal } : {}),
      ...(beforeToolCall ? { beforeToolCall } : {}),
      ...(afterToolCall ? { afterToolCall } : {}),
      onUpdate: (update) =>
        world.record({ kind: "action", from: "onUpdate", action: { do: "peek" }, outcome: snapshot(update) }),
    });
    const tell = (outcome: string, gave: Plain) =>
      world.record({ kind: "step", nth: 0, phase: "settled", step: "runToolCall", outcome, gave, seen: 0 });
    running.then(
      (outcome) => tell("resolved", snapshot(outcome)),
      (error: unknown) => tell(`rejected: ${messageOf(error)}`, null),
    );
    await runOut(TIMER_LIMIT, trouble);
  });
  return world.log;
}
