// The bare loop: no state, no barrier; its events are iterated.
import { agentLoop } from "pi-agent-rx";
import { batchThenText, callsThenText, deltas, echo, expectEnd, model, user } from "../models.mjs";

const config = { model, convertToLlm: (messages) => messages };

async function run(streamFn, tools, count) {
  let seen = 0;
  const context = { messages: [], tools };
  const stream = agentLoop([user("go")], context, config, undefined, streamFn);
  for await (const _event of stream) seen++;
  expectEnd(await stream.result(), count);
  return seen;
}

export const workloads = {
  deltas: (count) => async () => {
    const seen = await run(() => deltas(count), [], 2);
    if (seen < count) throw new Error(`${seen} events for ${count} deltas`);
  },
  turns: (count) => () => run(callsThenText(count), [echo], 3 + 2 * count),
  calls: (count) => () => run(batchThenText(count), [echo], 4 + count),
};
