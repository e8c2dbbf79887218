import assert from "node:assert/strict";
import { Agent } from "pi-agent-rx";
import {
  agentTest,
  call,
  checkRun,
  fakeModel,
  fakeTool,
  marbles,
  recordRun,
  replayRun,
  runDiagram,
  verifyRun,
} from "pi-agent-rx/testing";

const ANSWER = `An answer

outcome: completed

user:    P
model:   ------s-t-d
  sub:   ^---------!
events:  (ATMm)M-u-(mta)
`;

/** Tests of the kit that know no test framework: each runner's file registers them. */
export const kitTests: Record<string, () => void | Promise<void>> = {
  "agentTest passes": () =>
    agentTest(({ agent, model, at, expectEvents }) => {
      model(marbles("10ms (a|)"));
      at(0, () => agent.prompt$("Hi"));
      expectEvents("(ATMm) 4ms (Muuumta)");
    }),

  "agentTest fails with rows": () => {
    assert.throws(
      () => agentTest(({ expectEvents }) => expectEvents("A")),
      /at frame 0: expected A, got nothing more\nframe +0\nexpected +A\nactual +\./,
    );
  },

  "a diagram runs": () => {
    const agent = (options: ConstructorParameters<typeof Agent>[0]) => new Agent(options);
    runDiagram(ANSWER, { agent });
    assert.throws(() => runDiagram(ANSWER.replace("M-u-", "M---u-"), { agent }), /column 8/);
  },

  "a run is faked, verified, recorded and replayed": async () => {
    const read = fakeTool("read", { at: 1, text: "hello" });
    const fake = fakeModel([call("read"), "It says hello."]);
    const initialState = { model: fake.model, tools: [read] };
    const agent = new Agent({ streamFn: fake.streamFn, initialState });
    const violations: unknown[] = [];
    agent.events$.pipe(verifyRun()).subscribe({ error: (error) => violations.push(error) });
    const recorder = recordRun(agent);
    await agent.prompt("Read it");
    const recording = recorder.stop();
    checkRun(recording);
    assert.deepEqual(violations, []);
    assert.equal(read.calls.length, 1);
    const again = new Agent({ streamFn: replayRun(recording, { pace: 0 }).streamFn, initialState });
    await again.prompt("Read it");
    assert.equal(again.state.messages.length, agent.state.messages.length);
  },
};
