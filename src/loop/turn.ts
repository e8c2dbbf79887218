import type {
  AssistantMessage,
  AssistantMessageEvent,
  SimpleStreamOptions,
  ToolResultMessage,
} from "@earendil-works/pi-ai";
import { mergeClientIdentity } from "@earendil-works/pi-ai";
import { tap } from "rxjs";
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
import type { AgentTurnContext, ModelRequest } from "../types/hooks";
import type { AgentMessage, ThinkingLevel } from "../types/messages";
import { commitPending } from "./commitPending";
import { DEFAULT_AGENT_IDENTITY } from "./DEFAULT_AGENT_IDENTITY";
import type { LoopRun } from "./loopRun";
import { takeFirstSteering } from "./takeFirstSteering";
import { updateRun } from "./updateRun";

// What the stages of a turn take, by the configuration as it is now.
function depsOf(run: LoopRun) {
  const context = run.context as AgentContext;
  const thinkingLevel: ThinkingLevel = run.config.reasoning ?? "off";
  const onDecision = (decision: LoopRun["decision"]) => (run.decision = decision);
  return { ...run.config, ...run, context, thinkingLevel, onDecision };
}

function append(run: LoopRun, message: AgentMessage): void {
  run.context.messages.push(message);
  run.newMessages.push(message);
}

function* prepare(run: LoopRun): Steps {
  const { control, config } = run;
  if (control.signal.aborted || !config.prepareRequest) return;
  const { context, model, thinkingLevel, ...deps } = depsOf(run);
  const prepared = yield* prepareRequest(deps).run({ context, model, thinkingLevel });
  if (prepared) updateRun(run, prepared);
}

function modelRequest({ config, control }: LoopRun, context: ModelRequest["context"]): ModelRequest {
  const identity = mergeClientIdentity(DEFAULT_AGENT_IDENTITY, config.identity);
  const options: SimpleStreamOptions = { ...config, identity, signal: control.signal };
  return { model: config.model, context, options };
}

// Asks the model, unless an abort came first.
function* request(
  run: LoopRun,
  deps: ReturnType<typeof depsOf>,
  emit: Emit<AssistantMessageEvent>,
): Steps<AssistantMessageEvent> {
  const { signal } = run.control;
  if (signal.aborted) return;
  const messages = yield* transformContext(deps).run(run.context.messages);
  if (!messages || signal.aborted) return;
  const context = yield* convertToLlm(deps).run(messages);
  if (context) yield* streamResponse(deps).run(modelRequest(run, context), emit);
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
  const deps = depsOf(run);
  try {
    yield steps<AssistantMessageEvent>((tell) => request(run, deps, tell)).pipe(
      assistantEvents(deps),
      tap((event) => {
        if (event.type === "message_end") append(run, (answer = event.message as AssistantMessage));
      }),
    );
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
  yield* endTurn(deps).run(ended, emit);
}
