import type { AgentEvent } from "../../types/event";
import { brief } from "./brief";
import type { Law, LawWatch } from "./Law";

class Watch implements LawWatch {
  #open: string[] = [];
  /** The last event ended an assistant message, which may be one of the user's own. */
  #justAnswered = false;

  see(entry: Parameters<LawWatch["see"]>[0]): string | undefined {
    if (entry.kind === "request") return this.#unless(`request ${entry.request.number}`);
    return entry.kind === "event" ? this.#event(entry.event) : undefined;
  }

  #event(event: AgentEvent): string | undefined {
    const justAnswered = this.#justAnswered;
    this.#justAnswered = false;
    if (event.type === "agent_start") this.#open = [];
    if (event.type === "turn_end" || event.type === "agent_end") return this.#unless(event.type);
    if (event.type !== "message_start" && event.type !== "message_end") return undefined;
    const message = brief(event.message);
    if (message.role === "toolResult")
      return event.type === "message_end" ? this.#take(message.toolCallId ?? "") : undefined;
    // Calls in a message that the user committed are not the run's to answer.
    if (event.type === "message_start" && justAnswered) this.#open = [];
    const complaint = this.#unless(`${message.role} message`);
    if (event.type === "message_end" && message.role === "assistant") {
      this.#justAnswered = true;
      this.#open = message.dead ? [] : message.callIds;
    }
    return complaint;
  }

  #take(id: string): string | undefined {
    const at = this.#open.indexOf(id);
    if (at < 0) return `a result of ${id}, which is not open`;
    this.#open = this.#open.toSpliced(at, 1);
    return undefined;
  }

  #unless(what: string): string | undefined {
    return this.#open.length > 0 ? `${what} while ${this.#open.join(", ")} has no result` : undefined;
  }
}

/** I1, by the messages and the requests of a run. */
export const everyCallHasOneResult: Law = {
  name: "I1",
  says: "Every tool call of a committed answer gets exactly one result before the next request; calls of an aborted or errored one get none.",
  watch: () => new Watch(),
};
