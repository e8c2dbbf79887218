import type { AssistantMessage, SimpleStreamOptions, ToolResultMessage } from "@earendil-works/pi-ai";
import { mergeClientIdentity } from "@earendil-works/pi-ai";
import {
  catchError,
  concat,
  defer,
  EMPTY,
  ignoreElements,
  map,
  of,
  tap,
  throwError,
  type Observable,
} from "rxjs";
import { endedByAbort } from "../internal/endedByAbort";
import { say } from "../internal/say";
import { unlessAborted } from "../internal/unlessAborted";
import { untilDeadline } from "../internal/untilDeadline";
import { assistantEvents } from "../stages/assistantEvents";
import { convertToLlm } from "../stages/convertToLlm";
import { endTurn } from "../stages/endTurn";
import { prepareRequest } from "../stages/prepareRequest";
import { streamResponse } from "../stages/streamResponse";
import { toolStage } from "../stages/tools/toolStage";
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

const thinkingLevel = ({ config }: LoopRun): ThinkingLevel => config.reasoning ?? "off";

function append(run: LoopRun, message: AgentMessage): void {
  run.context.messages.push(message);
  run.newMessages.push(message);
}

function prepare(run: LoopRun): Observable<never> {
  const { control, config } = run;
  if (control.signal.aborted) return EMPTY;
  const context = run.context as AgentContext;
  return of({ context, model: config.model, thinkingLevel: thinkingLevel(run) }).pipe(
    prepareRequest({ control, prepareRequest: config.prepareRequest }),
    tap((request) => config.prepareRequest && updateRun(run, request)),
    untilDeadline(control),
    endedByAbort(control),
    ignoreElements(),
  );
}

function modelRequest({ config, control }: LoopRun, context: ModelRequest["context"]): ModelRequest {
  const identity = mergeClientIdentity(DEFAULT_AGENT_IDENTITY, config.identity);
  const options: SimpleStreamOptions = { ...config, identity, signal: control.signal };
  return { model: config.model, context, options };
}

function respond(run: LoopRun, onMessage: (message: AssistantMessage) => void): Observable<AgentEvent> {
  const { config, control, gate, streamFn } = run;
  return of(run.context.messages).pipe(
    unlessAborted(control),
    transformContext({ ...config, control }),
    unlessAborted(control),
    convertToLlm(config),
    map((context) => modelRequest(run, context)),
    streamResponse({ ...config, streamFn, control, gate }),
    assistantEvents({ gate, control, model: config.model, thinkingLevel: thinkingLevel(run) }),
    tap((event) => {
      if (event.type === "message_end") onMessage(event.message as AssistantMessage);
    }),
  );
}

function runTools(
  run: LoopRun,
  message: AssistantMessage,
  toolResults: ToolResultMessage[],
): Observable<AgentEvent> {
  const { config, context } = run;
  let goesOn = false;
  const events$ = of(message).pipe(
    toolStage({ ...config, control: run.control, gate: run.gate, context }),
    tap((event) => {
      if (event.type === "tool_execution_end" && event.result.terminate !== true) goesOn = true;
      if (event.type === "message_end") toolResults.push(event.message as ToolResultMessage);
    }),
  );
  // The hooks of a batch see the transcript without its results.
  const settled$ = defer(() => {
    for (const result of toolResults) append(run, result);
    run.hasToolResults = goesOn;
    return EMPTY;
  });
  return concat(events$, settled$);
}

/**
 * One turn: commit what is pending, ask the model, run its tools, end.
 *
 * @remarks A concatenation of stages that each pass the gate: the next stage is subscribed when the last event of the one
 * before has passed. After an abort the rest of the turn makes no request and starts no tool, and the turn still ends.
 */
export function turn(run: LoopRun): Observable<AgentEvent> {
  const first = run.turn === undefined;
  const toolResults: ToolResultMessage[] = [];
  let answer: AssistantMessage | undefined;
  let failure$: Observable<never> = EMPTY;
  run.hasToolResults = false;
  run.decision = undefined;
  return concat(
    say(run.gate, () => ({ type: "turn_start" })),
    first ? concat(commitPending(run, run.prompts, true), takeFirstSteering(run)) : EMPTY,
    defer(() => (run.control.signal.aborted ? EMPTY : commitPending(run, run.announce(run.pending), false))),
    defer(() => prepare(run)),
    defer(() =>
      respond(run, (message) => {
        answer = message;
        append(run, message);
      }),
    ).pipe(
      // The calls of a message that was told are settled before the run fails.
      catchError((error: unknown) => {
        if (!answer) throw error;
        run.control.abort(error);
        failure$ = throwError(() => error);
        return EMPTY;
      }),
    ),
    defer(() => runTools(run, answer!, toolResults)),
    defer(() => failure$),
    defer(() => {
      const context = run.context as AgentContext;
      const ended: AgentTurnContext = {
        message: answer!,
        toolResults,
        context,
        newMessages: run.newMessages,
      };
      run.turn = ended;
      return of(ended).pipe(
        endTurn({
          gate: run.gate,
          control: run.control,
          finishTurn: run.config.finishTurn,
          onDecision: (decision) => (run.decision = decision),
        }),
      );
    }),
  );
}
