import { defer, EMPTY, from, isObservable, Observable, of, Subscriber } from "rxjs";
import { errorText } from "../../internal/errorText";
import { expected } from "../../internal/expected";
import { fromStream } from "../../internal/fromStream";
import { isAsyncIterable } from "../../internal/isAsyncIterable";
import { isObject } from "../../internal/isObject";
import { isThenable } from "../../internal/isThenable";
import type { Step } from "../../internal/steps";
import { whenSettled } from "../../internal/whenSettled";
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

/** Takes what a tool gives. */
interface Sink {
  /** Subscribed to it, unless it is a promise. */
  tool: Subscriber<unknown>;
  update: Update;
  /** Its values are updates. */
  onStream: () => void;
  succeed: (result: unknown) => void;
  fail: (error: unknown) => void;
}

function begin(request: ToolCallRequest, { control, operators, gate }: ToolStageDeps, sink: Sink): void {
  const { tool, toolCall } = request;
  // Resubscribed by an operator after an abort: nothing starts any more. The arguments are read now, since one may edit them.
  const run = (signal: AbortSignal) =>
    signal.aborted ? EMPTY : tool.execute(toolCall.id, request.args, signal, sink.update);
  const observed = (output: ReturnType<typeof run>): Observable<AnyToolResult> => {
    if (isThenable(output)) return from(output);
    if (!isObservable(output) && !isAsyncIterable(output)) return of(output);
    sink.onStream();
    return isObservable(output) ? output : fromStream(output, { gate });
  };
  if (operators?.toolCall) {
    // An operator may let go of a tool that the run still waits for, so each execution has a signal of its own.
    const tool$ = withSignal(({ signal }) => defer(() => observed(run(signal))), control);
    tool$.pipe(operators.toolCall(request)).subscribe(sink.tool);
    return;
  }
  const output = run(control.signal);
  // Most tools give a promise, and need no observable.
  if (isThenable(output)) whenSettled(output, sink.succeed, sink.fail);
  else observed(output).subscribe(sink.tool);
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
  const { control } = deps;
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
    const succeed = (result: unknown) => {
      if (isObject(result)) return end(result as unknown as AnyToolResult, result.isError === true);
      if (result === undefined && control.signal.aborted) return fail("Operation aborted");
      fail(
        expected(`tool ${JSON.stringify(request.toolCall.name)}`, "a result { content, details }", result),
      );
    };
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
      complete: () => succeed(last),
    });
    const onStream = () => (streams = true);
    subscriber.add(tool);
    try {
      begin(request, deps, { tool, update, onStream, succeed, fail });
    } catch (error) {
      fail(error);
    }
    if (!ended) subscriber.add(control.onDeadline(() => end(errorResult("Operation aborted"), true, true)));
  });
}
