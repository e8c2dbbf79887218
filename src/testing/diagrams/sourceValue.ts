import type { Api, AssistantMessage, Model } from "@earendil-works/pi-ai";
import type { AgentMessage } from "../../types/messages";
import type { Meaning } from "./parseMeaning";
import { responder } from "./responder";
import type { Letter } from "./RowSources";

const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 0 });

function answer(model: Model<Api>, { text, data = {} }: Meaning): AssistantMessage {
  const respond = responder(model);
  respond("", { verb: "start" });
  if (text !== undefined) respond("", { verb: "text", text });
  for (const [id, name] of Object.entries(data)) respond(id, { verb: "call", word: String(name) });
  const done = respond("", { verb: "done" });
  return (done as Extract<typeof done, { type: "done" }>).message;
}

/**
 * What the letters of a row `source:` are: digits are transcripts of so many messages, `user "Hi"` and
 * `answer "Hello" {"b": "read"}` messages, `request`, `turn` and `ended` what the stages pass on; the letters of a model its
 * events.
 */
export function sourceValue(model: Model<Api>): (letter: Letter) => unknown {
  const respond = responder(model);
  const turn = (meaning: Meaning) => ({
    message: answer(model, { text: "Hello", ...meaning }),
    toolResults: [],
    context: { messages: [] },
    newMessages: [],
  });
  const values: Record<string, (meaning: Meaning) => unknown> = {
    transcript: ({ word }) => Array.from({ length: Number(word) }, (_, n) => user(String(n + 1))),
    user: ({ text = "" }) => user(text),
    answer: (meaning) => answer(model, meaning),
    request: () => ({ model, context: { messages: [] }, options: {} }),
    turn,
    ended: (meaning) => ({ turn: turn(meaning), hasToolResults: meaning.word === "results" }),
  };
  return ({ letter, meaning }) => values[meaning.verb]?.(meaning) ?? respond(letter, meaning);
}
