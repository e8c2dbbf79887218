// Run by nodeTest-spec.ts under node:test, where no jest is.
import assert from "node:assert/strict";
import { test } from "node:test";
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
  verifyRun,
} from "pi-agent-rx/testing";

void test("agentTest passes", () => {
  agentTest(({ agent, model, at, expectEvents }) => {
    model(marbles("10ms (a|)"));
    at(0, () => agent.prompt$("Hi"));
    expectEvents("(ATMm) 4ms (Muuumta)");
  });
});

void test("agentTest fails with rows", () => {
  assert.throws(
    () => agentTest(({ expectEvents }) => expectEvents("A")),
    /at frame 0: expected A, got nothing more\nframe +0\nexpected +A\nactual +\./,
  );
});

void test("a run is faked, verified, recorded and replayed", async () => {
  const read = fakeTool("read", { at: 1, text: "hello" });
  const fake = fakeModel([call("read"), "It says hello."]);
  const agent = new Agent({
    streamFn: fake.streamFn,
    initialState: { model: fake.model, tools: [read] },
  });
  const violations: unknown[] = [];
  agent.events$.pipe(verifyRun()).subscribe({ error: (error) => violations.push(error) });
  const recorder = recordRun(agent);
  await agent.prompt("Read it");
  const recording = recorder.stop();
  checkRun(recording);
  assert.deepEqual(violations, []);
  assert.equal(read.calls.length, 1);
  const again = new Agent({
    streamFn: replayRun(recording, { pace: 0 }).streamFn,
    initialState: { model: fake.model, tools: [read] },
  });
  await again.prompt("Read it");
  assert.equal(again.state.messages.length, agent.state.messages.length);
});
