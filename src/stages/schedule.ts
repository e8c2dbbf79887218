import { concatMap, EMPTY, map, of, takeWhile, type Observable, type OperatorFunction } from "rxjs";
import { endedByAbort } from "../internal/endedByAbort";
import { fromHook } from "../internal/fromHook";
import { unlessAborted } from "../internal/unlessAborted";
import { untilDeadline } from "../internal/untilDeadline";
import type { ReactiveLoopConfig } from "../types/config";
import type { RunControl } from "../types/gate";
import type { ReactiveTurnUpdate, AgentTurnContext, AgentTurnDecision } from "../types/hooks";
import type { AgentMessage } from "../types/messages";

/** What {@link schedule} needs. */
export interface ScheduleDeps extends Pick<
  ReactiveLoopConfig,
  "getSteeringMessages" | "getFollowUpMessages" | "prepareNextTurn"
> {
  control: Pick<RunControl, "signal" | "deadline$">;
  /** Told of messages as soon as they left a queue. */
  onTaken?: (taken: QueuedMessages) => void;
}

/** A turn that has ended, and what it left to do. */
export interface EndedTurn {
  turn: AgentTurnContext;
  /** There are tool results that the model has not seen. */
  hasToolResults: boolean;
  decision?: AgentTurnDecision;
}

/** Messages that left a queue. */
export interface QueuedMessages {
  queue: "steering" | "followUp";
  messages: AgentMessage[];
}

/** What the next turn starts with. */
export interface NextTurn {
  update?: ReactiveTurnUpdate;
  queued: QueuedMessages;
}

/**
 * Decides whether another turn follows: emits what it starts with, or completes empty.
 *
 * @remarks After `turn_end`. Steering first; follow-ups only when nothing else asks for a turn; then `prepareNextTurn`, and
 * steering once more if none was taken. Error and aborted responses, an `end` decision and an abort take nothing.
 */
export function schedule(deps: ScheduleDeps): OperatorFunction<EndedTurn, NextTurn> {
  const { control, getSteeringMessages, getFollowUpMessages, prepareNextTurn, onTaken } = deps;
  const take = (
    queue: QueuedMessages["queue"],
    name: string,
    poll?: ReactiveLoopConfig["getSteeringMessages"],
  ) => {
    if (!poll) return of({ queue, messages: [] });
    return fromHook(name, poll).pipe(
      map((messages) => {
        const taken: QueuedMessages = { queue, messages: messages ?? [] };
        if (taken.messages.length > 0) onTaken?.(taken);
        return taken;
      }),
    );
  };
  const steering = () => take("steering", "getSteeringMessages", getSteeringMessages);
  const select = ({ hasToolResults, decision }: EndedTurn): Observable<QueuedMessages> =>
    steering().pipe(
      unlessAborted(control),
      concatMap((queued) => {
        if (hasToolResults || queued.messages.length > 0) return of(queued);
        return take("followUp", "getFollowUpMessages", getFollowUpMessages).pipe(
          takeWhile(({ messages }) => messages.length > 0 || decision?.action === "continue"),
        );
      }),
    );
  const prepare = (turn: AgentTurnContext, queued: QueuedMessages): Observable<NextTurn> => {
    if (!prepareNextTurn) return of({ queued });
    return fromHook<ReactiveTurnUpdate | undefined | void>("prepareNextTurn", () =>
      prepareNextTurn(turn),
    ).pipe(
      unlessAborted(control),
      map((update) => ({ update: update ?? undefined, queued })),
    );
  };
  return concatMap((ended) => {
    const { stopReason } = ended.turn.message;
    if (stopReason === "error" || stopReason === "aborted" || ended.decision?.action === "end") return EMPTY;
    return of(ended).pipe(
      unlessAborted(control),
      concatMap(select),
      unlessAborted(control),
      concatMap((queued) => prepare(ended.turn, queued)),
      concatMap((next) =>
        next.queued.messages.length > 0 ? of(next) : steering().pipe(map((queued) => ({ ...next, queued }))),
      ),
      unlessAborted(control),
      untilDeadline(control),
      endedByAbort(control),
    );
  });
}
