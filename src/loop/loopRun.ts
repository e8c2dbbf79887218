import type { Api, Model, SimpleStreamOptions } from "@earendil-works/pi-ai";
import { toolAnnouncer } from "../internal/toolAnnouncer";
import type { QueuedMessages } from "../internal/takeQueued";
import type { ConvertToLlmDeps } from "../stages/convertToLlm";
import type { EndTurnDeps } from "../stages/endTurn";
import type { PrepareRequestDeps } from "../stages/prepareRequest";
import type { ScheduleDeps } from "../stages/schedule";
import type { StreamResponseDeps } from "../stages/streamResponse";
import type { ToolStageDeps } from "../stages/tools/ToolStageDeps";
import type { TransformContextDeps } from "../stages/transformContext";
import type { ReactiveLoopConfig } from "../types/config";
import type { AgentContext, AgentContextInit } from "../types/context";
import type { Gate, RunControl } from "../types/gate";
import type { AgentTurnContext, AgentTurnDecision, ReactiveStreamFn } from "../types/hooks";
import type { AgentMessage, ThinkingLevel } from "../types/messages";

/** What a run starts from. */
export interface LoopInput {
  /** Messages to begin with; absent, the run goes on from the context as it is. */
  prompts?: AgentMessage[];
  /** The queue that the prompts were taken from. */
  promptsFrom?: QueuedMessages["queue"];
  context: AgentContextInit;
  config: ReactiveLoopConfig;
  streamFn: ReactiveStreamFn;
  gate: Gate;
  control: RunControl;
}

/** What the stages take. */
export interface StageDeps
  extends
    PrepareRequestDeps,
    TransformContextDeps,
    ConvertToLlmDeps,
    StreamResponseDeps,
    ToolStageDeps,
    EndTurnDeps,
    ScheduleDeps {
  gate: Gate;
  control: RunControl;
  context: AgentContext;
  model: Model<Api>;
  thinkingLevel: ThinkingLevel;
  /** The options of a request. */
  options: SimpleStreamOptions;
}

/** One run between its start and its end: what its turns hand on to each other. */
export interface LoopRun extends Omit<LoopInput, "prompts" | "promptsFrom"> {
  /** Announces the tools in messages that are to be committed. */
  announce: (messages: AgentMessage[]) => AgentMessage[];
  /** Added by this run. */
  newMessages: AgentMessage[];
  /** What the first turn begins with. */
  prompts: AgentMessage[];
  /** What the next turn begins with, before the tools are announced. */
  pending: AgentMessage[];
  /** Left a queue and not in the transcript yet. */
  taken: QueuedMessages | undefined;
  /** The last turn that ended, with what `finishTurn` decided. */
  turn: AgentTurnContext | undefined;
  decision: AgentTurnDecision | undefined;
  hasToolResults: boolean;
  /** Made by `stageDeps`. */
  deps: StageDeps | undefined;
}

/** Makes the run of an input. The transcript is copied when prompts are to be added to it. */
export function loopRun(input: LoopInput): LoopRun {
  const { prompts, promptsFrom, config, streamFn, gate, control } = input;
  const context = { ...input.context };
  if (prompts) context.messages = [...context.messages];
  // Made whole: a field that is added later costs a shape.
  const run: LoopRun = {
    context,
    config,
    streamFn,
    gate,
    control,
    announce: toolAnnouncer(() => run.context),
    newMessages: [],
    prompts: [],
    pending: [],
    hasToolResults: false,
    taken: prompts && promptsFrom && { queue: promptsFrom, messages: prompts },
    turn: undefined,
    decision: undefined,
    deps: undefined,
  };
  if (prompts) run.prompts = run.announce(prompts);
  return run;
}
