import type { AssistantMessage, AssistantMessageEvent, ToolResultMessage } from "@earendil-works/pi-ai";
import { steps, type Emit, type Steps } from "../internal/steps";
import { teller } from "../internal/teller";
import { assistantEvents } from "../stages/assistantEvents";
import { convertToLlm } from "../stages/convertToLlm";
import { endTurn } from "../stages/endTurn";
import { prepareRequest } from "../stages/prepareRequest";
import { streamResponse } from "../stages/streamResponse";
import { toolStage } from "../stages/tools/toolStage";
import type { ToolStageDeps } from "../stages/tools/ToolStageDeps";
import { transformContext } from "../stages/transformContext";
import type { AgentContext } from "../types/context";
import type { AgentEvent } from "../types/event";
import type { AgentTurnContext } from "../types/hooks";
import { append } from "./append";
import { commitPending } from "./commitPending";
import type { LoopRun, StageDeps } from "./loopRun";
import { stageDeps } from "./stageDeps";
import { takeFirstSteering } from "./takeFirstSteering";
import { updateRun } from "./updateRun";

function* prepare(run: LoopRun): Steps {
  const deps = stageDeps(run);
  const { context, model, thinkingLevel } = deps;
  if (run.control.signal.aborted || !deps.prepareRequest) return;
  const prepared = yield* prepareRequest(deps).run({ context, model, thinkingLevel });
  if (prepared) updateRun(run, prepared);
}

// Asks the model, unless an abort came first.
function* request(deps: StageDeps, emit: Emit<AssistantMessageEvent>): Steps<AssistantMessageEvent> {
  const { model, control } = deps;
  const { signal } = control;
  if (signal.aborted) return;
  const messages = yield* transformContext(deps).run(deps.context.messages);
  if (!messages || signal.aborted) return;
  const context = yield* convertToLlm(deps).run(messages);
  if (context) yield* streamResponse(deps).run({ model, context, options: { ...deps.options } }, emit);
}

function* runTools(
  run: LoopRun,
  deps: ToolStageDeps,
  message: AssistantMessage,
  toolResults: ToolResultMessage[],
  emit: Emit<AgentEvent>,
): Steps {
  let goesOn = false;
  yield* toolStage(deps).run(message, (event) => {
    if (event.type === "tool_execution_end" && event.result.terminate !== true) goesOn = true;
    if (event.type === "message_end") toolResults.push(event.message as ToolResultMessage);
    emit(event);
  });
  // The hooks of a batch see the transcript without its results.
  for (const result of toolResults) append(run, result);
  run.hasToolResults = goesOn;
}

function* commit(run: LoopRun, emit: Emit<AgentEvent>): Steps {
  if (run.turn === undefined) {
    yield* commitPending(run, run.prompts, true, emit);
    yield* takeFirstSteering(run);
  }
  if (!run.control.signal.aborted) yield* commitPending(run, run.announce(run.pending), false, emit);
}

/**
 * One turn: commit what is pending, ask the model, run its tools, end.
 *
 * @remarks A sequence of stages that each pass the gate: the next stage is subscribed when the last event of the one before
 * has passed. After an abort the rest of the turn makes no request and starts no tool, and the turn still ends.
 */
export function* turn(run: LoopRun, emit: Emit<AgentEvent>): Steps<AgentEvent> {
  const toolResults: ToolResultMessage[] = [];
  let answer: AssistantMessage | undefined;
  let failure: { error: unknown } | undefined;
  run.hasToolResults = false;
  run.decision = undefined;
  yield teller(run.gate, emit)({ type: "turn_start" });
  yield* commit(run, emit);
  yield* prepare(run);
  const deps = stageDeps(run);
  try {
    const response$ = steps<AssistantMessageEvent>((tell) => request(deps, tell));
    yield* assistantEvents(deps).run(response$, (event) => {
      if (event.type === "message_end") append(run, (answer = event.message as AssistantMessage));
      emit(event);
    });
  } catch (error) {
    // The calls of a message that was told are settled before the run fails.
    if (!answer) throw error;
    run.control.abort(error);
    failure = { error };
  }
  yield* runTools(run, deps, answer!, toolResults, emit);
  if (failure) throw failure.error;
  const ended: AgentTurnContext = {
    message: answer!,
    toolResults,
    context: run.context as AgentContext,
    newMessages: run.newMessages,
  };
  run.turn = ended;
  yield; // who left at the last event leaves before the hook
  yield* endTurn(deps).run(ended, emit);
}
