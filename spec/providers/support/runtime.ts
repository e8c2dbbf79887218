export { Agent, agentLoop } from "@earendil-works/pi-agent-core";
export type {
  AgentEvent,
  AgentLoopConfig,
  AgentMessage,
  AgentOptions,
  AgentTool,
  StreamFn,
} from "@earendil-works/pi-agent-core";
