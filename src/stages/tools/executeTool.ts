import { defer, EMPTY, from, isObservable, Observable, of } from "rxjs";
import { errorText } from "../../internal/errorText";
import { expected } from "../../internal/expected";
import { fromStream } from "../../internal/fromStream";
import { isAsyncIterable } from "../../internal/isAsyncIterable";
import { isObject } from "../../internal/isObject";
import { isThenable } from "../../internal/isThenable";
import { withSignal } from "../../internal/withSignal";
import type { ToolCallRequest } from "../../types/config";
import type { AnyToolResult } from "../../types/tool";
import { errorResult } from "./errorResult";
import type { ToolStageDeps } from "./ToolStageDeps";

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

function outputs(
  { tool, toolCall, args }: ToolCallRequest,
  deps: ToolStageDeps,
  signal: AbortSignal,
  update: Update,
  onStream: () => void,
) {
  return defer((): Observable<AnyToolResult> => {
    // Resubscribed by an operator after an abort: nothing starts any more.
    if (signal.aborted) return EMPTY;
    const output = tool.execute(toolCall.id, args, signal, update);
    if (isThenable(output)) return from(output);
    if (!isObservable(output) && !isAsyncIterable(output)) return of(output);
    onStream();
    return isObservable(output) ? output : fromStream(output, deps.gate);
  });
}

function checked(name: string, result: unknown): AnyToolResult {
  if (isObject(result)) return result as unknown as AnyToolResult;
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
    const run = (signal: AbortSignal) => outputs(request, deps, signal, update, () => (streams = true));
    // An operator may let go of a tool that the run still waits for, so each execution has a signal of its own.
    const running$ = operators?.toolCall
      ? defer(() => withSignal((own) => run(own.signal), control).pipe(operators.toolCall!(request)))
      : run(control.signal);
    subscriber.add(
      running$.subscribe({
        next: (value) => {
          last = value;
          if (streams && isObject(value)) update(value);
        },
        error: fail,
        complete: () => {
          if (last === undefined && control.signal.aborted) return fail(new Error("Operation aborted"));
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
