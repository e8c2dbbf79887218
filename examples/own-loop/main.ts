import {
  fauxAssistantMessage,
  fauxProvider,
  fauxToolCall,
  type AssistantMessage,
  type Message,
  type ToolResultMessage,
} from "@earendil-works/pi-ai";
import { num, obj } from "@earendil-works/pi-schema";
import * as rx from "pi-agent-rx";
import { concat, defer, EMPTY, identity, map, mergeAll, of, repeat, tap, type Observable } from "rxjs";

// A scripted model: it calls the tool, then answers.
const { provider, getModel, setResponses } = fauxProvider();
setResponses([
  fauxAssistantMessage(fauxToolCall("add", { a: 2, b: 3 }), { stopReason: "toolUse" }),
  fauxAssistantMessage("Five."),
]);

const parameters = obj({ a: num(), b: num() });
const add: rx.ReactiveTool<typeof parameters> = {
  name: "add",
  label: "Add",
  description: "Adds two numbers",
  parameters,
  execute: (_id, { a, b }) => ({ content: [{ type: "text", text: `${a + b}` }], details: undefined }),
};

/** Asks, runs the tools, asks again: at most `limit` times, and the last time without tools. */
function ownLoop(
  prompt: rx.AgentMessage,
  tools: rx.AnyAgentTool[],
  limit: number,
): Observable<rx.AgentEvent> {
  return rx.withSignal((control) => {
    const gate: rx.Gate = identity; // every event passes it before what it announces happens
    const deps = { control, gate, streamFn: provider.streamSimple, model: getModel() };
    const messages: rx.AgentMessage[] = [];
    const answer = () => messages.filter(({ role }) => role === "assistant").at(-1) as AssistantMessage;
    const results = () => messages.slice(messages.indexOf(answer()) + 1) as ToolResultMessage[];
    const broken = () => ["error", "aborted"].includes(answer().stopReason);
    let turns = 0;
    const turn$ = defer(() => {
      const context = { messages, tools: ++turns < limit ? tools : [] };
      return concat(
        gate(of({ type: "turn_start" })),
        of(turns === 1 ? [prompt] : []).pipe(
          rx.announceTools({ context: () => context }),
          mergeAll(),
          rx.commitMessages(deps),
        ),
        of(messages).pipe(
          rx.convertToLlm({ convertToLlm: (all) => all as Message[] }),
          map((request) => ({ model: deps.model, context: request, options: { signal: control.signal } })),
          rx.streamResponse(deps),
          rx.assistantEvents({ ...deps, thinkingLevel: "off" }),
        ),
        defer(() => (broken() ? EMPTY : of(answer()).pipe(rx.toolStage({ ...deps, context })))),
        defer(() => gate(of({ type: "turn_end", message: answer(), toolResults: results() }))),
      ).pipe(tap((event) => event.type === "message_end" && messages.push(event.message)));
    });
    const goesOn = () => turns < limit && results().length > 0;
    return concat(
      gate(of({ type: "agent_start" })),
      turn$.pipe(repeat({ delay: () => (goesOn() ? of(0) : EMPTY) })),
      defer(() => gate(of({ type: "agent_end", messages }))),
    );
  });
}

const prompt: rx.AgentMessage = { role: "user", content: "How much is two and three?", timestamp: 0 };
ownLoop(prompt, [add], 2).subscribe((event) => {
  if (event.type !== "message_update") console.log(event.type, "message" in event ? event.message.role : "");
});
