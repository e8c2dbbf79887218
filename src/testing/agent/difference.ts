function shown(value: unknown): string {
  const text = typeof value === "function" ? "a function" : JSON.stringify(value);
  return text === undefined ? "undefined" : text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

/** Where a value is not as expected, and how; objects may hold more than is expected of them, arrays and sets may not. */
export function difference(actual: unknown, expected: unknown, path: string): string | undefined {
  if (Object.is(actual, expected)) return undefined;
  const wrong = `${path}\n  expected  ${shown(expected)}\n  actual    ${shown(actual)}`;
  if (expected instanceof Set && actual instanceof Set)
    return difference([...(actual as Set<unknown>)], [...(expected as Set<unknown>)], path);
  if (typeof expected !== "object" || expected === null) return wrong;
  if (typeof actual !== "object" || actual === null) return wrong;
  if (Array.isArray(expected) && (!Array.isArray(actual) || actual.length !== expected.length)) return wrong;
  for (const [key, value] of Object.entries(expected)) {
    const place = Array.isArray(expected) ? `${path}[${key}]` : `${path}.${key}`;
    const inside = difference((actual as Record<string, unknown>)[key], value, place);
    if (inside !== undefined) return inside;
  }
  return undefined;
}
