import type { AgentMessage } from "pi-agent-rx";
import fc from "fast-check";
import { assistant, call, system, toolResult, user } from "../../support/fixtures";

/** What happens in a conversation, one after another. */
type Step =
  | { type: "system"; text: string; section: string | null; added: number[]; removed: number[] }
  | { type: "user"; text: string; image: boolean }
  | { type: "note"; text: string }
  | { type: "answer"; text: string; thinking: string; stop: "stop" | "error" | "aborted" }
  | { type: "calls"; sizes: number[]; ids: number[]; key: number; thinking: string }
  /** Only in transcripts that are out of order. */
  | { type: "open"; ids: number[]; stop: "toolUse" | "aborted" | "error" }
  | { type: "result"; id: number };

const text = fc.integer({ min: 1, max: 120 }).map((length) => "x".repeat(length));
const few = (max: number) => fc.array(fc.nat({ max: 3 }), { maxLength: max });

const systemStep = fc.record({
  type: fc.constant("system" as const),
  text: fc.oneof(text, fc.constant("")),
  section: fc.option(text),
  added: few(2),
  removed: few(1),
});
const userStep = fc.record({ type: fc.constant("user" as const), text, image: fc.boolean() });
const noteStep = fc.record({ type: fc.constant("note" as const), text });
const answerStep = fc.record({
  type: fc.constant("answer" as const),
  text: fc.oneof(text, fc.constant("")),
  thinking: text,
  stop: fc.constantFrom("stop" as const, "stop" as const, "error" as const, "aborted" as const),
});
const callsStep = fc.record({
  type: fc.constant("calls" as const),
  sizes: fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 3, maxLength: 3 }),
  ids: fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 3 }),
  key: fc.nat({ max: 2 }),
  thinking: fc.oneof(text, fc.constant("")),
});
const openStep = fc.record({
  type: fc.constant("open" as const),
  ids: fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 2 }),
  stop: fc.constantFrom("toolUse" as const, "aborted" as const, "error" as const),
});
const resultStep = fc.record({ type: fc.constant("result" as const), id: fc.nat({ max: 2 }) });

const thought = (thinking: string) => (thinking ? [{ type: "thinking" as const, thinking }] : []);
const said = (words: string) => (words ? [{ type: "text" as const, text: words }] : []);
const declared = (name: number) => ({
  name: `tool${name}`,
  description: "",
  parameters: { type: "object" as const },
});

function messagesOf(step: Step): AgentMessage[] {
  switch (step.type) {
    case "system": {
      const toolsRemoved = step.removed.map((name) => ({ name: `tool${name}` }));
      const sections = { rules: step.section };
      return [system(step.text, { sections, toolsAdded: step.added.map(declared), toolsRemoved })];
    }
    case "user": {
      const image = { type: "image" as const, data: "A".repeat(40), mimeType: "image/png" };
      const content = [{ type: "text" as const, text: step.text }, ...(step.image ? [image] : [])];
      return [{ ...user(""), content }];
    }
    case "note":
      return [{ role: "note", text: step.text, timestamp: 0 } as unknown as AgentMessage];
    case "answer":
      return [assistant([...thought(step.thinking), ...said(step.text)], { stopReason: step.stop })];
    case "calls": {
      const calls = step.ids.map((id) => call(`c${id}`, "read", { path: `p${step.key}` }));
      const results = step.ids.map((id, at) => toolResult(`c${id}`, "r".repeat(step.sizes[at]!)));
      return [assistant([...thought(step.thinking), ...calls]), ...results];
    }
    case "open":
      return [
        assistant(
          step.ids.map((id) => call(`c${id}`)),
          { stopReason: step.stop },
        ),
      ];
    case "result":
      return [toolResult(`c${step.id}`)];
  }
}

/** Timestamps name the messages: copies keep them. */
const numbered = (steps: Step[]) =>
  steps.flatMap(messagesOf).map((message, index) => ({ ...message, timestamp: index + 1 }));

/** As an agent leaves it: every call is followed by its results. */
export const tidyTranscripts = fc
  .array(
    fc.oneof(
      { arbitrary: systemStep, weight: 1 },
      { arbitrary: userStep, weight: 4 },
      { arbitrary: noteStep, weight: 1 },
      { arbitrary: answerStep, weight: 3 },
      { arbitrary: callsStep, weight: 5 },
    ),
    { maxLength: 30, size: "max" },
  )
  .map(numbered);

/** Anything that crashes, aborts and other programs leave. */
export const messyTranscripts = fc
  .array(fc.oneof(systemStep, userStep, noteStep, answerStep, callsStep, openStep, resultStep), {
    maxLength: 20,
    size: "max",
  })
  .map(numbered);
