import type { AgentEvent } from "../../types/event";
import { brief } from "./brief";
import type { Law, LawWatch } from "./Law";

class Watch implements LawWatch {
  #turn = false;
  #message = false;
  #running: string[] = [];

  see(entry: Parameters<LawWatch["see"]>[0]): string | undefined {
    return entry.kind === "event" ? this.#event(entry.event) : undefined;
  }

  #event(event: AgentEvent): string | undefined {
    switch (event.type) {
      case "agent_start":
        this.#turn = this.#message = false;
        this.#running = [];
        return undefined;
      case "agent_end":
        return this.#turn ? "agent_end inside a turn" : this.#open("agent_end");
      case "turn_start":
        return this.#turnStart();
      case "turn_end":
        return this.#turnEnd(event);
      case "message_start":
        return this.#messageStart();
      case "message_update":
        return this.#message ? undefined : "message_update outside a message";
      case "message_end":
        return this.#messageEnd();
      case "tool_execution_start":
        this.#running.push(event.toolCallId);
        return this.#turn ? undefined : "tool_execution_start outside a turn";
      case "tool_execution_update":
        return this.#tool(event);
      case "tool_execution_end":
        return this.#tool(event);
    }
  }

  #turnStart(): string | undefined {
    if (this.#turn) return "turn_start inside a turn";
    this.#turn = true;
    return this.#open("turn_start");
  }

  // A run that fails between two turns still tells the end of one, as in pi.
  #turnEnd({ message }: Extract<AgentEvent, { type: "turn_end" }>): string | undefined {
    if (!this.#turn && !brief(message).dead) return "turn_end outside a turn";
    this.#turn = false;
    return this.#open("turn_end");
  }

  #messageStart(): string | undefined {
    if (this.#message) return "message_start inside a message";
    this.#message = true;
    return undefined;
  }

  #messageEnd(): string | undefined {
    if (!this.#message) return "message_end of a message that never began";
    this.#message = false;
    return undefined;
  }

  #tool({ type, toolCallId }: { type: string; toolCallId: string }): string | undefined {
    const at = this.#running.indexOf(toolCallId);
    if (at < 0) return `${type} of ${toolCallId}, which does not run`;
    if (type === "tool_execution_end") this.#running.splice(at, 1);
    return undefined;
  }

  #open(type: string): string | undefined {
    if (this.#message) return `${type} inside a message`;
    return this.#running.length > 0 ? `${type} while ${this.#running.join(", ")} runs` : undefined;
  }
}

/** The grammar of events: turns, messages and tool executions open and close in pairs, each in its place. */
export const everythingIsClosed: Law = {
  name: "grammar",
  says: "Turns, messages and tool executions open and close in pairs; a message never opens inside another.",
  watch: () => new Watch(),
};
