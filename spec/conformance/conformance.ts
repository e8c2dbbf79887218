import { difference } from "./compare";
import type { Difference } from "./differences";
import type { Log } from "./log";
import type { Script } from "./script";

export interface Comparison {
  expected: () => Promise<Log>;
  actual: () => Promise<Log>;
  /** Where the actual one may differ: nowhere, if it is the oracle too. */
  differences: readonly Difference[];
}

function prefixed(name: string, complaint: string | undefined): string[] {
  return complaint === undefined ? [] : [`${name}: ${complaint}`];
}

/** Lives through a script twice and tells what differs without permission. */
export async function conformance(script: Script, comparison: Comparison): Promise<string | undefined> {
  const known = comparison.differences.filter(({ concerns }) => concerns(script));
  const expected = await comparison.expected();
  const actual = await comparison.actual();
  const complaints = known.flatMap(({ name, claim }) => prefixed(name, claim(actual)));
  const gap = difference(
    known.reduce((log, { pi }) => pi(log), expected),
    known.reduce((log, { ours }) => ours(log), actual),
  );
  if (gap) complaints.push(gap);
  return complaints.length > 0 ? complaints.join("\n\n") : undefined;
}
