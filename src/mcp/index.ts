export { mcpTools } from "./mcpTools";
export type { McpReconnectOptions, McpServer, McpToolsOptions } from "./McpServer";
export type { McpToolDetails } from "./mcpTool";
