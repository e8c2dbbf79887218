import type { Agent, AgentOutcome } from "pi-agent-rx";
import { concatMap, defer, EMPTY, finalize, takeWhile, type Observable } from "rxjs";
import { ask } from "./ask";
import type { Input } from "./input";

const LEAVING = /^(exit|quit)$/i;

/** Asks line after line, each when the one before is answered, and emits how each run ended; completes with the input. */
export const conversation = (agent: Agent, input: Input): Observable<AgentOutcome> =>
  defer(() => {
    input.prompt();
    return input.lines$.pipe(
      takeWhile(({ text }) => !LEAVING.test(text)),
      concatMap((line) => {
        if (line.text === "") return EMPTY.pipe(finalize(input.prompt));
        input.take(line);
        return ask(agent, line.text).pipe(finalize(input.prompt));
      }),
      finalize(input.close),
    );
  });
