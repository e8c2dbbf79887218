import type { AgentEvent } from "pi-agent-rx";
import { connect, map, merge, type Observable, type OperatorFunction } from "rxjs";
import { answer } from "./answer";
import { ending } from "./ending";
import { freshLine, type Piece } from "./freshLine";
import type { Screen } from "./screen";
import { toolCalls } from "./toolCalls";

const asBlock = map((text: string): Piece => ({ text, block: true }));
const inline = map((text: string): Piece => ({ text, block: false }));

/**
 * The agent's events as text for a terminal: `agent.events$.pipe(render(screen, notices$))`.
 *
 * Three operators look at the same events, each for its own. An event reaches them in the order in which they stand:
 * the tool calls first, so that their lines are out of the way when an answer begins.
 */
export const render = (screen: Screen, notices$: Observable<string>): OperatorFunction<AgentEvent, string> =>
  connect((events$) =>
    merge(
      events$.pipe(toolCalls(screen, notices$), asBlock),
      events$.pipe(answer(screen), inline),
      events$.pipe(ending(screen), asBlock),
    ).pipe(freshLine),
  );
