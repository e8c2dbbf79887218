import type {
  Api,
  AssistantMessage,
  AssistantMessageEvent,
  Model,
  SimpleStreamOptions,
  TranscriptContext,
} from "@earendil-works/pi-ai";
import type { Observable } from "rxjs";
import { blankMessage } from "../internal/blankMessage";
import { check } from "../internal/check";
import { expected } from "../internal/expected";
import type { AgentEvent } from "../types/event";
import type { FakeRequest } from "./FakeRequest";
import { fakeRequestOf } from "./fakeRequestOf";
import { lastLine } from "./lastLine";
import { paced } from "./paced";
import type { Recording, RecordingEntry } from "./Recording";

/** Options of {@link replayRun}. */
export interface ReplayRunOptions {
  /** Ms before each event, or the recorded times; 0 plays everything at once. @defaultValue "recorded" */
  pace?: number | "recorded";
}

/** A recording that plays. */
export interface Replay {
  /** Says to the nth request what the recorded provider said to its nth. */
  readonly streamFn: (
    model: Model<Api>,
    context: TranscriptContext,
    options?: SimpleStreamOptions,
  ) => Observable<AssistantMessageEvent>;
  /** The recorded events, for every subscriber from the start. */
  readonly events$: Observable<AgentEvent>;
  /** What was asked in the replay, to compare with what was recorded. */
  readonly requests: readonly FakeRequest[];
}

interface Timed {
  at: number;
  entry: RecordingEntry;
}

function timed({ entries }: Recording): Timed[] {
  let at = 0;
  return entries.map((entry) => ({ at: (at += entry.after), entry }));
}

type Pace = number | "recorded";

const wait = (pace: Pace, since: number, at: number) => (pace === "recorded" ? at - since : pace);

function* responseSteps(all: readonly Timed[], number: number, pace: Pace) {
  let since = all.find(({ entry }) => entry.kind === "request" && entry.request.number === number)?.at ?? 0;
  for (const { at, entry } of all) {
    if (!("request" in entry) || entry.request !== number) continue;
    yield wait(pace, since, at);
    since = at;
    if (entry.kind === "providerEnded") return;
    if (entry.kind === "providerFailed") throw new Error(entry.error);
    if (entry.kind !== "provider") continue;
    yield structuredClone(entry.event);
    if (entry.event.type === "done" || entry.event.type === "error") return;
  }
  yield Infinity;
}

function* eventSteps(all: readonly Timed[], pace: Pace) {
  let since = 0;
  for (const { at, entry } of all) {
    if (entry.kind !== "event") continue;
    yield wait(pace, since, at);
    since = at;
    yield structuredClone(entry.event);
  }
}

/**
 * Plays a recording again: its provider as a `streamFn`, its events as a stream, at the recorded or any other pace.
 *
 * @remarks No promise is involved, so it runs in virtual time. A recorded response that never ended stalls; an abort ends
 * any. A request beyond the recording fails with an error that names its number and its last message.
 * @throws TypeError for what is no recording of version 1
 *
 * @example
 * ```ts
 * const fake = fakeModel(["Hello!"]);
 * const agent = new Agent({ streamFn: fake.streamFn, initialState: { model: fake.model } });
 * const recorder = recordRun(agent);
 * await agent.prompt("Hi");
 * const replay = replayRun(JSON.parse(JSON.stringify(recorder.stop())), { pace: 0 });
 * const again = new Agent({ streamFn: replay.streamFn, initialState: { model: fake.model } });
 * await again.prompt("Hi");
 * replay.events$.subscribe((event) => console.log(event.type));
 * ```
 */
export function replayRun(recording: Recording, options: ReplayRunOptions = {}): Replay {
  if (recording?.version !== 1 || !Array.isArray(recording.entries))
    throw expected("replayRun", "a recording of version 1", recording);
  const { pace = "recorded" } = options;
  if (pace !== "recorded") check.ms("pace", pace);
  const all = timed(recording);
  const held = recording.entries.filter(({ kind }) => kind === "request").length;
  const requests: FakeRequest[] = [];
  const end = (model: Model<Api>, reason: "aborted" | "error", text: string, partial?: AssistantMessage) => {
    const error = blankMessage({ model, stopReason: reason, errorMessage: text, partial });
    return { type: "error", reason, error } as const;
  };
  const streamFn: Replay["streamFn"] = (model, context, given) => {
    const request = fakeRequestOf(requests.length + 1, model, context, given);
    requests.push(request);
    const { number } = request;
    let partial: AssistantMessage | undefined;
    function* steps(): Generator<AssistantMessageEvent | number, void, void> {
      const beyond = `replayRun: request ${number}, but the recording holds ${held}. ${lastLine(request.messages)}`;
      if (number > held) return yield end(model, "error", beyond);
      for (const step of responseSteps(all, number, pace)) {
        if (typeof step !== "number" && "partial" in step) partial = step.partial;
        yield step;
      }
    }
    return paced({
      steps,
      signal: given?.signal,
      aborted: () => end(model, "aborted", "Request was aborted", partial),
    });
  };
  return { streamFn, events$: paced({ steps: () => eventSteps(all, pace) }), requests };
}
