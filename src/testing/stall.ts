import type { FakePart } from "./FakeResponse";

/**
 * Says nothing more: the response ends by an abort, or never.
 *
 * @example
 * ```ts
 * const model = fakeModel([[say("Let me see"), stall()]]);
 * const agent = new Agent({ streamFn: model.streamFn, initialState: { model: model.model } });
 * const run = agent.prompt("Hello");
 * setTimeout(() => agent.abort(), 10);
 * await run;
 * console.log(agent.state.errorMessage);
 * ```
 */
export function stall(): FakePart {
  return { part: "stall" };
}
