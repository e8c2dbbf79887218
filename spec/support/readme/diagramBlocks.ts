/** A diagram as a program: the events it names must be events there are. */
export function diagramProgram(text: string): string {
  const words = [...new Set(text.match(/\b[a-z]+(_[a-z]+)+\b/g))];
  return [
    `import type { AgentEvent } from "pi-agent-rx";`,
    `import type { AssistantMessageEvent } from "@earendil-works/pi-ai";`,
    `export const events: (AgentEvent | AssistantMessageEvent)["type"][] = ${JSON.stringify(words)};`,
  ].join("\n");
}
