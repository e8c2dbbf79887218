import type { Api, Model } from "@earendil-works/pi-ai";
import { ignoreElements, map, throwError, type OperatorFunction } from "rxjs";
import { lane } from "../../internal/lane";
import { runControl } from "../../internal/runControl";
import type { AgentEvent } from "../../types/event";
import type { Gate, RunControl } from "../../types/gate";
import type { ReactiveAgentOptions } from "../../types/options";
import { alphabet } from "./alphabet";
import { diagramListener } from "./diagramListener";
import { letterOf } from "./letterOf";
import type { Diagram } from "./parseDiagram";
import type { Letter, RowSources } from "./RowSources";
import { sourceValue } from "./sourceValue";
import { subjectsOf } from "./subjectsOf";

/** What an operator of a diagram may be made of. */
export interface DiagramParts {
  /** Every event passes it; a `hold:` of the diagram holds it. */
  gate: Gate;
  /** Aborted by `Q` in the row `user:`. */
  control: RunControl;
  /** Model, tools, hooks and settings of the diagram, as an agent would take them. */
  options: ReactiveAgentOptions;
}

/** An operator that a diagram can name. */
export type DiagramOperator = (parts: DiagramParts) => OperatorFunction<never, unknown>;

function gateOf(diagram: Diagram, mark: (row: string, letter: string) => void): Gate {
  const hear = diagramListener(diagram.settings, (event) => mark("listener", alphabet[event.type]));
  return lane((event) => {
    try {
      return hear(event)?.pipe(ignoreElements());
    } catch (error) {
      return throwError(() => error);
    }
  });
}

/** Runs the operator that a diagram names, on its row `source:`, into its row `result:`. */
export function traceOperator(
  diagram: Diagram,
  sources: RowSources,
  operators: Record<string, DiagramOperator>,
  options: ReactiveAgentOptions,
  mark: (row: string, letter: string) => void,
): void {
  const { operator: name = "", abortGraceMs } = diagram.settings;
  const operator = operators[name];
  if (!operator) throw new Error(`diagram: no operator ${JSON.stringify(name)} was given`);
  const control = runControl(abortGraceMs === undefined ? undefined : Number(abortGraceMs));
  const gate = gateOf(diagram, mark);
  sources.take("user")?.subscribe(({ meaning }) => control.abort(meaning.text));
  const source$ = sources.demand("source", "", "the operator");
  source$
    .pipe(
      map(sourceValue(options.initialState!.model as Model<Api>) as (letter: Letter) => never),
      operator({ gate, control, options }),
    )
    .subscribe({
      next: (value) => {
        const letter = letterOf(value);
        mark("result", letter);
        const isEvent = Object.values<string>(alphabet).includes(letter);
        if (isEvent) for (const subject of subjectsOf(value as AgentEvent)) mark(`of ${subject}`, letter);
      },
      error: () => mark("result", "#"),
      complete: () => mark("result", "|"),
    });
}
