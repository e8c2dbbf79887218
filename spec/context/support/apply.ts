import type { AgentMessage } from "pi-agent-rx";
import { of, type OperatorFunction } from "rxjs";

/** What an operator makes of a transcript, at once. Its error is thrown. */
export function apply(
  operator: OperatorFunction<AgentMessage[], AgentMessage[]>,
  messages: AgentMessage[],
): AgentMessage[] {
  const seen: AgentMessage[][] = [];
  let failure: unknown;
  of(messages)
    .pipe(operator)
    .subscribe({ next: (value) => seen.push(value), error: (error: unknown) => (failure = error) });
  if (failure) throw failure;
  if (seen.length !== 1) throw new Error(`${seen.length} emissions`);
  return seen[0]!;
}
