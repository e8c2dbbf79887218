import type { AssistantMessage } from "@earendil-works/pi-ai";
import {
  concat,
  concatMap,
  defer,
  EMPTY,
  from,
  ignoreElements,
  mergeMap,
  queueScheduler,
  subscribeOn,
  tap,
} from "rxjs";
import type { Observable, OperatorFunction } from "rxjs";
import { concatEach } from "../../internal/concatEach";
import { holdFailure } from "../../internal/holdFailure";
import { say } from "../../internal/say";
import { sayMessage } from "../../internal/sayMessage";
import type { ToolCallRequest } from "../../types/config";
import type { AgentEvent } from "../../types/event";
import type { AgentToolCall } from "../../types/messages";
import type { AgentToolCallOutcome } from "../../types/tool";
import { callEvent } from "./callEvent";
import { failedCall } from "./failedCall";
import { preflight } from "./preflight";
import { resultMessage } from "./resultMessage";
import { runCall } from "./runCall";
import type { ToolStageDeps } from "./ToolStageDeps";

/** A call of the batch on its way from source order to its outcome. */
interface Entry {
  toolCall: AgentToolCall;
  request?: ToolCallRequest;
  outcome?: AgentToolCallOutcome;
}

interface Batch {
  message: AssistantMessage;
  entries: Entry[];
  deps: ToolStageDeps;
}

// Each reads the outcome when its turn has come, not before.
const start = (entry: Entry, { deps }: Batch) => say(deps.gate, () => callEvent.start(entry.toolCall));
const end = (entry: Entry, { deps }: Batch) => say(deps.gate, () => callEvent.end(entry.outcome!));
const result = (entry: Entry, { deps }: Batch) =>
  defer(() => sayMessage(deps.gate, resultMessage(entry.outcome!)));

function prepare(entry: Entry, { message, deps }: Batch): Observable<never> {
  return preflight(entry.toolCall, message, deps).pipe(
    tap((flight) => Object.assign(entry, flight)),
    ignoreElements(),
  );
}

function run(entry: Entry, { deps }: Batch): Observable<AgentEvent> {
  if (!entry.request) return EMPTY;
  if (deps.control.signal.aborted) {
    entry.outcome = failedCall(entry.toolCall, "Operation aborted");
    return EMPTY;
  }
  return runCall(
    entry.request,
    deps,
    // Each by itself: a gate that fails on an update leaves the tool its grace.
    (update$) =>
      update$.pipe(mergeMap((update) => say(deps.gate, () => callEvent.update(entry.toolCall, update)))),
    (outcome) => (entry.outcome = outcome),
  );
}

// The output was cut off, so any argument may be: none of the calls is executed.
function truncated(batch: Batch): Observable<AgentEvent> {
  return from(batch.entries).pipe(
    concatEach((entry) => {
      const { name } = entry.toolCall;
      const text = `Tool call "${name}" was not executed: the response hit the output token limit, so its arguments may be truncated. Re-issue the tool call with complete arguments.`;
      entry.outcome = failedCall(entry.toolCall, text);
      return concat(start(entry, batch), end(entry, batch), result(entry, batch));
    }),
  );
}

function sequential(batch: Batch): Observable<AgentEvent> {
  return from(batch.entries).pipe(
    concatEach((entry) =>
      concat(
        start(entry, batch),
        prepare(entry, batch),
        defer(() => run(entry, batch)),
        end(entry, batch),
        result(entry, batch),
      ),
    ),
  );
}

function parallel(batch: Batch): Observable<AgentEvent> {
  const { entries, deps } = batch;
  const preflights$ = from(entries).pipe(
    concatEach((entry) =>
      concat(
        start(entry, batch),
        prepare(entry, batch),
        defer(() => (entry.outcome ? end(entry, batch) : EMPTY)),
      ),
    ),
  );
  const runs$ = defer(() => from(entries.filter((entry) => entry.request))).pipe(
    mergeMap(
      (entry) =>
        concat(
          defer(() => run(entry, batch)),
          end(entry, batch),
        ).pipe(subscribeOn(queueScheduler)), // flat for synchronous tools behind a limit, see concatEach
      deps.toolConcurrency,
    ),
  );
  const results$ = from(entries).pipe(concatEach((entry) => result(entry, batch)));
  return concat(preflights$, runs$, results$);
}

function isSequential({ entries, deps }: Batch): boolean {
  const tools = deps.context.tools ?? [];
  const byName = (name: string) => tools.find((tool) => tool.name === name);
  return (
    deps.toolExecution === "sequential" ||
    entries.some(({ toolCall }) => byName(toolCall.name)?.executionMode === "sequential")
  );
}

/**
 * Runs the tool calls of an assistant message, together (`mergeMap`) or one after another (`concatMap`), and tells of
 * them: executions, updates, result messages.
 *
 * @remarks Between `assistantEvents` and `endTurn`. Ends are told in the order in which tools end, result messages in source
 * order. Each call gets exactly one result. When the gate fails, the open calls are settled as after an abort; then the
 * failure passes on. A message without calls gives nothing, nor does one that ended as error or aborted.
 */
export function toolStage(deps: ToolStageDeps): OperatorFunction<AssistantMessage, AgentEvent> {
  return concatMap((message) => {
    const entries = message.content.flatMap((block): Entry[] =>
      block.type === "toolCall" ? [{ toolCall: block }] : [],
    );
    if (entries.length === 0 || message.stopReason === "error" || message.stopReason === "aborted")
      return EMPTY;
    const { gate, failure$ } = holdFailure(deps.gate, (error) => deps.control.abort(error));
    const batch: Batch = { message, entries, deps: { ...deps, gate } };
    const mode = message.stopReason === "length" ? truncated : isSequential(batch) ? sequential : parallel;
    return concat(mode(batch), failure$);
  });
}
