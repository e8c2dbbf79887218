import { afterEach, describe, expect, it } from "@jest/globals";
import { lastValueFrom } from "rxjs";
import { preparedRun } from "../../src/loop/preparedRun";
import { runControl, setDefaultStreamFn } from "pi-agent-rx";
import { assistant, call, tool } from "../support/fixtures";
import { runOptions } from "../support/loop";
import { answers } from "../support/providerEvents";

describe("preparedRun", () => {
  afterEach(() => setDefaultStreamFn(undefined));

  it.each<[object, string]>([
    [{ prompts: [1] }, "prompts[0]: expected"],
    [{ context: { messages: [], tools: [{ ...tool(), name: "" }] } }, "context.tools[0].name: expected"],
    [{ streamFn: 1 }, "streamFn: expected"],
    [{ gate: 1 }, "gate: expected a function, got 1"],
    [{ signal: {} }, "signal: expected an AbortSignal, got an object"],
  ])("refuses %j at once", (fields, message) => {
    expect(() => preparedRun({ ...runOptions(), ...fields })).toThrow(message);
  });

  it("runs under the control that it is given", async () => {
    const control = runControl();
    control.abort("before");
    const end = await lastValueFrom(preparedRun(runOptions())(control));
    expect(end).toMatchObject({ outcome: "aborted", reason: "before" });
  });

  it("can be run again, under a control of its own", async () => {
    const run = preparedRun(runOptions({ streamFn: answers(assistant([call("1")]), assistant("done")) }));
    for (const length of [4, 2]) {
      await expect(lastValueFrom(run(runControl()))).resolves.toHaveProperty("messages.length", length);
    }
  });

  it("looks for the default stream function when it is run", async () => {
    const run = preparedRun(runOptions({ streamFn: undefined }));
    setDefaultStreamFn(answers(assistant("done")));
    await expect(lastValueFrom(run(runControl()))).resolves.toMatchObject({ outcome: "completed" });
  });
});
