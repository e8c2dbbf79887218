import type { Api, Model } from "@earendil-works/pi-ai";
import { map, Subscription, type Observable } from "rxjs";
import { lane } from "../../internal/lane";
import { whenSettled } from "../../internal/whenSettled";
import { runControl } from "../../internal/runControl";
import type { AgentEvent } from "../../types/event";
import type { Gate } from "../../types/gate";
import type { ReactiveAgentOptions } from "../../types/options";
import { alphabet } from "./alphabet";
import { diagramListener } from "./diagramListener";
import type { DiagramOperator, DiagramParts, DiagramWords } from "./DiagramParts";
import type { Diagram } from "./parseDiagram";
import type { Letter, RowSources } from "./RowSources";
import { sourceValue } from "./sourceValue";
import { wordsOfSetting } from "./wordsOfSetting";

type Mark = (row: string, letter: string) => void;

function gateOf(diagram: Diagram, mark: Mark): Gate {
  const hear = diagramListener(diagram.settings, (event) => mark("listener", alphabet[event.type]));
  return lane((event, passed, failed) => whenSettled(hear(event), passed, failed));
}

/** Runs the operator that a diagram names, on its row `source:` or on an agent's events, into its row `result:`. */
export function traceOperator(run: {
  diagram: Diagram;
  sources: RowSources;
  operators: Record<string, DiagramOperator>;
  options: ReactiveAgentOptions;
  words: (args: unknown[]) => DiagramWords;
  show: (value: unknown) => void;
  mark: Mark;
  events$?: Observable<AgentEvent>;
}): void {
  const { diagram, sources, operators, options, mark } = run;
  const { operator: setting = "", abortGraceMs } = diagram.settings;
  const [{ name, args } = { name: "", args: [] }] = wordsOfSetting(setting);
  const operator = operators[name];
  if (!operator) throw new Error(`diagram: no operator ${JSON.stringify(name)} was given`);
  const control = runControl(abortGraceMs === undefined ? undefined : Number(abortGraceMs));
  const parts: DiagramParts = { ...run.words(args), gate: gateOf(diagram, mark), control, options };
  const value = sourceValue(diagram, options.initialState!.model as Model<Api>) as (letter: Letter) => never;
  const source$ = run.events$ ?? sources.demand("source", "", "the operator").pipe(map(value));
  const subscription = new Subscription();
  const users$ = run.events$ ? undefined : sources.take("user");
  users$?.subscribe(({ meaning }) => {
    if (meaning.verb === "unsubscribe") subscription.unsubscribe();
    else control.abort(meaning.text);
  });
  const result$ = operator(parts)(source$ as Observable<never>);
  subscription.add(
    result$.subscribe({
      next: run.show,
      error: () => mark("result", "#"),
      complete: () => mark("result", "|"),
    }),
  );
}
