import { concatMap, delay, map, of, tap, timer } from "rxjs";
import { answer, calls, user } from "./messages";
import { reply } from "./provider";
import { setUp } from "./setUp";
import { result, tool } from "./tools";

/** How long a slow run may go on after it was aborted. */
export const GRACE = 7;
const later = <T>(value: T) => timer(3).pipe(map(() => value));

/** An agent whose run of two turns with three calls and two steering messages takes its time with everything. */
export function slowRun() {
  const started: string[] = [];
  const harness = setUp({
    responses: [reply(calls("a", "b", "c"), 2), reply(answer("bye"), 2)],
    tools: [
      tool((id, _args, _signal, onUpdate) => {
        started.push(id);
        return timer(id === "a" ? 4 : 11).pipe(
          tap(() => onUpdate!(result("half"))),
          concatMap(() => of(result(id)).pipe(delay(2))),
        );
      }),
    ],
    toolConcurrency: 2,
    steeringMode: "all",
    abortGraceMs: GRACE,
    prepareRequest: () => later(undefined),
    transformContext: later,
    convertToLlm: (messages) => later(messages as never),
    getApiKey: () => later("key"),
    beforeToolCall: () => later(undefined),
    afterToolCall: () => later(undefined),
    finishTurn: () => later(undefined),
    prepareNextTurn: () => later({ messages: [user("prepared")] }),
  });
  harness.agent.steer(user("one"));
  harness.agent.steer(user("two"));
  return { ...harness, started };
}
