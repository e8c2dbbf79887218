import { timer, type Observable } from "rxjs";
import type { AgentEvent } from "../../types/event";
import { alphabet } from "./alphabet";

/** `m 2; X#1 3`: for each letter, or one occurrence of it, a word. */
function entries(setting: string | undefined): Map<string, string> {
  const found = (setting ?? "").split(/[;,]\s*/).filter(Boolean);
  return new Map(found.map((entry) => entry.split(/\s+(.*)/) as [string, string]));
}

/**
 * The listener of a diagram: `hold: m 2; X#1 3` says how many frames it holds the barrier at an event, or only at the
 * first of its kind, `fail: m#2` at which it throws, `does: m#2 Q` what of a user it does meanwhile.
 */
export function diagramListener(
  settings: Record<string, string>,
  onTold: (event: AgentEvent) => void,
  act?: (letter: string) => void,
): (event: AgentEvent) => Observable<unknown> | undefined {
  const holds = entries(settings.hold);
  const fails = entries(settings.fail);
  const acts = entries(settings.does);
  const counts = new Map<string, number>();
  return (event) => {
    const letter = alphabet[event.type];
    const count = (counts.get(letter) ?? 0) + 1;
    counts.set(letter, count);
    onTold(event);
    const of = (map: Map<string, string>) => [letter, `${letter}#${count}`].find((key) => map.has(key));
    const [failing, holding, acting] = [of(fails), of(holds), of(acts)];
    if (acting) act?.(acts.get(acting)!);
    if (failing) throw new Error(`The listener failed on ${failing}`);
    return holding ? timer(Number(holds.get(holding))) : undefined;
  };
}
