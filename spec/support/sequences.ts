import { Observable } from "rxjs";
import { steps, type Emit, type Step, type Steps } from "../../src/internal/steps";
import { executeTool, type ExecutedTool } from "../../src/stages/tools/executeTool";
import type { AnyToolResult, ToolCallRequest, ToolStageDeps } from "pi-agent-rx";

/** What a sequence comes to, as an observable; nothing for `undefined`. */
export function resultOf<R>(sequence: () => Steps<never, R>): Observable<NonNullable<R>> {
  return steps<NonNullable<R>>(function* (emit) {
    const result = yield* sequence();
    if (result !== undefined && result !== null) emit(result);
  });
}

/** What one step tells, as an observable. */
export function toldBy<T>(step: (emit: Emit<T>) => Step): Observable<T> {
  return steps<T>(function* (emit) {
    yield step(emit);
  });
}

/** A running tool's updates, then how it ended. */
export type ToolProgress = { update: AnyToolResult } | { executed: ExecutedTool };

/** Executes a call; tells its progress. */
export function progressOf(request: ToolCallRequest, deps: ToolStageDeps): Observable<ToolProgress> {
  return new Observable((subscriber) => {
    const update = (partial: AnyToolResult) => void subscriber.next({ update: partial });
    const end = (executed: ExecutedTool) => subscriber.next({ executed });
    return executeTool(request, deps, update, end).subscribe(subscriber);
  });
}
