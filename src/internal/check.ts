import { arrayOf } from "./arrayOf";
import { expected } from "./expected";
import { isObject } from "./isObject";

type Bag = Record<string, unknown>;

const LONGEST_MS = 2 ** 31 - 1;

const absent = (value: unknown) => value === undefined || value === null;

function requireFunction(name: string, value: unknown): void {
  if (typeof value !== "function") throw expected(name, "a function", value);
}

function requireFunctions(prefix: string, bag: Bag, names: readonly string[]): void {
  for (const name of names) {
    if (!absent(bag[name])) requireFunction(prefix + name, bag[name]);
  }
}

function requireTools(name: string, tools: unknown): void {
  arrayOf(name, "tools", tools as unknown[]).forEach((tool, index) => {
    const part = `${name}[${index}]`;
    if (!isObject(tool)) throw expected(part, "a tool", tool);
    const { name: toolName, parameters } = tool;
    if (typeof toolName !== "string" || toolName === "") throw expected(`${part}.name`, "a name", toolName);
    if (!isObject(parameters)) throw expected(`${part}.parameters`, "a JSON Schema object", parameters);
    requireFunction(`${part}.execute`, tool.execute);
  });
}

function requireMessages(name: string, messages: unknown): void {
  const all = arrayOf(name, "messages", messages as unknown[]);
  const index = all.findIndex((message) => !isMessage(message));
  if (index >= 0) requireMessage(`${name}[${index}]`, all[index]);
}

const isMessage = (message: unknown) => isObject(message) && typeof message.role === "string";

function requireMessage(name: string, message: unknown): void {
  if (!isMessage(message)) throw expected(name, "a message with a role", message);
}

function requireOneOf(name: string, value: unknown, choices: readonly string[], optional = false): void {
  const right = (optional && absent(value)) || choices.includes(value as string);
  if (!right) throw expected(name, choices.map((choice) => JSON.stringify(choice)).join(" or "), value);
}

function requireMs(name: string, value: unknown): void {
  const right = absent(value) || (typeof value === "number" && value >= 0 && value <= LONGEST_MS);
  if (!right) throw expected(name, `a number of ms from 0 to ${LONGEST_MS}`, value);
}

function requireLimit(name: string, value: unknown): void {
  const right = absent(value) || (Number.isInteger(value) && (value as number) >= 1);
  if (!right) throw expected(name, "an integer ≥ 1", value);
}

function requireObject(name: string, value: unknown): void {
  if (!isObject(value)) throw expected(name, "an object", value);
}

/** Checks of what users hand in: each throws an error that names the option and what was expected. */
export const check = {
  object: requireObject,
  function: requireFunction,
  functions: requireFunctions,
  tools: requireTools,
  message: requireMessage,
  messages: requireMessages,
  oneOf: requireOneOf,
  ms: requireMs,
  limit: requireLimit,
};
