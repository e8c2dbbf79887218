import type { AgentEvent } from "../../types/event";
import type { AgentMessage } from "../../types/messages";
import type { AgentQueues } from "../../types/state";
import { brief } from "./brief";
import type { Law, LawWatch } from "./Law";

type Queue = keyof AgentQueues;
type Entry = Parameters<LawWatch["see"]>[0];

const QUEUES: readonly Queue[] = ["steering", "followUp"];

function keyOf(message: AgentMessage): string {
  const { role, timestamp, toolCallId } = brief(message);
  return [role, timestamp, toolCallId].join(" ");
}

class Watch implements LawWatch {
  #committed: string[] = [];
  readonly #delivered = new Set<number>();
  /** What is neither delivered nor taken back, in the order in which it was queued. */
  readonly #due: Record<Queue, number[]> = { steering: [], followUp: [] };
  #queued: Record<Queue, number[]> = { steering: [], followUp: [] };

  see(entry: Entry): string | undefined {
    switch (entry.kind) {
      case "event":
        return this.#event(entry.event);
      case "queued":
        return this.#follow(entry);
      case "delivered":
        return this.#deliver(entry.message);
      case "takenBack":
        return this.#settle((number) => !entry.messages.includes(number));
      case "rest":
        return this.#rest();
      default:
        return undefined;
    }
  }

  #event(event: AgentEvent): string | undefined {
    if (event.type === "agent_start") this.#committed = [];
    if (event.type === "message_end") this.#committed.push(keyOf(event.message));
    if (event.type !== "agent_end") return undefined;
    let from = 0;
    for (const message of event.messages) {
      const at = this.#committed.indexOf(keyOf(message), from);
      if (at < 0)
        return `agent_end holds a ${message.role} message that was not committed once, in this order`;
      from = at + 1;
    }
    return undefined;
  }

  #follow(queued: Record<Queue, number[]>): string | undefined {
    this.#queued = queued;
    for (const queue of QUEUES) {
      const numbers = queued[queue];
      const again = numbers.find((number) => this.#delivered.has(number));
      if (again !== undefined) return `queued message ${again} waits again after it was delivered`;
      const due = this.#due[queue];
      const known = numbers.filter((number) => due.includes(number));
      const expected = due.filter((number) => numbers.includes(number));
      if (known.join() !== expected.join())
        return `the ${queue} queue holds ${known.join(", ")} instead of ${expected.join(", ")}`;
      due.push(...numbers.filter((number) => !due.includes(number)));
    }
    return undefined;
  }

  #deliver(message: number): string | undefined {
    if (this.#delivered.has(message)) return `queued message ${message} was delivered twice`;
    this.#delivered.add(message);
    const queue = QUEUES.find((one) => this.#due[one].includes(message));
    const first = queue && this.#due[queue][0];
    if (QUEUES.some((one) => this.#queued[one].includes(message)))
      return `queued message ${message} was delivered and still waits`;
    if (first !== undefined && first !== message)
      return `queued message ${message} was delivered before ${first}, which was queued earlier`;
    return this.#settle((number) => number !== message);
  }

  #settle(isDue: (number: number) => boolean): undefined {
    for (const queue of QUEUES) this.#due[queue] = this.#due[queue].filter(isDue);
  }

  #rest(): string | undefined {
    const lost = QUEUES.flatMap((queue) =>
      this.#due[queue].filter((number) => !this.#queued[queue].includes(number)),
    );
    return lost.length > 0 ? `queued message ${lost[0]} is neither delivered nor in its queue` : undefined;
  }
}

/**
 * I6: what `agent_end` says was added was committed, once each, in that order; and, where the queues are recorded, each
 * queued message waits or was delivered, once, in the order of its queue.
 */
export const messagesAreInOnePlace: Law = {
  name: "I6",
  says: "A queued message is in exactly one place, the queue or the transcript, and order is kept.",
  watch: () => new Watch(),
};
