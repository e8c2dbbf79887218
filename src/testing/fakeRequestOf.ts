import type { Api, Model, SimpleStreamOptions, TranscriptContext } from "@earendil-works/pi-ai";
import { asyncScheduler } from "rxjs";
import { pick } from "../internal/pick";
import type { FakeRequest } from "./FakeRequest";
import { plainCopy } from "./plainCopy";

/** A request as plain data, copied now. */
export function fakeRequestOf(
  number: number,
  model: Model<Api>,
  context: TranscriptContext,
  options: SimpleStreamOptions = {},
): FakeRequest {
  const kept = pick(options, [
    "apiKey",
    "cacheRetention",
    "headers",
    "maxTokens",
    "metadata",
    "reasoning",
    "sessionId",
    "temperature",
    "thinkingBudgets",
    "toolChoice",
    "transport",
  ]);
  const request = { number, at: asyncScheduler.now(), model: model.id, options: kept };
  return plainCopy({ ...request, messages: context.messages });
}
