import { difference } from "./compare";
import type { Difference } from "./differences";
import type { AgentClass } from "./driver/agentLike";
import { drive } from "./driver/drive";
import type { Log } from "./log";
import type { Script } from "./script";

export interface Side {
  Agent: AgentClass;
  /** What may differ from pi: nothing for pi itself. */
  differences: Difference[];
  laws: ((log: Log) => string | undefined)[];
}

/** Lives through the script with the oracle and with the other side, and tells what differs without permission. */
export async function conformance(
  oracle: AgentClass,
  side: Side,
  script: Script,
): Promise<string | undefined> {
  const known = side.differences.filter(({ concerns }) => concerns(script));
  const expected = await drive(oracle, script, { exact: true });
  const actual = await drive(side.Agent, script, { exact: true });
  const complaints = [
    ...known.flatMap(({ name, claim }) => prefixed(name, claim(actual))),
    ...side.laws.flatMap((law) => prefixed(law.name, law(actual))),
  ];
  const gap = difference(
    known.reduce((log, { pi }) => pi(log), expected),
    known.reduce((log, { ours }) => ours(log), actual),
  );
  if (gap) complaints.push(gap);
  return complaints.length > 0 ? complaints.join("\n\n") : undefined;
}

function prefixed(name: string, complaint: string | undefined): string[] {
  return complaint === undefined ? [] : [`${name}: ${complaint}`];
}
