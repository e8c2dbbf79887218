import type { Usage } from "@earendil-works/pi-ai";

export const usage: Usage = {
  input: 3,
  output: 5,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 8,
  cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, total: 3 },
};
