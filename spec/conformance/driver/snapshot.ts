import type { Plain } from "../log";

/** A deep copy as plain data: absent and undefined are one, sets are sorted lists, errors are their messages. */
export function snapshot(value: unknown): Plain {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean" || typeof value === "number" || typeof value === "string") return value;
  if (typeof value !== "object") return `[${typeof value}]`;
  if (Array.isArray(value)) return value.map(snapshot);
  if (value instanceof Set) return [...value].map(snapshot).sort();
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  const copy: { [key: string]: Plain } = {};
  for (const key of Object.keys(value)) {
    const field = (value as Record<string, unknown>)[key];
    if (field !== undefined) copy[key] = snapshot(field);
  }
  return copy;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
