import type { FakePart } from "./FakeResponse";

/**
 * Ends a scripted response as an error of the provider; what was said before stands in the message.
 *
 * @example
 * ```ts
 * const model = fakeModel([[say("One moment"), fail("overloaded")], "Here I am again."]);
 * const agent = new Agent({ streamFn: model.streamFn, initialState: { model: model.model } });
 * await agent.prompt("Hello");
 * if (agent.state.errorMessage === "overloaded") await agent.prompt("Once more");
 * ```
 */
export function fail(message: string): FakePart {
  return { part: "fail", message };
}
