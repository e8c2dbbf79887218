/** What a contender is called on the results page. */
export const names = {
  floor: "floor, no library",
  ours: "pi-agent-rx, `Agent`",
  "ours-loop": "pi-agent-rx, `agentLoop`",
  operators: "pi-agent-rx/operators",
  context: "pi-agent-rx/context",
  pi: "pi-agent-core",
  "pi-ai": "pi-ai alone",
  rxjs: "rxjs alone",
  openai: "@openai/agents",
  tanstack: "@tanstack/ai",
  ai: "ai",
  langgraph: "@langchain/langgraph",
  mastra: "@mastra/core",
};
