import { asyncScheduler, Subscription, type Observable } from "rxjs";
import { check } from "../internal/check";
import { errorText } from "../internal/errorText";
import type { AgentEvent } from "../types/event";
import type { ReactiveStreamFn, StreamFn } from "../types/hooks";
import type { AgentListener } from "../types/options";
import type { AgentSnapshot } from "../types/state";
import { fakeRequestOf } from "./fakeRequestOf";
import { QueueWatch, type QueueingAgent } from "./laws/QueueWatch";
import { shownFields } from "./laws/shownFields";
import { plainCopy } from "./plainCopy";
import type { Recording, RecordingEntry } from "./Recording";
import { watchedResponse, type ResponseSpy } from "./watchedResponse";

/** What {@link recordRun} needs of an agent; an `Agent` has it. */
export interface RecordableAgent extends QueueingAgent {
  readonly events$: Observable<AgentEvent>;
  get streamFunction(): StreamFn;
  set streamFunction(streamFn: ReactiveStreamFn);
  subscribe(listener: AgentListener): () => void;
}

/** Records an agent, until it is stopped. */
export interface Recorder {
  /** What was recorded so far; a copy. */
  readonly recording: Recording;
  /** Notes what escaped, such as an unhandled rejection; the law I5 complains of it. */
  trouble(error: unknown): void;
  /** Gives the agent back as it was, and the recording. */
  stop(): Recording;
}

// A union's members keep their own fields.
type Fact<T = RecordingEntry> = T extends RecordingEntry ? Omit<T, "after"> : never;

class RunRecorder implements Recorder {
  readonly #entries: RecordingEntry[] = [];
  readonly #indices = new WeakMap<AgentEvent, number>();
  readonly #subscription = new Subscription();
  readonly #queues: QueueWatch;
  #at = asyncScheduler.now();
  #events = 0;
  #requests = 0;
  #streaming = false;
  #shown: (() => string | undefined)[] = [];

  constructor(agent: RecordableAgent) {
    const streamFn = agent.streamFunction as ReactiveStreamFn;
    agent.streamFunction = (...request) => this.#respond(streamFn, request);
    this.#subscription.add(() => (agent.streamFunction = streamFn));
    this.#subscription.add(agent.subscribe((event, signal) => this.#tell(event, signal)));
    this.#subscription.add(
      agent.events$.subscribe((event) =>
        this.#add({ kind: "observed", event: this.#indices.get(event) ?? -1 }),
      ),
    );
    this.#queues = new QueueWatch(agent, (fact) => this.#add(fact));
    this.#subscription.add(this.#queues);
    this.#subscription.add(agent.state$.subscribe((state) => this.#look(state)));
  }

  get recording(): Recording {
    return { version: 1, entries: structuredClone(this.#entries) };
  }

  trouble(error: unknown): void {
    this.#add({ kind: "trouble", what: errorText(error) });
  }

  stop(): Recording {
    this.#subscription.unsubscribe();
    return this.recording;
  }

  #add(fact: Fact): void {
    const now = asyncScheduler.now();
    this.#entries.push({ after: now - this.#at, ...plainCopy(fact) });
    this.#at = now;
  }

  #tell(event: AgentEvent, signal: AbortSignal): void {
    this.#check(this.#shown.slice(-1));
    if (event.type === "agent_start") {
      const abort = () => this.#add({ kind: "abort" });
      signal.addEventListener("abort", abort);
      this.#subscription.add(() => signal.removeEventListener("abort", abort));
    }
    this.#indices.set(event, this.#events++);
    this.#shown.push(shownFields(event));
    this.#add({ kind: "event", event });
    if (event.type === "message_end") this.#queues.committed(event.message);
  }

  #check(shown: readonly (() => string | undefined)[]): void {
    for (const changed of shown) {
      const what = changed();
      if (what !== undefined) this.#add({ kind: "changed", what });
    }
  }

  #look({ isStreaming, pendingToolCalls, streamingMessage }: AgentSnapshot): void {
    const rests = this.#streaming && !isStreaming;
    this.#streaming = isStreaming;
    if (!rests) return;
    this.#check(this.#shown);
    this.#shown = [];
    const streaming = streamingMessage !== undefined;
    this.#add({ kind: "rest", pendingToolCalls: pendingToolCalls.size, streaming });
  }

  #respond(streamFn: ReactiveStreamFn, request: Parameters<ReactiveStreamFn>): ReturnType<ReactiveStreamFn> {
    const number = ++this.#requests;
    this.#add({ kind: "request", request: fakeRequestOf(number, ...request) });
    let ended = false;
    const end = (fact: Fact) => {
      if (!ended && !this.#subscription.closed) this.#add(fact);
      ended = true;
    };
    const spy: ResponseSpy = {
      next: (event) => {
        const fact: Fact = { kind: "provider", request: number, event };
        if (event.type === "done" || event.type === "error") end(fact);
        else if (!ended && !this.#subscription.closed) this.#add(fact);
      },
      error: (error) => end({ kind: "providerFailed", request: number, error: errorText(error) }),
      complete: () => end({ kind: "providerEnded", request: number }),
    };
    try {
      return watchedResponse(streamFn(...request), spy);
    } catch (error) {
      spy.error(error);
      throw error;
    }
  }
}

/**
 * Records what an agent does as plain JSON: events with their times, what its provider was asked and said, its queues, aborts.
 *
 * @remarks It listens, wraps `streamFunction` and the methods for the queues, and holds nothing up. Everything is copied when it is seen, live partial
 * messages too. `replayRun` plays a recording, `checkRun` holds it against the laws. Api keys and headers of a request are
 * recorded as well; mind where the recording goes.
 *
 * @example
 * ```ts
 * const fake = fakeModel(["Hello!"]);
 * const agent = new Agent({ streamFn: fake.streamFn, initialState: { model: fake.model } });
 * const recorder = recordRun(agent);
 * await agent.prompt("Hi");
 * const recording = recorder.stop();
 * checkRun(recording);
 * console.log(JSON.stringify(recording).length);
 * ```
 */
export function recordRun(agent: RecordableAgent): Recorder {
  check.object("recordRun", agent);
  return new RunRecorder(agent);
}
