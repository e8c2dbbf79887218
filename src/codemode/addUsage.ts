import type { Usage } from "@earendil-works/pi-ai";

/** The sum of what was used before and what is used now. */
export function addUsage(before: Usage | undefined, now: Usage | undefined): Usage | undefined {
  if (!before || !now) return before ?? now;
  const sum = <K extends string>(a: Record<K, number>, b: Record<K, number>, names: readonly K[]) =>
    Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as Record<K, number>;
  const parts = ["input", "output", "cacheRead", "cacheWrite"] as const;
  return {
    ...sum(before, now, [...parts, "totalTokens"]),
    cost: sum(before.cost, now.cost, [...parts, "total"]),
  };
}
