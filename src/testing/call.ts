import type { FakePart } from "./FakeResponse";

/**
 * A tool call of a scripted response, which then stops for `toolUse`.
 *
 * @param args - What the model passes; the agent validates it.
 * @param options - `id`: the call's id. @defaultValue `call_1`, `call_2`, … over the whole script
 *
 * @example
 * ```ts
 * const read = fakeTool("read", { text: "# Title" });
 * const model = fakeModel([call("read", { path: "README.md" }), say("It has a title.")]);
 * const agent = new Agent({ streamFn: model.streamFn, initialState: { model: model.model, tools: [read] } });
 * await agent.prompt("What is in the README?");
 * ```
 */
export function call(
  name: string,
  args: Record<string, unknown> = {},
  options: { id?: string } = {},
): FakePart {
  return { part: "call", name, args, id: options.id };
}
