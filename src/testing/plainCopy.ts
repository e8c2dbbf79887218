type Seen = Map<object, unknown>;

function members(value: object, seen: Seen): unknown {
  if (Array.isArray(value)) return value.map((item) => copied(item, seen) ?? null);
  const entries: [string, unknown][] = value instanceof Error ? [["message", value.message]] : [];
  for (const key of Object.keys(value)) entries.push([key, (value as Record<string, unknown>)[key]]);
  const kept = entries.flatMap(([key, item]): [string, unknown][] => {
    const copy = copied(item, seen);
    return copy === undefined ? [] : [[key, copy]];
  });
  return Object.fromEntries(kept);
}

function copied(value: unknown, seen: Seen): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Map) return copied([...(value as Map<unknown, unknown>)], seen);
  if (value instanceof Set) return copied([...(value as Set<unknown>)], seen);
  if (seen.has(value)) return "[circular]";
  seen.set(value, undefined);
  const copy = members(value, seen);
  seen.delete(value);
  return copy;
}

/**
 * A deep copy that is plain JSON: functions, symbols and `undefined` are left out, an error keeps its message and its own
 * fields, a circle is cut with "[circular]".
 */
export function plainCopy<T>(value: T): T {
  return copied(value, new Map()) as T;
}
