import type { FakePart } from "./FakeResponse";

/** Ends a scripted response with `length`: the model ran out of tokens, and its calls are not executed. */
export function cut(): FakePart {
  return { part: "cut" };
}
