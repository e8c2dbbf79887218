import type { Api, AssistantMessage, Model } from "@earendil-works/pi-ai";
import type { AgentMessage } from "../../types/messages";
import type { Diagram } from "./parseDiagram";
import type { Meaning } from "./parseMeaning";
import { responder } from "./responder";
import type { Letter } from "./RowSources";
import { transcript } from "./transcript";

const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 0 });

function answer(model: Model<Api>, { text, data = {} }: Meaning): AssistantMessage {
  const respond = responder(model);
  respond("", { verb: "start" });
  if (text !== undefined) respond("", { verb: "text", text });
  for (const [id, name] of Object.entries(data)) respond(id, { verb: "call", word: String(name) });
  const done = respond("", { verb: "done" });
  return (done as Extract<typeof done, { type: "done" }>).message;
}

function givenIn({ settings }: Diagram, model: Model<Api>): Record<string, AgentMessage[]> {
  const given: Record<string, AgentMessage[]> = {};
  for (const [name, words] of Object.entries(settings)) {
    const [, letter] = /^given (\S)$/.exec(name) ?? [];
    if (letter !== undefined) given[letter] = transcript.parse(words, model, given);
  }
  return given;
}

/**
 * What the letters of a row `source:` are: a transcript that a line `given 1:` tells, digits else transcripts of so many
 * messages, `user "Hi"` and `answer "Hello" {"b": "read"}` messages, `request`, `turn` and `ended` what the stages pass on,
 * `approve b`, `deny b "no"` and `edit b {…}` decisions, `bytes "data"` what travels; the letters of a model its events.
 */
export function sourceValue(diagram: Diagram, model: Model<Api>): (letter: Letter) => unknown {
  const respond = responder(model);
  const given = givenIn(diagram, model);
  const users = Array.from({ length: 9 }, (_, n) => user(String(n + 1)));
  const turn = (meaning: Meaning) => ({
    message: answer(model, { text: "Hello", ...meaning }),
    toolResults: [],
    context: { messages: [] },
    newMessages: [],
  });
  const values: Record<string, (meaning: Meaning) => unknown> = {
    given: ({ word = "" }) => [...given[word]!],
    transcript: ({ word }) => users.slice(0, Number(word)),
    approve: ({ word: toolCallId }) => ({ toolCallId, action: "approve" }),
    deny: ({ word: toolCallId, text: reason }) => ({ toolCallId, action: "deny", reason }),
    edit: ({ word: toolCallId, data: args }) => ({ toolCallId, action: "edit", args }),
    bytes: ({ text = "" }) => new TextEncoder().encode(text),
    user: ({ text = "" }) => user(text),
    answer: (meaning) => answer(model, meaning),
    request: () => ({ model, context: { messages: [] }, options: {} }),
    turn,
    ended: (meaning) => ({ turn: turn(meaning), hasToolResults: meaning.word === "results" }),
  };
  return ({ letter, meaning }) =>
    meaning.verb === "nothing" ? undefined : (values[meaning.verb]?.(meaning) ?? respond(letter, meaning));
}
