// No library: a plain loop that pulls the stream, keeps the state, calls the listener and the tool.
import {
  answerOnce,
  batchThenText,
  callsThenText,
  deltas,
  echo,
  expectEnd,
  model,
  transcript,
  user,
} from "../models.mjs";

async function respond(streamFn, state, tell) {
  const stream = streamFn(model, { messages: state.messages });
  for await (const event of stream) {
    if (event.type === "done") {
      state.streaming = undefined;
      state.messages.push(event.message);
      const told = tell({ type: "message_end", message: event.message });
      if (told) await told;
      return event.message;
    }
    state.streaming = event.partial;
    const type = event.type === "start" ? "message_start" : "message_update";
    const told = tell({ type, message: { ...event.partial }, event });
    if (told) await told;
  }
}

async function execute(block, tell) {
  const told = tell({ type: "tool_execution_start", toolCallId: block.id });
  if (told) await told;
  const result = await echo.execute(block.id, block.arguments);
  const toldEnd = tell({ type: "tool_execution_end", toolCallId: block.id, result });
  if (toldEnd) await toldEnd;
  return {
    role: "toolResult",
    toolCallId: block.id,
    toolName: block.name,
    ...result,
    isError: false,
    timestamp: 0,
  };
}

/** Tells the listeners one after another, and gives a promise only when one of them did. */
function teller(listeners) {
  const tellFrom = async (event, index, pending) => {
    await pending;
    for (let at = index; at < listeners.length; at++) await listeners[at](event);
  };
  return (event) => {
    for (let at = 0; at < listeners.length; at++) {
      const pending = listeners[at](event);
      if (pending) return tellFrom(event, at + 1, pending);
    }
  };
}

async function run(streamFn, listeners, messages = []) {
  const state = { messages: [...messages, user("go")], streaming: undefined };
  const tell = teller(listeners);
  await tell({ type: "agent_start" });
  for (;;) {
    const message = await respond(streamFn, state, tell);
    const calls = message.content.filter((block) => block.type === "toolCall");
    if (calls.length === 0) break;
    for (const result of await Promise.all(calls.map((block) => execute(block, tell)))) {
      state.messages.push(result);
      const told = tell({ type: "message_end", message: result });
      if (told) await told;
    }
  }
  await tell({ type: "agent_end" });
  return state.messages;
}

const streaming = (listenersOf) => (count) => async () => {
  let seen = 0;
  expectEnd(
    await run(
      () => deltas(count),
      listenersOf(() => void seen++),
    ),
    2,
  );
  if (seen < count) throw new Error(`${seen} events for ${count} deltas`);
};
const listener = () => {};

export const workloads = {
  deltas: streaming((see) => [see]),
  tenListeners: streaming((see) => Array.from({ length: 10 }, () => () => see())),
  asyncListener: streaming((see) => [async () => see()]),
  turns: (count) => async () => expectEnd(await run(callsThenText(count), [listener]), 2 + 2 * count),
  calls: (count) => async () => expectEnd(await run(batchThenText(count), [listener]), 3 + count),
  agents: (count) => async () => {
    const runs = Array.from({ length: count }, () => run(callsThenText(1), [listener]));
    for (const messages of await Promise.all(runs)) expectEnd(messages, 4);
  },
  longTranscript: (count) => {
    const messages = transcript(count);
    return async (clock) => {
      const answer = answerOnce();
      clock.start();
      const streamFn = () => (clock.stop(), answer());
      expectEnd(await run(streamFn, [listener], messages), count + 2);
    };
  },
};
