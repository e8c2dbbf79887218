import type { AssistantMessageEvent, Usage } from "@earendil-works/pi-ai";
import type { Observable } from "rxjs";
import type { FakeRequest } from "./FakeRequest";

/** One thing that a fake model says or does. Made by `say`, `think`, `call`, `fail`, `stall`, `pause`, `cut` and `spend`. */
export type FakePart =
  | { part: "text"; text: string; deltas: readonly string[] }
  | { part: "thinking"; text: string; deltas: readonly string[] }
  | { part: "call"; name: string; args: Record<string, unknown>; id?: string }
  | { part: "fail"; message: string }
  | { part: "stall" }
  | { part: "pause"; ms: number }
  | { part: "cut" }
  | { part: "spend"; usage: Partial<Usage> };

/** One response: text, parts in order, or the provider's events themselves. */
export type FakeAnswer = string | FakePart | readonly FakePart[] | Observable<AssistantMessageEvent>;

/** One step of a fake model's script: a response, or what makes it of the request. */
export type FakeResponse = FakeAnswer | ((request: FakeRequest) => FakeAnswer);
