import { isObservable } from "rxjs";
import { isAsyncIterable } from "../../internal/isAsyncIterable";
import { isThenable } from "../../internal/isThenable";
import type { AnyAgentTool } from "../../types/tool";
import { SyncPromise } from "../SyncPromise";

type Fn = (...args: never[]) => unknown;

const HOOKS = [
  "convertToLlm",
  "transformContext",
  "getApiKey",
  "beforeToolCall",
  "afterToolCall",
  "finishTurn",
  "prepareRequest",
  "prepareNextTurn",
  "prepareNextTurnWithContext",
] as const;

function kindOf(output: unknown): string | undefined {
  if (isObservable(output) || output instanceof SyncPromise) return undefined;
  if (isThenable(output)) return "a promise";
  return isAsyncIterable(output) ? "an async iterable" : undefined;
}

/** Names the part that returned a promise, which virtual time does not drive; remembers the first. */
export class PromiseGuard {
  first: Error | undefined;
  readonly #guarded = new WeakMap<Fn, Fn>();
  readonly #tools = new WeakMap<AnyAgentTool, AnyAgentTool>();

  /** The function, which throws instead of returning a promise. */
  call<F extends Fn>(name: string, fn: F): F {
    const known = this.#guarded.get(fn);
    if (known) return known as F;
    const guarded = ((...args: never[]) => this.output(name, fn(...args))) as F;
    this.#guarded.set(fn, guarded);
    this.#guarded.set(guarded, guarded);
    return guarded;
  }

  tool(tool: AnyAgentTool): AnyAgentTool {
    const known = this.#tools.get(tool);
    if (known) return known;
    const execute = this.call(`tool ${JSON.stringify(tool.name)}`, tool.execute.bind(tool) as Fn);
    const guarded = { ...tool, execute: execute as AnyAgentTool["execute"] };
    this.#tools.set(tool, guarded).set(guarded, guarded);
    return guarded;
  }

  /** Guards whatever hooks and tools an agent has by now. */
  agent(agent: object, tools: { tools: AnyAgentTool[] }): void {
    const hooks = agent as Record<string, Fn | undefined>;
    for (const name of HOOKS)
      if (hooks[name]) hooks[name] = this.call(`hook ${JSON.stringify(name)}`, hooks[name]);
    if (hooks.streamFunction) hooks.streamFunction = this.call("streamFn", hooks.streamFunction);
    const guarded = tools.tools.map((tool) => this.tool(tool));
    if (guarded.some((tool, index) => tool !== tools.tools[index])) tools.tools = guarded;
  }

  output<T>(name: string, output: T): T {
    const kind = kindOf(output);
    if (kind === undefined) return output;
    const error = new Error(`${name} returned ${kind}; in virtual time return a value or an observable`);
    this.first ??= error;
    if (isThenable(output)) output.then(undefined, () => {});
    throw error;
  }
}
