import { asyncScheduler, defer, of, tap } from "rxjs";
import { check } from "../internal/check";
import { expected } from "../internal/expected";
import type { ToolCallRequest } from "../types/config";
import type { AnyToolResult } from "../types/tool";
import { callKey } from "./callKey";
import type { ToolCallPolicy } from "./ToolCallPolicy";

/** What {@link memoizeTool} keeps. */
export interface MemoizeToolOptions {
  /** Calls with the same key have the same result; `undefined` for one that is always run. @defaultValue tool and arguments */
  key?: (call: ToolCallRequest) => string | undefined;
  /** How long a result holds, in ms. @defaultValue for ever */
  maxAge?: number;
  /** Most results kept; the oldest go first. @defaultValue 1000 */
  maxSize?: number;
}

/**
 * Gives the result that the same call had before, instead of running the tool again.
 *
 * @remarks For `operators.toolCall`. Failures are not kept. A kept result reports no usage, since none was made. Calls that
 * run at the same time are each run.
 * @example
 * ```ts
 * const key = ({ tool, args }: ToolCallRequest) => (tool.name === "read" ? JSON.stringify(args) : undefined);
 * const thrifty = new Agent({ initialState: { model }, streamFn, operators: { toolCall: memoizeTool({ key }) } });
 * await thrifty.prompt("Hello");
 * ```
 */
export function memoizeTool(options: MemoizeToolOptions = {}): ToolCallPolicy {
  const { key = ({ tool, args }) => callKey(tool.name, args), maxAge = Infinity, maxSize = 1000 } = options;
  check.limit("maxSize", maxSize);
  if (!(maxAge >= 0)) throw expected("maxAge", "a number of ms", maxAge);
  const kept = new Map<string, { result: AnyToolResult; at: number }>();
  const keep = (name: string, last: AnyToolResult | undefined) => {
    if (!last || last.isError) return;
    const result = { ...last };
    delete result.usage;
    kept.delete(name);
    kept.set(name, { result, at: asyncScheduler.now() });
    for (const oldest of kept.keys()) {
      if (kept.size <= maxSize) break;
      kept.delete(oldest);
    }
  };
  return (call) => (result$) =>
    defer(() => {
      const name = key(call);
      if (name === undefined) return result$;
      const known = kept.get(name);
      if (known && asyncScheduler.now() - known.at <= maxAge) return of(known.result);
      let last: AnyToolResult | undefined;
      return result$.pipe(tap({ next: (value) => (last = value), complete: () => keep(name, last) }));
    });
}
