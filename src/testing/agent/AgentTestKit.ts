import type { Agent, AgentSnapshot } from "pi-agent-rx";
import type { FakeModel } from "../fakeModel";
import type { FakeRequest } from "../FakeRequest";
import type { FakeResponse } from "../FakeResponse";
import type { FakeTool } from "../fakeTool";
import type { FakeToolStep } from "../FakeToolRun";
import type { AgentToolResult, ReactiveTool } from "../../types/tool";

/** Part of something, down to its leaves; lists and sets are whole. */
export type DeepPartial<T> =
  T extends ReadonlySet<unknown>
    ? T
    : T extends readonly (infer I)[]
      ? readonly DeepPartial<I>[]
      : T extends object
        ? { [K in keyof T]?: DeepPartial<T[K]> }
        : T;

/** What is expected of a request: its messages as lines without the system's (see `messageLine`), or more. */
export type ExpectedRequest =
  | readonly string[]
  | { at?: number; model?: string; messages?: readonly string[]; options?: FakeRequest["options"] };

/** The model of an `agentTest`: call it to add responses to its script. */
export type ScriptedModel = ((...responses: FakeResponse[]) => void) & Pick<FakeModel, "requests" | "left">;

/** What an `agentTest` is written with. Frames are ms of virtual time, 0 is when the test starts. */
export interface AgentTestKit {
  /** The agent under test. */
  agent: Agent;
  /** Adds responses to the model's script; `marbles(…)` makes one of marbles. */
  model: ScriptedModel;
  /**
   * Gives the agent a fake tool, in place of one of its name. A string of the script is a row of marbles, see `toolMarbles`.
   *
   * @param values - What letters of the rows stand for.
   */
  tool(
    name: string,
    script?: FakeToolStep | readonly FakeToolStep[],
    values?: Record<string, string | AgentToolResult<unknown>>,
    fields?: Partial<Omit<ReactiveTool<object, unknown>, "name" | "execute">>,
  ): FakeTool;
  /** Does something at a frame. A returned observable, such as `agent.prompt$("Hi")`, is subscribed. */
  at(frame: number, action: () => unknown): void;
  /** Adds a listener that holds the barrier: for each event of a letter, so many frames. */
  hold(frames: Record<string, number>): void;
  /**
   * Expects these events of `agent.events$`, and no others, as a row of marbles.
   *
   * @remarks As in RxJS a group takes as many frames as it is wide, `(ATMm)` six; leave as much time before what follows.
   */
  expectEvents(row: string): void;
  /** Expects a part of the snapshot as it is at the end of a frame, or calls a function with it. */
  expectState(frame: number, expected: DeepPartial<AgentSnapshot> | ((state: AgentSnapshot) => void)): void;
  /** Expects these requests, and no others. */
  expectRequests(...expected: ExpectedRequest[]): void;
  /** Lets all virtual time pass now, for checks of one's own. It passes at the end anyway. */
  flush(): void;
}
