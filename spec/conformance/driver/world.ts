import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { Entry, Log, StateView } from "../log";
import type { CallSpec, Script } from "../script";
import type { AgentLike } from "./agentLike";
import { snapshot } from "./snapshot";
import { elapsed } from "./virtualTime";

export interface ScriptedCall {
  spec: CallSpec;
  index: number;
  batch: number;
}

interface Shown {
  what: string;
  changed: () => string | undefined;
}

type Unstamped<E> = E extends Entry ? Omit<E, "at"> : never;

/** One run of a script against one agent: what happened, and which object is which. */
export class World {
  readonly log: Log = [];
  agent!: AgentLike;
  readonly unsubscribes: (() => void)[] = [];
  seenByFirst = 0;
  /** From here on hooks, listeners and the provider do no mischief. */
  calm = false;
  /** A watched run was left and has not settled yet: a prompt would wait for it instead of being refused. */
  leaving = false;
  private readonly shown: Shown[] = [];
  private readonly names = new WeakMap<object, string>();
  private readonly counters = new Map<string, number>();
  private readonly calls = new Map<string, { twins: ScriptedCall[]; taken: number; placed: number }>();

  constructor(
    readonly script: Script,
    /** Two implementations are compared: nothing may hang on the number of microtasks. */
    readonly exact: boolean,
  ) {}

  record(entry: Unstamped<Entry>): void {
    this.log.push({ at: elapsed(), ...entry });
  }

  /** 0, 1, 2 … for each key. */
  next(key: string): number {
    const n = this.counters.get(key) ?? 0;
    this.counters.set(key, n + 1);
    return n;
  }

  name<T extends object>(object: T, name: string): T {
    this.names.set(object, name);
    return object;
  }

  nameOf(object: unknown): string | null {
    return typeof object === "object" && object !== null ? (this.names.get(object) ?? null) : null;
  }

  identities(messages: readonly AgentMessage[]): string[] {
    return messages.map((message) => this.nameOf(message) ?? message.role);
  }

  /** Makes the calls of one response known; an id that an earlier response used is a new call. */
  announceCalls(calls: { id: string; call: ScriptedCall }[]): void {
    for (const { id } of calls) this.calls.set(id, { twins: [], taken: 0, placed: 0 });
    for (const { id, call } of calls) this.calls.get(id)?.twins.push(call);
  }

  /** Calls with one id are taken in the order they were announced. */
  takeCall(id: string): ScriptedCall | undefined {
    const known = this.calls.get(id);
    return known?.twins[Math.min(known.taken++, known.twins.length - 1)];
  }

  /** The place in its batch of the next call with this id to be finalized; twins get two places. */
  placeOf(id: string): number {
    const known = this.calls.get(id);
    return known?.twins[Math.min(known.placed++, known.twins.length - 1)]?.index ?? 0;
  }

  /** Remembers what was shown, to see at the end whether it is still the same. */
  watch(what: string, changed: () => string | undefined): void {
    this.shown.push({ what, changed });
  }

  recordChanges(): void {
    for (const { what, changed } of this.shown) {
      const field = changed();
      if (field !== undefined) this.record({ kind: "changed", what: `${field} of ${what}` });
    }
  }

  stateView(): StateView {
    const state = this.agent.state;
    return {
      isStreaming: state.isStreaming,
      streaming: snapshot(state.streamingMessage),
      pending: [...state.pendingToolCalls].sort(),
      error: state.errorMessage ?? null,
      count: state.messages.length,
    };
  }
}
