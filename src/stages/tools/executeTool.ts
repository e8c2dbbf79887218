import { defer, from, isObservable, Observable, of, tap } from "rxjs";
import { errorText } from "../../internal/errorText";
import { expected } from "../../internal/expected";
import { fromStream } from "../../internal/fromStream";
import { isAsyncIterable } from "../../internal/isAsyncIterable";
import { isThenable } from "../../internal/isThenable";
import type { ToolCallRequest } from "../../types/config";
import type { AnyToolResult } from "../../types/tool";
import { errorResult } from "./errorResult";
import type { ToolStageDeps } from "./toolDeps";

/** How the execution of a tool ended, before `afterToolCall`. */
export interface ExecutedTool {
  result: AnyToolResult;
  isError: boolean;
  durationMs: number;
  /** The grace after an abort was over before the tool had ended. */
  abandoned?: boolean;
}

/** A running tool's updates, then how it ended. */
export type ToolProgress = { update: AnyToolResult } | { executed: ExecutedTool };

type Update = (partial: AnyToolResult) => void;

function outputs(request: ToolCallRequest, deps: ToolStageDeps, update: Update, onStream: () => void) {
  const { tool, toolCall, args } = request;
  return defer((): Observable<AnyToolResult> => {
    // Resubscribed by an operator after an abort: nothing starts any more.
    if (deps.control.signal.aborted)
      return of(errorResult("Operation aborted")).pipe(tap((result) => (result.isError = true)));
    const output = tool.execute(toolCall.id, args, deps.control.signal, update);
    if (isThenable(output)) return from(output);
    if (isObservable(output) || isAsyncIterable(output)) onStream();
    if (isObservable(output)) return output as Observable<AnyToolResult>;
    return isAsyncIterable(output)
      ? fromStream(output as AsyncIterable<AnyToolResult>, deps.gate)
      : of(output as AnyToolResult);
  });
}

function checked(name: string, result: unknown): AnyToolResult {
  if (typeof result === "object" && result !== null) return result as AnyToolResult;
  throw expected(`tool ${JSON.stringify(name)}`, "a result { content, details }", result);
}

/**
 * Runs an allowed call: its updates, then exactly one end, whatever the tool does.
 *
 * @remarks After preflight, before `afterToolCall`. Each value of an observable or async iterable is an update and the last
 * is the result. After an abort the tool has the grace to end by itself. Never fails; updates after the end reach nothing.
 */
export function executeTool(request: ToolCallRequest, deps: ToolStageDeps): Observable<ToolProgress> {
  const { control, operators } = deps;
  const { toolCall } = request;
  return new Observable<ToolProgress>((subscriber) => {
    const startedAt = performance.now();
    let streams = false;
    let last: unknown;
    const end = (result: AnyToolResult, isError: boolean, abandoned?: boolean) => {
      const durationMs = Math.round(performance.now() - startedAt);
      subscriber.next({ executed: { result, isError, durationMs, abandoned } });
      subscriber.complete();
    };
    const fail = (error: unknown) => end(errorResult(errorText(error)), true);
    const update: Update = (partial) => subscriber.next({ update: partial });
    const output$ = outputs(request, deps, update, () => (streams = true));
    const running$ = defer(() => (operators?.toolCall ? output$.pipe(operators.toolCall(request)) : output$));
    subscriber.add(
      running$.subscribe({
        next: (value) => {
          last = value;
          if (streams && typeof value === "object") update(value);
        },
        error: fail,
        complete: () => {
          try {
            const result = checked(toolCall.name, last);
            end(result, result.isError === true);
          } catch (error) {
            fail(error);
          }
        },
      }),
    );
    if (subscriber.closed) return;
    subscriber.add(control.deadline$.subscribe(() => end(errorResult("Operation aborted"), true, true)));
  });
}
