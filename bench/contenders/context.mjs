// The operators for `operators.context`, each over a transcript of tool turns: the first request, and one that follows it.
import {
  dedupeReads,
  dropThinking,
  elideImages,
  elideToolResults,
  fitBudget,
  inject,
  keepLastTurns,
  repairTranscript,
  summarize,
} from "pi-agent-rx/context";
import { lastValueFrom, of } from "rxjs";
import { answerOnce, assistant, call, model, text, toolResult, user } from "../models.mjs";

const image = { type: "image", mimeType: "image/png", data: "A".repeat(400) };
const output = "0123456789".repeat(150);

/** A question, thinking and a call, a long result, an answer; every tenth question has an image. */
function turn(number) {
  const question = user(`question ${number}`);
  if (number % 10 === 0) question.content.push(image);
  const thinking = { type: "thinking", thinking: "Let me look that up." };
  return [
    question,
    assistant(
      [thinking, { ...call(`call-${number}`), arguments: { path: `file-${number % 50}` } }],
      "toolUse",
    ),
    { ...toolResult(`call-${number}`), content: [text(output)] },
    assistant([text(`answer ${number}`)], "stop"),
  ];
}

const turns = (from, to) => Array.from({ length: to - from }, (_, index) => turn(from + index)).flat();

// What has to be counted in tokens is set to half of what the transcript holds, so that each has something to do.
const half = (count) => Math.round((count / 4) * 200);

const operators = {
  keepLastTurns: (count) => keepLastTurns(count / 8),
  fitBudget: (count) => fitBudget({ budget: half(count) }),
  elideToolResults: () => elideToolResults({ maxChars: 200 }),
  elideImages: () => elideImages(),
  dropThinking: () => dropThinking(),
  dedupeReads: () => dedupeReads(({ arguments: { path } }) => path),
  inject: () => inject(() => user("Today is Monday."), { at: "beforeUser" }),
  summarize: (count) => summarize({ streamFn: answerOnce(), model, threshold: half(count) }),
  repairTranscript: () => repairTranscript(),
};

/** Operators that have to leave the request shorter, or otherwise than it was. */
async function request(operator, messages, mayStay) {
  const result = await lastValueFrom(of(messages).pipe(operator));
  if (result === messages && !mayStay) throw new Error("the operator changed nothing");
}

const first = (name) => (count) => async (clock) => {
  const operator = operators[name](count);
  const messages = turns(0, count / 4);
  gc(); // the transcript of the run before is no cost of the operator
  clock.start();
  await request(operator, messages, name === "repairTranscript");
  clock.stop();
};

const next = (name) => (count) => {
  const operator = operators[name](count);
  const messages = turns(0, count / 4);
  let seen;
  return async (clock) => {
    seen ??= request(operator, messages, true);
    await seen;
    const longer = [...messages, ...turns(count / 4, count / 4 + 1)];
    gc();
    clock.start();
    await request(operator, longer, name === "repairTranscript");
    clock.stop();
  };
};

export const workloads = Object.fromEntries(
  Object.keys(operators).flatMap((name) => [
    [`${name}, first`, first(name)],
    [`${name}, next`, next(name)],
  ]),
);
