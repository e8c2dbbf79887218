import { afterEach } from "@jest/globals";
import type { AgentTool } from "pi-agent-rx";
import type { McpToolDetails } from "pi-agent-rx/mcp";
import { BehaviorSubject, filter, firstValueFrom, type Observable, type Subscription } from "rxjs";

type Tools = AgentTool<object, McpToolDetails>[];

/** Subscribes to tools until the test ends: each list that came, and the next that is like this. */
export function useTools() {
  const subscriptions: Subscription[] = [];
  afterEach(() => subscriptions.splice(0).forEach((subscription) => subscription.unsubscribe()));
  return (tools$: Observable<Tools>) => {
    const lists: Tools[] = [];
    const latest$ = new BehaviorSubject<Tools | undefined>(undefined);
    const subscription = tools$.subscribe({
      next: (tools) => {
        lists.push(tools);
        latest$.next(tools);
      },
      error: (error) => latest$.error(error),
      complete: () => latest$.complete(),
    });
    subscriptions.push(subscription);
    const until = (test: (tools: Tools) => boolean) =>
      firstValueFrom(latest$.pipe(filter((tools) => tools !== undefined && test(tools)))) as Promise<Tools>;
    return {
      lists,
      until,
      /** The tool of this name, once it is there. */
      tool: async (name: string) => {
        const has = (tool: Tools[number]) => tool.name === name;
        return (await until((tools) => tools.some(has))).find(has)!;
      },
      ended: firstValueFrom(latest$.pipe(filter(() => false)), { defaultValue: "completed" }),
      close: () => subscription.unsubscribe(),
    };
  };
}
