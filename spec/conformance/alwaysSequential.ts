import type { Script } from "./script";

/** No run of the script has two tools running at once. */
export function alwaysSequential({ agent, actions, steps, listeners }: Script): boolean {
  const switches = JSON.stringify([actions, steps, listeners]).includes('"toolExecution"');
  return agent.toolExecution === "sequential" && !switches;
}
