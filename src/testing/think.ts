import type { FakePart } from "./FakeResponse";
import { wordsOf } from "./wordsOf";

/**
 * Thinking of a scripted response; streams like the text of `say`.
 *
 * @throws TypeError when the deltas do not make the text
 *
 * @example
 * ```ts
 * const model = fakeModel([[think("Sunny, I guess."), say("It is sunny.")]]);
 * const agent = new Agent({ streamFn: model.streamFn, initialState: { model: model.model } });
 * await agent.prompt("How is the weather?");
 * ```
 */
export function think(text: string, options: { deltas?: readonly string[] } = {}): FakePart {
  return { part: "thinking", text, deltas: wordsOf("think", text, options.deltas) };
}
