import type { Observable, Subscription } from "rxjs";
import type { AgentEvent } from "../../types/event";
import type { AgentMessage } from "../../types/messages";
import type { Meaning } from "./parseMeaning";

/** What a diagram does to an agent. `Agent` fits. */
export interface DiagramAgent {
  readonly events$: Observable<AgentEvent>;
  readonly state: { readonly messages: AgentMessage[] };
  subscribe(listener: (event: AgentEvent) => Observable<unknown> | undefined): () => void;
  prompt$(input: string): Observable<AgentEvent>;
  continue$(): Observable<AgentEvent>;
  steer(message: AgentMessage): void;
  followUp(message: AgentMessage): void;
  clearAllQueues(): void;
  abort(reason?: unknown): void;
  dispose(): void;
}

const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 0 });

/** Carries out the actions of a `user:` row on an agent. */
export function diagramUser(
  agent: DiagramAgent,
  onSettled: (letter: "|" | "#") => void,
): (meaning: Meaning) => void {
  let run: Subscription | undefined;
  const start = (run$: Observable<AgentEvent>) => {
    run = run$.subscribe({ complete: () => onSettled("|"), error: () => onSettled("#") });
  };
  const actions: Record<string, (text: string) => void> = {
    prompt: (text) => start(agent.prompt$(text)),
    continue: () => start(agent.continue$()),
    steer: (text) => agent.steer(user(text)),
    followUp: (text) => agent.followUp(user(text)),
    abort: (text) => agent.abort(text),
    unsubscribe: () => run?.unsubscribe(),
    clear: () => agent.clearAllQueues(),
    dispose: () => agent.dispose(),
  };
  return ({ verb, text = "" }) => {
    const action = actions[verb];
    if (!action) throw new Error(`diagram: ${verb} is nothing that a user does`);
    action(text);
  };
}
