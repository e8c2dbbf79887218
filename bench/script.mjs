// What the models of the peers answer, in no library's words: a response is `{ deltas }` or `{ calls }`.

/** One answer in `count` deltas. */
export const oneAnswer = (count) => () => ({ deltas: count });

/** A call in each of `count` responses, then an answer. */
export function callEachTurn(count) {
  let turn = 0;
  return () => (turn < count ? { calls: [`call-${turn++}`] } : { deltas: 1 });
}

/** `count` calls in one response, then an answer. */
export function callAllAtOnce(count) {
  let turn = 0;
  const calls = Array.from({ length: count }, (_, index) => `call-${index}`);
  return () => (turn++ === 0 ? { calls } : { deltas: 1 });
}

/**
 * The workloads of a peer. `run(script, { turns, echo })` runs its agent to the end and gives how many deltas it saw;
 * a run that did not do all of its work is an error.
 */
export function peerWorkloads(run) {
  const workload = (scriptOf, expected) => (count) => async () => {
    const { turns, executions, deltas } = expected(count);
    let executed = 0;
    const echo = ({ value }) => {
      if (typeof value === "string") executed++;
      return value;
    };
    const seen = await run(scriptOf(count), { turns, echo });
    if (seen < deltas) throw new Error(`saw ${seen} of ${deltas} deltas`);
    if (executed !== executions) throw new Error(`executed ${executed} of ${executions} calls`);
  };
  return {
    deltas: workload(oneAnswer, (count) => ({ turns: 1, executions: 0, deltas: count })),
    turns: workload(callEachTurn, (count) => ({ turns: count + 1, executions: count, deltas: 1 })),
    calls: workload(callAllAtOnce, (count) => ({ turns: 2, executions: count, deltas: 1 })),
  };
}
