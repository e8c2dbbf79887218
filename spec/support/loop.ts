import { map, type Observable, type OperatorFunction } from "rxjs";
import { agentRun, type AgentEvent, type AgentRunOptions, type ReactiveLoopConfig } from "pi-agent-rx";
import { assistant, config, context, user } from "./fixtures";
import { label } from "./label";
import { answers } from "./providerEvents";

/** What a spec says of a run; the rest is a prompt and an answer at once. */
export interface RunFields extends Partial<Omit<AgentRunOptions, "config">> {
  config?: Partial<ReactiveLoopConfig>;
}

/** The options of a run of the bare loop. */
export const runOptions = ({ config: fields, ...rest }: RunFields = {}): AgentRunOptions => ({
  prompts: [user("hi")],
  context: context(),
  streamFn: answers(assistant("hello")),
  config: config(fields),
  ...rest,
});

/** A run of the bare loop. */
export const run = (fields: RunFields = {}): Observable<AgentEvent> => agentRun(runOptions(fields));

/** One character per event of a run, for marbles. */
export const runWords = {
  a: "agent_start",
  z: "agent_end",
  t: "turn_start",
  T: "turn_end",
  u: "message_start user",
  U: "message_end user",
  s: "message_start system",
  S: "message_end system",
  m: "message_start assistant",
  n: "message_update assistant",
  M: "message_end assistant",
  x: "tool_execution_start 1",
  y: "tool_execution_update 1",
  X: "tool_execution_end 1",
  r: "message_start toolResult",
  R: "message_end toolResult",
};

const chars = new Map(Object.entries(runWords).map(([char, word]) => [word, char]));

/** Each event as its character of {@link runWords}. */
export const runChars: OperatorFunction<AgentEvent, string> = map(
  (event) => chars.get(label(event)) ?? label(event),
);
