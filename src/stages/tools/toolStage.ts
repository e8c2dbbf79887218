import type { AssistantMessage } from "@earendil-works/pi-ai";
import { bufferCount, from, identity, mergeMap, queueScheduler, subscribeOn } from "rxjs";
import { stage, type EventStage } from "../../internal/stage";
import { steps, type Emit, type Steps } from "../../internal/steps";
import { teller, type Tell } from "../../internal/teller";
import { tellMessage } from "../../internal/tellMessage";
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
  request: ToolCallRequest | undefined;
  outcome: AgentToolCallOutcome | undefined;
}

interface Batch {
  message: AssistantMessage;
  entries: Entry[];
  deps: ToolStageDeps;
  tell: Tell;
}

const start = ({ toolCall }: Entry, { tell }: Batch) => tell(callEvent.start(toolCall));
const end = ({ outcome }: Entry, { tell }: Batch) => tell(callEvent.end(outcome!));
const result = ({ outcome }: Entry, { tell }: Batch) => tellMessage(tell, resultMessage(outcome!));

function* prepare(entry: Entry, { message, deps }: Batch): Steps {
  const flight = yield* preflight(entry.toolCall, message, deps);
  if ("request" in flight) entry.request = flight.request;
  else entry.outcome = flight.outcome;
}

function* run(entry: Entry, batch: Batch): Steps {
  const { deps, tell } = batch;
  const { toolCall, request } = entry;
  if (request)
    entry.outcome = deps.control.signal.aborted
      ? failedCall(toolCall, "Operation aborted")
      : yield* runCall(request, deps, (update) => tell(callEvent.update(toolCall, update)));
  const told$ = end(entry, batch);
  if (told$) yield told$;
}

// The output was cut off, so any argument may be: none of the calls is executed.
function* truncated(batch: Batch): Steps {
  for (const entry of batch.entries) {
    const { name } = entry.toolCall;
    const text = `Tool call "${name}" was not executed: the response hit the output token limit, so its arguments may be truncated. Re-issue the tool call with complete arguments.`;
    entry.outcome = failedCall(entry.toolCall, text);
    yield start(entry, batch);
    yield end(entry, batch);
    yield* result(entry, batch);
  }
}

function* sequential(batch: Batch): Steps {
  for (const entry of batch.entries) {
    yield start(entry, batch);
    yield* prepare(entry, batch);
    yield* run(entry, batch);
    yield* result(entry, batch);
  }
}

function* parallel(batch: Batch): Steps {
  const { entries, deps } = batch;
  for (const entry of entries) {
    const told$ = start(entry, batch);
    if (told$) yield told$;
    yield* prepare(entry, batch);
    if (entry.outcome) yield end(entry, batch);
  }
  const { toolConcurrency } = deps;
  const runAll = mergeMap(
    (entry: Entry) =>
      steps(() => run(entry, batch)).pipe(toolConcurrency ? subscribeOn(queueScheduler) : identity), // flat for synchronous tools behind a limit
    toolConcurrency,
  );
  // In groups, since mergeMap looks through all that run to let one go.
  yield from(entries.filter((entry) => entry.request)).pipe(
    bufferCount(toolConcurrency ? Infinity : 100),
    mergeMap((group) => from(group).pipe(runAll)),
  );
  for (const entry of entries) yield* result(entry, batch);
}

function isSequential({ entries, deps }: Batch): boolean {
  const tools = deps.context.tools ?? [];
  const byName = (name: string) => tools.find((tool) => tool.name === name);
  return (
    entries.length === 1 ||
    deps.toolExecution === "sequential" ||
    entries.some(({ toolCall }) => byName(toolCall.name)?.executionMode === "sequential")
  );
}

function* runCalls(message: AssistantMessage, deps: ToolStageDeps, emit: Emit<AgentEvent>): Steps {
  const entries = message.content.flatMap((block): Entry[] =>
    block.type === "toolCall" ? [{ toolCall: block, request: undefined, outcome: undefined }] : [],
  );
  if (entries.length === 0 || message.stopReason === "error" || message.stopReason === "aborted") return;
  const failures: unknown[] = [];
  // Held back, so that the calls that were begun are brought to their end.
  const hold = (error: unknown) => {
    failures.push(error);
    deps.control.abort(error);
  };
  const batch: Batch = { message, entries, deps, tell: teller(deps.gate, emit, hold) };
  const mode = message.stopReason === "length" ? truncated : isSequential(batch) ? sequential : parallel;
  yield* mode(batch);
  if (failures.length > 0) throw failures[0];
}

/**
 * Runs the tool calls of an assistant message, together (`mergeMap`) or one after another, and tells of them: executions,
 * updates, result messages.
 *
 * @remarks Between `assistantEvents` and `endTurn`. Ends are told in the order in which tools end, result messages in source
 * order. Each call gets exactly one result. When the gate fails, the open calls are settled as after an abort; then the
 * failure passes on. A message without calls gives nothing, nor does one that ended as error or aborted.
 */
export function toolStage(deps: ToolStageDeps): EventStage<AssistantMessage, AgentEvent> {
  return stage<EventStage<AssistantMessage, AgentEvent>>((message, emit) => runCalls(message, deps, emit));
}
