import type { ReactiveAgentOptions } from "../../types/options";
import type { AnyAgentTool } from "../../types/tool";
import { diagramHooks } from "./diagramHooks";
import { diagramOperator } from "./diagramOperator";
import { diagramStreamFn } from "./diagramStreamFn";
import { diagramTool } from "./diagramTool";
import type { Diagram } from "./parseDiagram";
import type { RowSources } from "./RowSources";
import { virtualTool } from "./virtualTool";

const NUMBERS = ["toolConcurrency", "abortGraceMs"];
const WORDS = ["toolExecution", "steeringMode", "followUpMode"];

/** The model of every diagram. */
const model = {
  id: "diagram",
  name: "Diagram",
  api: "diagram",
  provider: "diagram",
  baseUrl: "",
  reasoning: false,
  input: ["text" as const],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1000,
  maxTokens: 100,
};

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

/** The options of an agent whose model, tools, hooks and operators do what the diagram's rows say. */
export function diagramAgentOptions(
  diagram: Diagram,
  sources: RowSources,
  own: readonly AnyAgentTool[],
  onRequest: (messages: string) => void,
): ReactiveAgentOptions {
  const { settings } = diagram;
  const { response, toolCall } = settings;
  const chosen = (names: string[], value: (text: string) => unknown) =>
    names.filter((name) => settings[name]).map((name) => [name, value(settings[name]!)] as const);
  return {
    ...Object.fromEntries([...chosen(NUMBERS, Number), ...chosen(WORDS, String)]),
    ...diagramHooks(diagram, sources),
    operators: {
      ...(response ? { response: () => diagramOperator(response) } : {}),
      ...(toolCall ? { toolCall: () => diagramOperator(toolCall) } : {}),
    },
    streamFn: diagramStreamFn(sources, listed(settings.heeds).includes("model"), onRequest),
    initialState: { model, tools: toolsOf(diagram, sources, own) },
  };
}
