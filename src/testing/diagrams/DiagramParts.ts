import type { Observable, OperatorFunction } from "rxjs";
import type { Gate, RunControl } from "../../types/gate";
import type { ReactiveAgentOptions } from "../../types/options";

/** What a policy of a diagram may be made of. */
export interface DiagramWords {
  /** What stands behind the name: `5` and `{"attempts": 2}` of `operator: mine 5 {"attempts": 2}`. */
  argument: <T>(index?: number) => T;
  /** The row `input name:`, hot; its letters are those of a source. */
  input: <T>(name: string) => Observable<T>;
  /** Draws a value into the row `result:`. */
  show: (value: unknown) => void;
}

/** What an operator of a diagram may be made of. */
export interface DiagramParts extends DiagramWords {
  /** Every event passes it; a `hold:` of the diagram holds it. */
  gate: Gate;
  /** Aborted by `Q` in the row `user:`. */
  control: RunControl;
  /** Model, tools, hooks and settings of the diagram, as an agent would take them. */
  options: ReactiveAgentOptions;
}

/** An operator that a diagram can name with `operator:` or `context:`. */
export type DiagramOperator = (parts: DiagramParts) => OperatorFunction<never, unknown>;

/** A policy that a diagram can name with `response:`, `toolCall:` or `finishTurn:`. */
export type DiagramPolicy = (words: DiagramWords) => (subject: never) => unknown;
