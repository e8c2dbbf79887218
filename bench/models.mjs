// Models that answer at once, so that only the runtime is measured. They speak pi-ai's protocol: a stream that is pulled.

export const model = {
  id: "bench",
  name: "bench",
  api: "bench",
  provider: "bench",
  baseUrl: "",
  reasoning: false,
  input: ["text"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1_000_000,
  maxTokens: 1_000_000,
};

const usage = () => ({
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
});

export const assistant = (content, stopReason) => ({
  role: "assistant",
  content,
  api: model.api,
  provider: model.provider,
  model: model.id,
  usage: usage(),
  stopReason,
  timestamp: 0,
});

export const text = (value) => ({ type: "text", text: value });
export const user = (value) => ({ role: "user", content: [text(value)], timestamp: 0 });
export const call = (id) => ({ type: "toolCall", id, name: "echo", arguments: { value: id } });
export const toolResult = (id) => ({
  role: "toolResult",
  toolCallId: id,
  toolName: "echo",
  content: [text(id)],
  details: {},
  isError: false,
  timestamp: 0,
});

/** A stream with `next` to pull from; `events` is an iterator. */
function pulled(events, message) {
  const iterator = {
    next: () => Promise.resolve(events.next()),
    return: () => Promise.resolve({ value: undefined, done: true }),
  };
  return { [Symbol.asyncIterator]: () => iterator, result: () => Promise.resolve(message) };
}

/** The events of one answer in `count` deltas; the message grows as a provider's does. */
export function* answerInDeltas(count, message = assistant([text("")], "stop")) {
  const [block] = message.content;
  yield { type: "start", partial: message };
  yield { type: "text_start", contentIndex: 0, partial: message };
  for (let at = 0; at < count; at++) {
    block.text += "x";
    yield { type: "text_delta", contentIndex: 0, delta: "x", partial: message };
  }
  yield { type: "text_end", contentIndex: 0, content: block.text, partial: message };
  yield { type: "done", reason: "stop", message };
}

/** An answer that streams. */
export function deltas(count) {
  const message = assistant([text("")], "stop");
  return pulled(answerInDeltas(count, message), message);
}

/** A message that comes whole. */
export function whole(message) {
  const events = [
    { type: "start", partial: message },
    { type: "done", reason: message.stopReason, message },
  ];
  return pulled(events.values(), message);
}

/** Answers `count` requests with a call, the next one with text, and starts again. */
export function callsThenText(count) {
  let request = 0;
  return () => {
    if (request < count) return whole(assistant([call(`call-${request++}`)], "toolUse"));
    request = 0;
    return whole(assistant([text("done")], "stop"));
  };
}

/** Answers the first request with `count` calls in one message, the second with text. */
export function batchThenText(count) {
  let request = 0;
  return () => {
    if (request++ % 2 === 1) return whole(assistant([text("done")], "stop"));
    return whole(
      assistant(
        Array.from({ length: count }, (_, index) => call(`call-${index}`)),
        "toolUse",
      ),
    );
  };
}

export const answerOnce = () => () => whole(assistant([text("done")], "stop"));

export const echo = {
  name: "echo",
  label: "Echo",
  description: "Gives the value back",
  parameters: {
    type: "object",
    properties: { value: { type: "string" } },
    required: ["value"],
  },
  execute: async (_id, { value }) => ({ content: [text(value)], details: {} }),
};

/** Messages of runs that are over: each a question, a call, its result and an answer. */
export function transcript(count) {
  const messages = [{ role: "system", content: "You are helpful.", toolsAdded: [], timestamp: 0 }];
  messages[0].toolsAdded.push({
    name: echo.name,
    description: echo.description,
    parameters: echo.parameters,
  });
  for (let turn = 0; messages.length < count; turn++) {
    messages.push(user(`question ${turn}`), assistant([call(`old-${turn}`)], "toolUse"));
    messages.push(toolResult(`old-${turn}`), assistant([text(`answer ${turn}`)], "stop"));
  }
  return messages.slice(0, count);
}

/** Fails a run that did not do its work: a benchmark of a failure measures nothing. */
export function expectEnd(messages, count) {
  const last = messages.at(-1);
  if (last?.stopReason !== "stop")
    throw new Error(`the run ended as ${last?.stopReason}: ${last?.errorMessage}`);
  if (count !== undefined && messages.length !== count)
    throw new Error(`expected ${count} messages, got ${messages.length}`);
}
