import type { ServerResponse } from "node:http";
import { callChunks, openAiServer, sendEvents, textChunks } from "../../spec/examples/support/openAiServer";
import { plans, type Step } from "./plans";

type Body = Awaited<ReturnType<typeof openAiServer>>["seen"][number]["body"];

const textOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : Array.isArray(content)
      ? content.map((part) => (part as { text?: string }).text ?? "").join("")
      : "";

/** Reads from the conversation what is to be done next: each user message has a plan, one step a request. */
function nextStep({ messages = [], tools = [] }: Body): Step {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const text = textOf(messages[asked]?.content);
  if (tools.length === 0) return { text: "They made a note and changed it." };
  const turns = messages.slice(asked).filter(({ role }) => role === "assistant").length;
  return plans[text]?.[turns] ?? { text: `There is no plan for “${text}”, turn ${turns}.` };
}

function answer(response: ServerResponse, step: Step, count: number): void {
  if (step.status !== undefined) {
    response.writeHead(step.status, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: step.text ?? "" } }));
  } else if (step.stall) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const chunk of textChunks(step.text ?? "").slice(0, -1))
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  } else if (step.calls) sendEvents(response, callChunks(step.calls, `call_${count}`));
  else sendEvents(response, textChunks(step.text ?? ""));
}

/** An OpenAI-compatible server on 127.0.0.1 that follows the plans, and keeps what it was asked. */
export async function modelServer() {
  const { url, seen, close } = await openAiServer((response, count) =>
    answer(response, nextStep(seen[count]!.body), count),
  );
  return { url: `${url}/v1`, close, takeRequests: () => seen.splice(0).map(({ body }) => body) };
}
