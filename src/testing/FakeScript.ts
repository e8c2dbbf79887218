import type { Api, Model, SimpleStreamOptions, TranscriptContext } from "@earendil-works/pi-ai";
import { isObservable, type Observable } from "rxjs";
import { expected } from "../internal/expected";
import type { FakeRequest } from "./FakeRequest";
import type { FakeAnswer, FakePart, FakeResponse } from "./FakeResponse";
import { fakeRequestOf } from "./fakeRequestOf";
import { lastLine } from "./lastLine";
import { paced } from "./paced";
import { ResponseWriter } from "./ResponseWriter";
import { say } from "./say";

/** How a script is spoken, see `FakeModelOptions`. */
export interface FakeScriptOptions {
  pace?: number;
  latency?: number;
  ignoreAbort?: boolean;
}

function partsOf(answer: Exclude<FakeAnswer, Observable<unknown>>): readonly FakePart[] {
  if (typeof answer === "string") return [say(answer)];
  return Array.isArray(answer) ? (answer as readonly FakePart[]) : [answer as FakePart];
}

function* stepsOf(writer: ResponseWriter, parts: readonly FakePart[], latency: number) {
  yield latency;
  // A pause before anything was said is a pause before the response begins.
  const first = parts.findIndex((part) => part?.part !== "pause");
  for (const [index, part] of parts.entries()) {
    if (index === first) yield writer.start();
    if (part?.part === undefined)
      throw expected("fakeModel", "a string or what say(), think(), call() … make", part);
    yield* writer.write(part);
    if (part.part === "fail" || part.part === "cut") return;
  }
  if (first < 0) yield writer.start();
  yield writer.done();
}

/** What a fake model says next, and what it was asked. */
export class FakeScript {
  readonly requests: FakeRequest[] = [];
  readonly responses: FakeResponse[];
  readonly #options: FakeScriptOptions;
  #calls = 0;

  constructor(responses: readonly FakeResponse[], options: FakeScriptOptions) {
    this.responses = [...responses];
    this.#options = options;
  }

  get left(): number {
    return Math.max(0, this.responses.length - this.requests.length);
  }

  respond(model: Model<Api>, context: TranscriptContext, options?: SimpleStreamOptions) {
    const request = fakeRequestOf(this.requests.length + 1, model, context, options);
    this.requests.push(request);
    const { pace = 0, latency = 0, ignoreAbort } = this.#options;
    const answer = this.#answer(request);
    if (isObservable(answer)) return answer;
    const parts = partsOf(answer);
    let writer = this.#writer(model, pace);
    return paced({
      steps: () => stepsOf((writer = this.#writer(model, pace)), parts, latency),
      signal: ignoreAbort ? undefined : options?.signal,
      aborted: () => writer.error("aborted", "Request was aborted"),
    });
  }

  #writer(model: Model<Api>, pace: number): ResponseWriter {
    return new ResponseWriter(model, () => `call_${++this.#calls}`, pace);
  }

  #answer(request: FakeRequest): FakeAnswer {
    const { number, messages } = request;
    const response = this.responses[number - 1];
    if (response === undefined) {
      const message = `fakeModel: request ${number}, but the script holds ${this.responses.length} responses. ${lastLine(messages)}`;
      return { part: "fail", message };
    }
    return typeof response === "function" ? response(request) : response;
  }
}
