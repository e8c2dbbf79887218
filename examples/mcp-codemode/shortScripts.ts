import type { AgentEvent } from "pi-agent-rx";
import { map, type MonoTypeOperatorFunction } from "rxjs";

const isScript = (event: AgentEvent) => "toolName" in event && event.toolName === "codemode";

/** Shows a script by its first line, which says what it is for. */
export const shortScripts: MonoTypeOperatorFunction<AgentEvent> = map((event) => {
  if (!isScript(event) || !("args" in event)) return event;
  const { code } = event.args as { code: string };
  return { ...event, args: { code: code.split("\n", 1)[0] } };
});
