import type { AgentContext, AgentMessage, AgentOptions, AgentTool } from "@earendil-works/pi-agent-core";
import type { Message } from "@earendil-works/pi-ai";
import type { Plain } from "../log";
import type { AfterAct, ContextChange, HookSpec, HookSpecs, NextTurnAct, RequestAct } from "../script";
import { buildMessage, usage } from "./messages";
import { modelAt } from "./models";
import { snapshot } from "./snapshot";
import { buildTool } from "./tools";
import { lanes, wait } from "./virtualTime";
import type { World } from "./world";

type Context = { messages: AgentMessage[]; tools?: AgentTool[] };
type Act<Spec> = Spec extends HookSpec<infer A> ? A : never;

function contextView(world: World, context: Context): Plain {
  return {
    messages: world.identities(context.messages),
    tools: context.tools?.map((tool) => tool.name) ?? null,
  };
}

function changed(world: World, context: Context, change: ContextChange): AgentContext {
  const extra = () => buildMessage(world, { role: "user", text: "brought by a hook" });
  switch (change) {
    case "same":
      return { ...context };
    case "append":
      return { ...context, messages: [...context.messages, extra()] };
    case "shorten":
      return { ...context, messages: context.messages.slice(-2) };
    case "retool":
      return { ...context, tools: [buildTool(world, 0), buildTool(world, 3)] };
    case "fresh":
      return { messages: [extra()], tools: context.tools };
  }
}

function requestUpdate(world: World, context: Context, act: RequestAct) {
  return {
    ...(act.context ? { context: changed(world, context, act.context) } : {}),
    ...(act.model === undefined ? {} : { model: modelAt(act.model) }),
    ...(act.level ? { thinkingLevel: act.level } : {}),
  };
}

function nextTurnUpdate(world: World, context: Context, act: NextTurnAct) {
  const messages = act.messages?.map((spec) => buildMessage(world, spec));
  return { ...requestUpdate(world, context, act), ...(messages ? { messages } : {}) };
}

function afterResult(act: Exclude<AfterAct, string>) {
  return {
    ...(act.content && act.content !== "missing"
      ? { content: act.content.map((text) => ({ type: "text" as const, text })) }
      : {}),
    ...(act.details === undefined ? {} : { details: act.details }),
    ...(act.structured === undefined ? {} : { structuredContent: act.structured }),
    ...(act.error === undefined ? {} : { isError: act.error }),
    ...(act.usage === undefined ? {} : { usage: usage(act.usage) }),
    ...(act.terminate === undefined ? {} : { terminate: act.terminate }),
  };
}

/** Answers at once, as a promise or later, and fails or stalls where the script says so. */
class Hooks {
  constructor(private readonly world: World) {}

  /** `answer` makes the hook's value out of its act; with none (`undefined`) the hook does nothing. */
  call<K extends keyof HookSpecs, R>(
    hook: K,
    told: { sees: Plain; signal?: AbortSignal; lane?: number },
    answer: (act: Exclude<Act<HookSpecs[K]>, "throw" | "never"> | undefined) => R,
  ): R | Promise<R> {
    const { world } = this;
    const spec = world.script.hooks[hook] as HookSpec<Act<HookSpecs[K]>>;
    const nth = world.next(`hook ${hook}`);
    const act = world.calm ? undefined : (spec.acts[nth] ?? undefined);
    const aborted = told.signal?.aborted ?? null;
    world.record({ kind: "hook", hook, nth, sees: told.sees, aborted, act: snapshot(act) });
    const end = () => {
      if (act === "throw") throw new Error(`${hook} fails at ${nth}`);
      return answer(act as Exclude<Act<HookSpecs[K]>, "throw" | "never"> | undefined);
    };
    if (act === "never") return new Promise<R>(() => {});
    if (spec.delay === "sync") return end();
    if (spec.delay === "promise") return Promise.resolve().then(end);
    return wait(spec.delay, told.lane ?? lanes.main).then(end);
  }
}

type HookOptions = Pick<AgentOptions, keyof HookSpecs>;

function toolHooks(world: World, hooks: Hooks): Pick<HookOptions, "beforeToolCall" | "afterToolCall"> {
  return {
    beforeToolCall: (({ assistantMessage, toolCall, args, context }, signal) => {
      const before = { call: toolCall.id, args: snapshot(args), context: contextView(world, context) };
      const committed = world.agent.state.messages.includes(assistantMessage);
      return hooks.call("beforeToolCall", { sees: { ...before, committed }, signal }, (act) => {
        if (act === "mutate") Object.assign(args as object, { path: "changed", extra: 1 });
        return act === "mutate" ? undefined : act;
      });
    }) as HookOptions["beforeToolCall"],
    afterToolCall: (({ toolCall, args, result, isError, context }, signal) => {
      const sees = { call: toolCall.id, args: snapshot(args), result: snapshot(result), isError };
      const told = { sees: { ...sees, context: contextView(world, context) }, signal };
      const lane = lanes.call(world.placeOf(toolCall.id));
      return hooks.call("afterToolCall", { ...told, lane }, (act) => (act ? afterResult(act) : undefined));
    }) as HookOptions["afterToolCall"],
  };
}

function turnHooks(
  world: World,
  hooks: Hooks,
): Pick<HookOptions, "prepareRequest" | "finishTurn" | "prepareNextTurn" | "prepareNextTurnWithContext"> {
  type Turn = Parameters<NonNullable<HookOptions["prepareNextTurnWithContext"]>>[0];
  const turnView = ({ message, toolResults, context, newMessages }: Turn): { [key: string]: Plain } => ({
    message: world.nameOf(message),
    toolResults: toolResults.map((result) => result.toolCallId),
    context: contextView(world, context),
    newMessages: world.identities(newMessages),
  });
  // A copy: a context that shares the array of `state.messages` would be appended to twice.
  const ownContext = () => ({
    messages: world.agent.state.messages.slice(),
    tools: world.agent.state.tools.slice(),
  });
  return {
    prepareRequest: ({ context, model, thinkingLevel }, signal) => {
      const sees = { context: contextView(world, context), model: model.id, thinkingLevel };
      return hooks.call(
        "prepareRequest",
        { sees, signal },
        (act) => act && requestUpdate(world, context, act),
      );
    },
    finishTurn: (turn, signal) =>
      hooks.call("finishTurn", { sees: turnView(turn), signal }, (act) =>
        act ? { action: act } : undefined,
      ),
    prepareNextTurn: (signal) =>
      hooks.call("prepareNextTurn", { sees: null, signal }, (act) =>
        act ? nextTurnUpdate(world, ownContext(), act) : undefined,
      ),
    prepareNextTurnWithContext: (turn, signal) =>
      hooks.call("prepareNextTurnWithContext", { sees: turnView(turn), signal }, (act) =>
        act ? nextTurnUpdate(world, turn.context, act) : undefined,
      ),
  };
}

function noteToUser(message: AgentMessage): Message[] {
  const note = message as unknown as { role: string; text: string; timestamp: number };
  if (note.role !== "note") return [message];
  return [{ role: "user", content: `note: ${note.text}`, timestamp: note.timestamp }];
}

function requestHooks(
  world: World,
  hooks: Hooks,
): Pick<HookOptions, "transformContext" | "convertToLlm" | "getApiKey"> {
  return {
    transformContext: ((messages, signal) =>
      hooks.call("transformContext", { sees: world.identities(messages), signal }, (act) => {
        if (act === "shorten") return messages.slice(-3);
        const extra = act && buildMessage(world, { role: "user", text: "injected" });
        return extra ? [...messages, extra] : messages;
      })) as HookOptions["transformContext"],
    convertToLlm: (messages) =>
      hooks.call("convertToLlm", { sees: world.identities(messages) }, () => messages.flatMap(noteToUser)),
    getApiKey: (provider) => {
      const nth = world.next("key");
      return hooks.call("getApiKey", { sees: provider }, (act) => (act ? `key-${nth}` : undefined));
    },
  };
}

/** Only the hooks that the script has. */
export function buildHooks(world: World): HookOptions {
  const hooks = new Hooks(world);
  const all = { ...toolHooks(world, hooks), ...turnHooks(world, hooks), ...requestHooks(world, hooks) };
  const wanted = Object.entries(all).filter(([name]) => world.script.hooks[name as keyof HookSpecs]);
  return Object.fromEntries(wanted);
}
