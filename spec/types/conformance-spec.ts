import { describe, expect, it } from "@jest/globals";
import ts from "typescript";
import { readSources } from "../support/architecture/sources";
import { compile, createProgram, PI_IS_OURS } from "../support/compile";
import { projectRoot } from "../support/projectRoot";

const PI = "@earendil-works/pi-agent-core";
const RX = "pi-agent-rx";

/** A program that adds a message type of its own; kept apart from the others, since it changes every AgentMessage. */
const MERGING = `
import { Agent, type AgentMessage, type CustomAgentMessages, type StreamFn } from "${PI}";

declare module "${PI}" {
  interface CustomAgentMessages {
    notice: { role: "notice"; text: string; timestamp: number };
  }
}

declare const streamFn: StreamFn;
export const notice: AgentMessage = { role: "notice", text: "Saved", timestamp: 1 };
export const same: CustomAgentMessages["notice"] = { role: "notice", text: "Saved", timestamp: 1 };
export const agent = new Agent({
  streamFn,
  initialState: { messages: [notice] },
  convertToLlm: (messages) => messages.flatMap((message) => (message.role === "notice" ? [] : [message])),
});
agent.subscribe((event) => {
  if (event.type === "message_end" && event.message.role === "notice") event.message.text.trim();
});
void agent.prompt(notice);
agent.steer(notice);
// @ts-expect-error -- the text is missing
agent.followUp({ role: "notice", timestamp: 1 });
// @ts-expect-error -- a role that nobody declared
export const other: AgentMessage = { role: "other", timestamp: 1 };
`;

const programs = Object.fromEntries(
  readSources(projectRoot, "spec/types/programs").map(({ path, text }) => [path, text]),
);

describe("a program written for pi-agent-core", () => {
  it("compiles against pi-agent-core", () => {
    expect(compile(programs)).toEqual([]);
  }, 60_000);

  it("compiles against pi-agent-rx", () => {
    expect(compile(programs, PI_IS_OURS)).toEqual([]);
  }, 60_000);

  it("declares messages of its own in both", () => {
    expect(compile({ "spec/types/merging.ts": MERGING })).toEqual([]);
    expect(compile({ "spec/types/merging.ts": MERGING }, PI_IS_OURS)).toEqual([]);
  }, 60_000);

  it("is really compiled: an error in it is found, on either side", () => {
    const wrong = { "spec/types/wrong.ts": `import { Agent } from "${PI}";\nnew Agent({ streamFn: 1 });` };
    expect(compile(wrong)).toEqual([expect.stringMatching(/^spec\/types\/wrong\.ts:2 .*'number'/)]);
    expect(compile(wrong, PI_IS_OURS)).toEqual([
      expect.stringMatching(/^spec\/types\/wrong\.ts:2 .*'number'/),
    ]);
  }, 60_000);
});

/** Names that pi exports: types (classes among them) and values. */
function exportsOfPi() {
  const path = "spec/types/names.ts";
  const program = createProgram({ [path]: `export * from "${PI}";` });
  const checker = program.getTypeChecker();
  const symbols = checker
    .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(`${projectRoot}/${path}`)!)!)
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
  const named = (flag: ts.SymbolFlags) => symbols.filter(({ flags }) => flags & flag).map(({ name }) => name);
  return {
    types: named(ts.SymbolFlags.Type),
    values: named(ts.SymbolFlags.Function | ts.SymbolFlags.Variable),
  };
}

const names = exportsOfPi();

/** How a type is written on one side: members only for the class, whose private fields make it a type of its own. */
function typeText(side: "Pi" | "Rx", name: string): string {
  if (name === "Agent") return `Pick<${side}.Agent, keyof Pi.Agent>`;
  return `${side}.${name}${name === "AgentToolParams" ? "<Schema>" : ""}`;
}

/** One program that holds each export of pi twice, and says which side fits the other. */
function pairedProgram() {
  const path = "spec/types/both.ts";
  const sides = ["Pi", "Rx"] as const;
  const text = [
    `import type * as Pi from "${PI}";`,
    `import type * as Rx from "${RX}";`,
    `import { obj, str } from "@earendil-works/pi-schema";`,
    `const schema = obj({ path: str() });`,
    `type Schema = typeof schema;`,
    ...sides.flatMap((side) => [
      ...names.types.map((name) => `export declare const ${side}_type_${name}: ${typeText(side, name)};`),
      ...names.values.map((name) => `export declare const ${side}_value_${name}: typeof ${side}.${name};`),
    ]),
  ].join("\n");
  const program = createProgram({ [path]: text });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(`${projectRoot}/${path}`)!;
  const types = new Map(
    checker
      .getExportsOfModule(checker.getSymbolAtLocation(file)!)
      .map((symbol) => [symbol.name, checker.getTypeOfSymbolAtLocation(symbol, file)]),
  );
  const fits = (from: string, to: string) => checker.isTypeAssignableTo(types.get(from)!, types.get(to)!);
  return { errors: program.getSemanticDiagnostics(file).map(({ messageText }) => messageText), fits };
}

const { errors, fits } = pairedProgram();

describe("the types of pi-agent-core", () => {
  it("all stand in pi-agent-rx", () => {
    expect(names.types.length).toBe(36);
    expect(names.values.length).toBe(8);
    expect(errors).toEqual([]);
  });

  it.each(names.types.filter((name) => name !== "Agent"))("%s: what is pi's fits ours", (name) => {
    expect(fits(`Pi_type_${name}`, `Rx_type_${name}`)).toBe(true);
  });

  it.each(names.types)("%s: what is ours fits pi's", (name) => {
    expect(fits(`Rx_type_${name}`, `Pi_type_${name}`)).toBe(true);
  });

  it.each(names.values)("%s: ours stands where pi's is asked for", (name) => {
    expect(fits(`Rx_value_${name}`, `Pi_value_${name}`)).toBe(true);
  });
});
