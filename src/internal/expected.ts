import { isObject } from "./isObject";

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return "an array";
  return isObject(value) ? "an object" : typeof value === "function" ? "a function" : String(value);
}

/** The error for bad input: names the part, what was expected and what came. */
export function expected(name: string, what: string, got: unknown): TypeError {
  return new TypeError(`${name}: expected ${what}, got ${shown(got)}`);
}
