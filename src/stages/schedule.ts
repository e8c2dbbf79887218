import { ask } from "../internal/ask";
import { stage, type ValueStage } from "../internal/stage";
import type { Steps } from "../internal/steps";
import { takeQueued, type QueuedMessages, type TakeQueuedDeps } from "../internal/takeQueued";
import type { ReactiveLoopConfig } from "../types/config";
import type { ReactiveTurnUpdate, AgentTurnContext, AgentTurnDecision } from "../types/hooks";

/** What {@link schedule} needs. */
export interface ScheduleDeps extends TakeQueuedDeps, Pick<ReactiveLoopConfig, "prepareNextTurn"> {}

/** A turn that has ended, and what it left to do. */
export interface EndedTurn {
  turn: AgentTurnContext;
  /** There are tool results that the model has not seen. */
  hasToolResults: boolean;
  decision?: AgentTurnDecision;
}

/** What the next turn starts with. */
export interface NextTurn {
  update?: ReactiveTurnUpdate;
  queued: QueuedMessages;
}

function* decide(
  { turn, hasToolResults, decision }: EndedTurn,
  deps: ScheduleDeps,
): Steps<never, NextTurn | void> {
  const { control, prepareNextTurn } = deps;
  const left = () => control.signal.aborted;
  const { stopReason } = turn.message;
  if (stopReason === "error" || stopReason === "aborted" || decision?.action === "end" || left()) return;
  let queued = yield* takeQueued(deps, "steering");
  if (left()) return;
  if (!hasToolResults && queued.messages.length === 0) {
    queued = yield* takeQueued(deps, "followUp");
    if (left() || (queued.messages.length === 0 && decision?.action !== "continue")) return;
  }
  let update: NextTurn["update"];
  if (prepareNextTurn) {
    const take = (prepared: ReactiveTurnUpdate | undefined | void) => (update = prepared ?? undefined);
    yield* ask("prepareNextTurn", () => prepareNextTurn(turn), take, control);
    if (left()) return;
  }
  if (queued.messages.length === 0) queued = yield* takeQueued(deps, "steering");
  if (!left()) return { update, queued };
}

/**
 * Decides whether another turn follows: emits what it starts with, or completes empty.
 *
 * @remarks After `turn_end`. Steering first; follow-ups only when nothing else asks for a turn; then `prepareNextTurn`, and
 * steering once more if none was taken. Error and aborted responses, an `end` decision and an abort take nothing.
 */
export function schedule(deps: ScheduleDeps): ValueStage<EndedTurn, NextTurn> {
  return stage<ValueStage<EndedTurn, NextTurn>>((ended) => decide(ended, deps));
}
