import type { Usage } from "@earendil-works/pi-ai";
import type { FakePart } from "./FakeResponse";

/** Sets the usage of a scripted response. `totalTokens` is the sum of the counts, unless given; the rest is 0. */
export function spend(usage: Partial<Usage>): FakePart {
  return { part: "spend", usage };
}
