import { defer, EMPTY, from, isObservable, Observable, of, Subscriber } from "rxjs";
import { errorText } from "../../internal/errorText";
import { expected } from "../../internal/expected";
import { fromStream } from "../../internal/fromStream";
import { isAsyncIterable } from "../../internal/isAsyncIterable";
import { isObject } from "../../internal/isObject";
import { isThenable } from "../../internal/isThenable";
import type { Step } from "../../internal/steps";
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

type Update = (partial: AnyToolResult) => void;

function outputs(
  { tool, toolCall, args }: ToolCallRequest,
  deps: ToolStageDeps,
  signal: AbortSignal,
  update: Update,
  onStream: () => void,
): Observable<AnyToolResult> {
  // Resubscribed by an operator after an abort: nothing starts any more.
  if (signal.aborted) return EMPTY;
  const output = tool.execute(toolCall.id, args, signal, update);
  if (isThenable(output)) return from(output);
  if (!isObservable(output) && !isAsyncIterable(output)) return of(output);
  onStream();
  return isObservable(output) ? output : fromStream(output, { gate: deps.gate });
}

/**
 * Runs an allowed call: its updates, then exactly one end, whatever the tool does; completes when all of it has passed.
 *
 * @remarks After preflight, before `afterToolCall`. Each value of an observable or async iterable is an update and the last
 * is the result. After an abort the tool has the grace to end by itself. Updates after the end reach nothing.
 */
export function executeTool(
  request: ToolCallRequest,
  deps: ToolStageDeps,
  tellUpdate: (update: AnyToolResult) => Step,
  onEnd: (ended: ExecutedTool) => void,
): Observable<never> {
  const { control, operators } = deps;
  return new Observable<never>((subscriber) => {
    const startedAt = performance.now();
    let streams = false;
    let ended = false;
    let open = 1; // the tool itself, and each update that waits
    let last: unknown;
    const close = () => {
      if (--open === 0) subscriber.complete();
    };
    const update: Update = (partial) => {
      const told$ = ended ? undefined : tellUpdate(partial);
      if (!told$) return;
      open++;
      const error = (cause: unknown) => subscriber.error(cause);
      subscriber.add(told$.subscribe({ error, complete: close }));
    };
    const end = (result: AnyToolResult, isError: boolean, abandoned?: boolean) => {
      if (ended) return;
      ended = true;
      tool.unsubscribe();
      onEnd({ result, isError, durationMs: Math.round(performance.now() - startedAt), abandoned });
      close();
    };
    const fail = (error: unknown) => end(errorResult(errorText(error)), true);
    const tool = new Subscriber<unknown>({
      next: (value) => {
        last = value;
        try {
          if (streams && isObject(value)) update(value as unknown as AnyToolResult);
        } catch (error) {
          fail(error);
        }
      },
      error: fail,
      complete: () => {
        if (last === undefined && control.signal.aborted) return fail("Operation aborted");
        if (isObject(last)) return end(last as unknown as AnyToolResult, last.isError === true);
        const name = `tool ${JSON.stringify(request.toolCall.name)}`;
        fail(expected(name, "a result { content, details }", last));
      },
    });
    const run = (signal: AbortSignal) =>
      defer(() => outputs(request, deps, signal, update, () => (streams = true)));
    subscriber.add(tool);
    // An operator may let go of a tool that the run still waits for, so each execution has a signal of its own.
    defer(() =>
      operators?.toolCall
        ? withSignal((own) => run(own.signal), control).pipe(operators.toolCall(request))
        : run(control.signal),
    ).subscribe(tool);
    if (!ended)
      subscriber.add(control.deadline$.subscribe(() => end(errorResult("Operation aborted"), true, true)));
  });
}
