import { pipe, type MonoTypeOperatorFunction } from "rxjs";
import { lane } from "../../internal/lane";
import { runControl } from "../../internal/runControl";
import type { ReactiveAgentOptions } from "../../types/options";
import type { AnyAgentTool } from "../../types/tool";
import { diagramHooks } from "./diagramHooks";
import { diagramModel } from "./diagramModel";
import { diagramOperator } from "./diagramOperator";
import type { DiagramOperator, DiagramPolicy, DiagramWords } from "./DiagramParts";
import { diagramStreamFn } from "./diagramStreamFn";
import { diagramTool } from "./diagramTool";
import type { Diagram } from "./parseDiagram";
import type { RowSources } from "./RowSources";
import { virtualTool } from "./virtualTool";
import { wordsOfSetting } from "./wordsOfSetting";

const NUMBERS = ["toolConcurrency", "abortGraceMs"];
const WORDS = ["toolExecution", "steeringMode", "followUpMode"];

const listed = (setting = "") => setting.split(/,\s*/).filter(Boolean);

function toolsOf({ rows, settings }: Diagram, sources: RowSources, own: readonly AnyAgentTool[]) {
  const names = rows.filter(({ kind }) => kind === "tool" || kind === "stream").map(({ name }) => name);
  const heeding = listed(settings.heeds);
  const sequential = listed(settings.sequential);
  const drawn = [...new Set(names)].map((name) => {
    const tool = diagramTool(name, sources, heeding.includes(name));
    return sequential.includes(name) ? { ...tool, executionMode: "sequential" as const } : tool;
  });
  const problem = (text: string) => void sources.problems.push(text);
  const others = own.filter(({ name }) => !names.includes(name));
  return [...drawn, ...others.map((tool) => virtualTool(tool, problem))];
}

/** What names of a diagram stand for. */
interface Named {
  operators?: Record<string, DiagramOperator>;
  policies?: Record<string, DiagramPolicy>;
  words: (args: unknown[]) => DiagramWords;
}

function policyOf(setting: string, { policies = {}, words }: Named): (subject: never) => unknown[] {
  const made = wordsOfSetting(setting).map((one) => {
    const policy = diagramOperator(one) ?? policies[one.name]?.(words(one.args));
    if (!policy) throw new Error(`diagram: no policy ${JSON.stringify(one.name)} was given`);
    return policy;
  });
  return (subject) => made.map((policy) => policy(subject));
}

/** The operators and the `finishTurn` that the settings name. */
function namedOptions({ settings }: Diagram, named: Named, given: () => ReactiveAgentOptions) {
  const { response, toolCall, context, finishTurn } = settings;
  const piped = (setting: string) => {
    const policy = policyOf(setting, named);
    return (subject: never) => pipe(...(policy(subject) as [MonoTypeOperatorFunction<never>]));
  };
  const wrapped = (setting: string) =>
    wordsOfSetting(setting).map(({ name, args }) => {
      const operator = named.operators?.[name];
      if (!operator) throw new Error(`diagram: no operator ${JSON.stringify(name)} was given`);
      const [gate, control] = [lane((_event, passed) => passed()), runControl()];
      return operator({ ...named.words(args), gate, control, options: given() });
    });
  const decide = finishTurn ? policyOf(finishTurn, named) : undefined;
  return {
    operators: {
      ...(response ? { response: piped(response) } : {}),
      ...(toolCall ? { toolCall: piped(toolCall) } : {}),
      ...(context ? { context: pipe(...(wrapped(context) as [MonoTypeOperatorFunction<never>])) } : {}),
    },
    ...(decide ? { finishTurn: (turn: never) => decide(turn)[0] } : {}),
  } as ReactiveAgentOptions;
}

/** The options of an agent whose model, tools, hooks and operators do what the diagram's rows say. */
export function diagramAgentOptions(
  options: Named & {
    diagram: Diagram;
    sources: RowSources;
    tools?: readonly AnyAgentTool[];
    onRequest: (messages: string) => void;
  },
): ReactiveAgentOptions {
  const { diagram, sources, tools = [], onRequest } = options;
  const { settings } = diagram;
  const chosen = (names: string[], value: (text: string) => unknown) =>
    names.filter((name) => settings[name]).map((name) => [name, value(settings[name]!)] as const);
  const given: ReactiveAgentOptions = {
    ...Object.fromEntries([...chosen(NUMBERS, Number), ...chosen(WORDS, String)]),
    ...diagramHooks(diagram, sources),
    streamFn: diagramStreamFn(sources, listed(settings.heeds).includes("model"), onRequest),
    initialState: { model: diagramModel, tools: toolsOf(diagram, sources, tools) },
  };
  return { ...given, ...namedOptions(diagram, options, () => given) };
}
