import type { Agent, AgentOutcome } from "pi-agent-rx";
import { filter, last, map, type Observable } from "rxjs";

/** Asks the agent; emits once, when the run has settled, how it ended. */
export const ask = (agent: Agent, question: string): Observable<AgentOutcome> =>
  agent.prompt$(question).pipe(
    filter((event) => event.type === "agent_end"),
    map(({ outcome = "completed" }) => outcome),
    last(),
  );
