import type { FakePart } from "./FakeResponse";
import { wordsOf } from "./wordsOf";

/**
 * Text of a scripted response.
 *
 * @param text - Streams a word a delta, or as `deltas` cut it.
 * @param options - `deltas`: the pieces, joined they are the text. @defaultValue its words
 * @throws TypeError when the deltas do not make the text
 *
 * @example
 * ```ts
 * const model = fakeModel([say("It is sunny."), say("Bye", { deltas: ["B", "ye"] })]);
 * const agent = new Agent({ streamFn: model.streamFn, initialState: { model: model.model } });
 * await agent.prompt("How is the weather?");
 * ```
 */
export function say(text: string, options: { deltas?: readonly string[] } = {}): FakePart {
  return { part: "text", text, deltas: wordsOf("say", text, options.deltas) };
}
