import type { AgentLoopConfig } from "../types/config";
import type { AgentContextInit } from "../types/context";
import type { Gate, RunControl } from "../types/gate";
import type { AgentTurnContext, AgentTurnDecision, ReactiveStreamFn } from "../types/hooks";
import type { AgentMessage } from "../types/messages";
import type { QueuedMessages } from "../stages/schedule";
import { announceTools } from "../stages/announceTools";

/** What a run starts from. */
export interface LoopInput {
  /** Messages to begin with; absent, the run goes on from the context as it is. */
  prompts?: AgentMessage[];
  /** The queue that the prompts were taken from. */
  promptsFrom?: QueuedMessages["queue"];
  context: AgentContextInit;
  config: AgentLoopConfig;
  streamFn: ReactiveStreamFn;
  gate: Gate;
  control: RunControl;
}

/** One run between its start and its end: what its turns hand on to each other. */
export interface LoopRun extends Omit<LoopInput, "prompts" | "promptsFrom"> {
  /** Added by this run. */
  newMessages: AgentMessage[];
  /** To be committed at the start of the next turn; the last of them may have left a queue. */
  pending: AgentMessage[];
  /** Left a queue and not in the transcript yet. */
  taken?: QueuedMessages;
  announce: ReturnType<typeof announceTools>;
  /** The last turn that ended, with what `finishTurn` decided. */
  turn?: AgentTurnContext;
  decision?: AgentTurnDecision;
  hasToolResults: boolean;
}

/** Makes the run of an input. The transcript is copied when prompts are to be added to it. */
export function loopRun(input: LoopInput): LoopRun {
  const { prompts, promptsFrom, ...rest } = input;
  const context = { ...input.context };
  if (prompts) context.messages = [...context.messages];
  const run: LoopRun = {
    ...rest,
    context,
    newMessages: [],
    pending: prompts ?? [],
    announce: announceTools({ context: () => run.context }),
    hasToolResults: false,
  };
  if (prompts && promptsFrom) run.taken = { queue: promptsFrom, messages: prompts };
  return run;
}
