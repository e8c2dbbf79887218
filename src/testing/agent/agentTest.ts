import type { ReactiveAgentOptions } from "pi-agent-rx";
import { TestScheduler } from "rxjs/testing";
import { check } from "../../internal/check";
import type { FakeModelOptions } from "../fakeModel";
import type { AgentTestKit } from "./AgentTestKit";
import { AgentTestRun } from "./AgentTestRun";

/** Options of {@link agentTest}. */
export interface AgentTestOptions {
  /** Options of the agent. @defaultValue the fake model, no tools */
  agent?: Partial<ReactiveAgentOptions>;
  /** How the model speaks. @defaultValue each response comes at once */
  model?: FakeModelOptions;
}

/**
 * Tests a whole agent in virtual time: model, tools, listeners and users at frames, expectations on what comes of it.
 *
 * @remarks It runs at once, synchronously, in any test framework. Events are a row of marbles: `A a` agent, `T t` turn,
 * `M m` message, `u` its updates, `X x` tool execution, `p` its progress. Every run is also held against the laws of the
 * run contract. A promise inside is an error that names who returned it, since virtual time does not drive promises.
 * @throws Error that shows the expected and the actual row with the first difference pointed at, or what else was not as
 * expected, or what went wrong
 *
 * @example
 * ```ts
 * agentTest(({ agent, model, tool, at, expectEvents, expectState, expectRequests }) => {
 *   model(marbles("10ms (a|)", { a: call("read", { path: "a" }) }), marbles("10ms (b|)", { b: say("Hello.") }));
 *   tool("read", "20ms (r|)", { r: "hello" });
 *   at(0, () => agent.prompt$("Read it"));
 *   at(50, () => agent.abort()); // too late: nothing runs any more
 *   expectEvents("(ATMm) 4ms (MuuuumX) 11ms (xMmtT) 3ms (Muuumta)");
 *   expectState(25, { isStreaming: true, pendingToolCalls: new Set(["call_1"]) });
 *   expectRequests(["user: Read it"], { at: 30 });
 * });
 * ```
 */
export function agentTest(test: (kit: AgentTestKit) => void, options: AgentTestOptions = {}): void {
  check.function("agentTest", test);
  const scheduler = new TestScheduler(() => {});
  scheduler.run(({ flush }) => {
    const run = new AgentTestRun(flush, options.agent ?? {}, options.model ?? {});
    const returned: unknown = test(run.kit);
    if (returned !== undefined)
      throw new Error("agentTest: the test returned something; it runs synchronously and returns nothing");
    run.flush();
    run.check();
  });
}
