import fc from "fast-check";
import { inspect } from "node:util";

const DEFAULT_RUNS = 1000;

/** FC_SEED, FC_PATH and FC_RUNS override; FC_RUNS is the total that `share` is a part of. */
function parametersOf(runs: number): fc.Parameters<[unknown]> {
  const { FC_SEED, FC_PATH, FC_RUNS } = process.env;
  return {
    numRuns: FC_RUNS ? Math.max(1, Math.round((runs * Number(FC_RUNS)) / DEFAULT_RUNS)) : runs,
    ...(FC_SEED ? { seed: Number(FC_SEED) } : {}),
    ...(FC_PATH ? { path: FC_PATH, endOnFailure: true } : {}),
  };
}

function without(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/**
 * Draws `runs` scripts (a share of 1,000 when FC_RUNS overrides it) and fails with the smallest one that `check` has
 * something to say about, its seed and path, and what it said.
 */
export async function holds<T>(
  runs: number,
  scripts: fc.Arbitrary<T>,
  check: (script: T) => Promise<string | undefined>,
  fixed: { seed?: number } = {},
): Promise<void> {
  const property = fc.asyncProperty(scripts, async (script) => {
    const complaint = await check(script);
    if (complaint !== undefined) throw new Error(complaint);
  });
  const result = await fc.check(property, { ...parametersOf(runs), ...fixed } as fc.Parameters<[T]>);
  if (!result.failed) return;
  const script = inspect(without(result.counterexample?.[0]), { depth: null, breakLength: 110, compact: 4 });
  const said =
    result.errorInstance instanceof Error ? result.errorInstance.message : String(result.errorInstance);
  throw new Error(
    `FC_SEED=${result.seed} FC_PATH="${result.counterexamplePath}" after ${result.numRuns} scripts, ` +
      `${result.numShrinks} shrinks\n${script}\n\n${said}`,
  );
}
