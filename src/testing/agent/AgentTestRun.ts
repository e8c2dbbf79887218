import {
  Agent,
  type AgentListener,
  type AgentMessage,
  type AgentSnapshot,
  type AnyAgentTool,
  type ReactiveAgentOptions,
  type ReactiveInitialState,
} from "pi-agent-rx";
import { asyncScheduler, isObservable, timer } from "rxjs";
import { alphabet } from "../diagrams/alphabet";
import { fakeModel, type FakeModel, type FakeModelOptions } from "../fakeModel";
import { fakeTool } from "../fakeTool";
import type { FakeToolStep } from "../FakeToolRun";
import { verifyRun } from "../laws/verifyRun";
import { toolMarbles } from "../toolMarbles";
import type { AgentTestKit } from "./AgentTestKit";
import { difference } from "./difference";
import { parseRow, type Mark } from "./parseRow";
import { PromiseGuard } from "./PromiseGuard";
import { requestsDiffer } from "./requestsDiffer";
import { rowsDiffer } from "./rowsDiffer";

/** One test of an agent inside virtual time: what happens in it, what was expected of it, and what went wrong. */
export class AgentTestRun {
  readonly #agent: Agent;
  readonly #fake: FakeModel;
  readonly #initialState: ReactiveInitialState;
  #initial: AgentMessage[];
  readonly #guard = new PromiseGuard();
  readonly #marks: Mark[] = [];
  readonly #states: { frame: number; state: AgentSnapshot }[] = [];
  readonly #checks: (() => string | undefined)[] = [];
  readonly #flush: () => void;
  #failure: { error: unknown } | undefined;

  constructor(flush: () => void, options: Partial<ReactiveAgentOptions>, model: FakeModelOptions) {
    this.#flush = flush;
    this.#fake = fakeModel([], model);
    const { streamFn, model: fakedModel } = this.#fake;
    this.#initialState = { model: fakedModel, ...options.initialState };
    this.#agent = new Agent({ streamFn, ...options, initialState: this.#initialState });
    this.#initial = [...this.#agent.state.messages];
    const subscribe = this.#agent.subscribe.bind(this.#agent);
    this.#agent.subscribe = (listener) =>
      subscribe(typeof listener === "function" ? this.#guard.call("listener", listener) : listener);
    this.#agent.events$.subscribe(({ type }) =>
      this.#marks.push({ frame: asyncScheduler.now(), letter: alphabet[type] }),
    );
    this.#agent.events$
      .pipe(verifyRun({ agent: this.#agent }))
      .subscribe({ error: (error: unknown) => this.#fail(error) });
    this.#agent.state$.subscribe((state) => this.#states.push({ frame: asyncScheduler.now(), state }));
    this.#guard.agent(this.#agent, this.#agent.state);
  }

  get kit(): AgentTestKit {
    const fake = this.#fake;
    const model = (...responses: Parameters<FakeModel["add"]>) => fake.add(...responses);
    Object.defineProperties(model, {
      requests: { get: () => fake.requests },
      left: { get: () => fake.left },
    });
    return {
      agent: this.#agent,
      model: model as AgentTestKit["model"],
      tool: (name, script = "(r|)", values, fields) => {
        const run = (step: FakeToolStep) => (typeof step === "string" ? toolMarbles(step, values) : step);
        const steps = Array.isArray(script)
          ? (script as FakeToolStep[]).map(run)
          : run(script as FakeToolStep);
        const tool = fakeTool(name, steps, fields);
        this.#give(this.#guard.tool(tool));
        return tool;
      },
      at: (frame, action) => this.#at(frame, action),
      hold: (frames) => void this.#agent.subscribe(this.#holding(frames)),
      expectEvents: (row) => {
        const expected = parseRow(row);
        this.#checks.push(() => this.#eventsDiffer(expected));
      },
      expectState: (frame, expected) => void this.#checks.push(() => this.#stateDiffers(frame, expected)),
      expectRequests: (...expected) =>
        void this.#checks.push(() => requestsDiffer(this.#fake.requests, expected)),
      flush: () => this.flush(),
    };
  }

  /** Lets all virtual time pass. */
  flush(): void {
    this.#guard.agent(this.#agent, this.#agent.state);
    this.#flush();
  }

  /** Throws what went wrong first, else what is not as it was expected. */
  check(): void {
    if (this.#guard.first) throw this.#guard.first;
    if (this.#failure) throw this.#failure.error;
    for (const check of this.#checks) {
      const complaint = check();
      if (complaint !== undefined) throw new Error(complaint);
    }
  }

  // Given before the first run, tools are declared as the tools of `initialState` are, without a message of their own.
  #give(tool: AnyAgentTool): void {
    const { state } = this.#agent;
    const tools: AnyAgentTool[] = [...state.tools.filter(({ name }) => name !== tool.name), tool];
    const untouched = this.#initial.every((message, index) => message === state.messages[index]);
    state.tools = tools;
    if (!untouched || this.#initial.length !== state.messages.length) return;
    const { streamFn } = this.#fake;
    this.#initial = new Agent({ streamFn, initialState: { ...this.#initialState, tools } }).state.messages;
    state.messages = [...this.#initial];
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
  }

  #at(frame: number, action: () => unknown): void {
    const delay = frame - asyncScheduler.now();
    if (!(delay >= 0)) throw new Error(`at(${frame}): virtual time is at frame ${asyncScheduler.now()}`);
    timer(delay).subscribe(() => {
      try {
        this.#guard.agent(this.#agent, this.#agent.state);
        const output = this.#guard.output(`at(${frame})`, action());
        if (isObservable(output)) output.subscribe({ error: (error: unknown) => this.#fail(error) });
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  #holding(frames: Record<string, number>): AgentListener {
    return ({ type }) => {
      const ms = frames[alphabet[type]];
      return ms === undefined ? undefined : timer(ms);
    };
  }

  #eventsDiffer(expected: readonly Mark[]): string | undefined {
    const rows = rowsDiffer(expected, this.#marks);
    if (rows === undefined) return undefined;
    const open = this.#agent.state.isStreaming
      ? "\nThe run had not ended when all virtual time had passed."
      : "";
    return `agentTest: events differ ${rows}${open}`;
  }

  #stateDiffers(frame: number, expected: Parameters<AgentTestKit["expectState"]>[1]): string | undefined {
    const { state } = this.#states.findLast((shown) => shown.frame <= frame)!;
    if (typeof expected !== "function")
      return difference(state, expected, `agentTest: state at frame ${frame}`);
    expected(state);
    return undefined;
  }
}
