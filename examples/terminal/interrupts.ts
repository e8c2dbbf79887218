import type { Agent } from "pi-agent-rx";
import { map, tap, throttleTime, type Observable, type OperatorFunction } from "rxjs";

/** What Ctrl-C means: `abort` the run, `kill` a run that is aborted already, or `leave` when there is none. */
export type Interrupt = "abort" | "kill" | "leave";

const ONE_PRESS_MS = 150;

type Running = Pick<Agent, "state" | "signal" | "abort">;

/** Gives each Ctrl-C its meaning, and aborts the run where that is it. */
export const interrupts =
  (agent: Running): OperatorFunction<unknown, Interrupt> =>
  (presses$: Observable<unknown>) =>
    presses$.pipe(
      // One press reaches us several times: from the terminal, from npm and from tsx, which all pass it on.
      throttleTime(ONE_PRESS_MS),
      map(() => (!agent.state.isStreaming ? "leave" : agent.signal?.aborted ? "kill" : "abort")),
      tap((meaning) => {
        if (meaning === "abort") agent.abort("Ctrl-C");
      }),
    );
