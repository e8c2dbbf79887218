import { TestScheduler, type RunHelpers } from "rxjs/testing";
import type { AgentEvent } from "../../types/event";
import type { ReactiveAgentOptions } from "../../types/options";
import type { AnyAgentTool } from "../../types/tool";
import { alphabet } from "./alphabet";
import { describeMessages } from "./describeMessages";
import { diagramAgentOptions } from "./diagramAgentOptions";
import { diagramListener } from "./diagramListener";
import type { DiagramOperator, DiagramPolicy } from "./DiagramParts";
import { diagramUser, type DiagramAgent } from "./diagramUser";
import { diagramWords } from "./diagramWords";
import type { Mark } from "./marbleRow";
import type { Diagram } from "./parseDiagram";
import { RowSources } from "./RowSources";
import { showValue } from "./showValue";
import { subjectsOf } from "./subjectsOf";
import { traceOperator } from "./traceOperator";

/** What a diagram runs on. */
export interface DiagramOptions {
  /** Makes the agent: `(options) => new Agent(options)`, with options of your own merged in. */
  agent: (options: ReactiveAgentOptions) => DiagramAgent;
  /** Operators that a diagram can name: with `operator:` on a row `source:` or on the agent's events, and with `context:`. */
  operators?: Record<string, DiagramOperator>;
  /** Policies that a diagram can name with `response:`, `toolCall:` and `finishTurn:`. */
  policies?: Record<string, DiagramPolicy>;
  /** Tools of your own; a tool that has rows in the diagram stands instead. */
  tools?: readonly AnyAgentTool[];
}

/** What really happened, by row: marks of `events`, `of …`, `listener`, `settled`; and the settings that are checked. */
export interface Trace {
  marks: Record<string, Mark[]>;
  settings: Record<string, string>;
  sources: RowSources;
}

/** Runs a diagram in virtual time and tells what happened. */
export function traceDiagram(diagram: Diagram, options: DiagramOptions): Trace {
  const scheduler = new TestScheduler(() => undefined);
  return scheduler.run((helpers) => trace(diagram, options, helpers, () => scheduler.frame));
}

function trace(diagram: Diagram, options: DiagramOptions, helpers: RunHelpers, now: () => number): Trace {
  const sources = new RowSources(diagram, helpers);
  const marks: Record<string, Mark[]> = {};
  const settings: Record<string, string> = {};
  const mark = (row: string, letter: string) => void (marks[row] ??= []).push({ frame: now(), letter });
  const show = showValue(diagram, mark, settings);
  const words = (args: unknown[]) => diagramWords({ diagram, sources, args, show });
  let requests = 0;
  const given = diagramAgentOptions({
    ...{ diagram, sources, words },
    ...{ operators: options.operators, policies: options.policies, tools: options.tools },
    onRequest: (messages) => (settings[`request ${++requests}`] = messages),
  });
  const named = { diagram, sources, operators: options.operators ?? {}, options: given, words, show, mark };
  if (diagram.rows.some(({ kind }) => kind === "source")) {
    traceOperator(named);
    helpers.flush();
  } else {
    const agent = options.agent(given);
    const act = diagramUser(agent, (letter) => mark("settled", letter));
    watch(agent, diagram, mark, settings, (letter) => act(sources.meaning("user", letter)));
    if (diagram.settings.operator) traceOperator({ ...named, events$: agent.events$ });
    sources.demand("user", "", "the run").subscribe(({ meaning }) => act(meaning));
    helpers.flush();
    settings.transcript = describeMessages(agent.state.messages);
  }
  return { marks, settings, sources };
}

function watch(
  agent: DiagramAgent,
  diagram: Diagram,
  mark: (row: string, letter: string) => void,
  settings: Record<string, string>,
  act: (letter: string) => void,
): void {
  const told = (event: AgentEvent) => mark("listener", alphabet[event.type]);
  agent.subscribe(diagramListener(diagram.settings, told, act));
  agent.events$.subscribe((event) => {
    const letter = alphabet[event.type];
    mark("events", letter);
    for (const subject of subjectsOf(event)) mark(`of ${subject}`, letter);
    if (event.type === "agent_end") {
      const { outcome = "", reason } = event;
      settings.outcome = outcome + (typeof reason === "string" ? ` ${JSON.stringify(reason)}` : "");
    }
  });
}
