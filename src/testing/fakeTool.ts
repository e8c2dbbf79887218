import { asyncScheduler } from "rxjs";
import { check } from "../internal/check";
import { expected } from "../internal/expected";
import type { AgentToolOutput, AgentToolUpdateCallback, ReactiveTool } from "../types/tool";
import type { FakeToolRun, FakeToolStep } from "./FakeToolRun";
import { plainCopy } from "./plainCopy";
import { textResult } from "./textResult";
import { timedRun } from "./timedRun";

/** One call of a fake tool. */
export interface FakeToolCall {
  toolCallId: string;
  /** Copied when the call came. */
  params: unknown;
  /** When it came, in ms of the clock that drives the run. */
  at: number;
}

/** A tool that follows a script and records its calls. */
export interface FakeTool extends ReactiveTool<object, unknown> {
  /** Oldest first. */
  readonly calls: readonly FakeToolCall[];
}

const TIMED = ["updates", "at", "stall"] as const;

function runOf(step: FakeToolStep, params: unknown): FakeToolRun {
  const run = typeof step === "function" ? step(params) : step;
  return typeof run === "string" ? { text: run } : run;
}

/** Checks what a call would only find out later. */
function checkRun(name: string, step: unknown): void {
  if (typeof step === "function" || typeof step === "string") return;
  if (typeof step !== "object" || step === null)
    throw expected(`fakeTool ${JSON.stringify(name)}`, "a text, a run or a function", step);
  const { at, updates } = step as FakeToolRun;
  check.ms("at", at);
  updates?.forEach((update, index) => check.ms(`updates[${index}].at`, update.at));
}

/**
 * A tool that follows a script: what it reports, gives or throws, and when; it records its calls.
 *
 * @param script - One step for all calls, or a list with a step a call; a call beyond the list throws. A string is the text
 * of a result that comes synchronously.
 * @param fields - Fields of the tool: `description`, `parameters`, `executionMode`, … @defaultValue it takes any object
 * @remarks No promise is involved, so it runs in virtual time and under fake timers.
 * @throws TypeError when the script is not what it should be
 *
 * @example
 * ```ts
 * const build = fakeTool("build", [
 *   { updates: [{ at: 1, text: "half done" }], at: 2, text: "built" },
 *   { at: 1, fail: "no space left" },
 * ]);
 * const fake = fakeModel([call("build"), call("build"), "The second one failed."]);
 * const agent = new Agent({ streamFn: fake.streamFn, initialState: { model: fake.model, tools: [build] } });
 * await agent.prompt("Build it twice");
 * console.log(build.calls.length); // 2
 * ```
 */
export function fakeTool(
  name: string,
  script: FakeToolStep | readonly FakeToolStep[] = "done",
  fields: Partial<Omit<ReactiveTool<object, unknown>, "name" | "execute">> = {},
): FakeTool {
  const steps = Array.isArray(script) ? (script as readonly FakeToolStep[]) : undefined;
  for (const step of steps ?? [script]) checkRun(name, step);
  const calls: FakeToolCall[] = [];
  const execute = (
    toolCallId: string,
    params: unknown,
    signal?: AbortSignal,
    onUpdate?: AgentToolUpdateCallback,
  ): AgentToolOutput<unknown> => {
    calls.push({ toolCallId, params: plainCopy(params), at: asyncScheduler.now() });
    const step = steps ? steps[calls.length - 1] : (script as FakeToolStep);
    if (step === undefined)
      throw new Error(
        `fakeTool ${JSON.stringify(name)}: call ${calls.length}, but the script holds ${steps?.length} runs`,
      );
    const run = runOf(step, params);
    if (TIMED.some((field) => run[field] !== undefined)) return timedRun(run, signal, onUpdate);
    if (run.fail !== undefined) throw new Error(run.fail);
    return run.result ?? textResult(run.text ?? "done");
  };
  return {
    name,
    label: name,
    description: `The fake tool ${name}.`,
    parameters: { type: "object", properties: {} },
    ...fields,
    execute,
    calls,
  };
}
