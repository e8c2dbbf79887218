function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The same text for the same tool with the same arguments, whatever the order of their fields. */
export function callKey(name: string, args: unknown): string {
  return `${name} ${JSON.stringify(args, sorted)}`;
}
