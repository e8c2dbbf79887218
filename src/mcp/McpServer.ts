import type { McpClientOptions, McpOutputSaver, McpTransport } from "@earendil-works/pi-mcp";

/** What the tools of a server are made with. */
export interface McpToolsOptions {
  /** Begins the names of its tools, `mcp__<name>__<tool>`. @defaultValue the name that the server gives itself */
  name?: string;
  /** How long a call may go without an answer or progress, in ms. @defaultValue the client's, 30000 */
  timeoutMs?: number;
  /** Keeps the whole text of a result that is cut for the model, and says where. @defaultValue it is not kept */
  saveOutput?: McpOutputSaver;
}

/** How to come back to a server that went away. */
export interface McpReconnectOptions {
  /** How often it is tried before the server is given up. @defaultValue 10 */
  attempts?: number;
  /** Before the first attempt, in ms; doubled for each that fails. @defaultValue 500 */
  delayMs?: number;
  /** The longest delay, in ms; a connection that lasts longer clears the count. @defaultValue 10000 */
  maxDelayMs?: number;
}

/** A server that `mcpTools` connects to itself. */
export interface McpServer extends McpToolsOptions {
  name: string;
  /** Makes a transport, a new one for each connection: pi-mcp's `StdioTransport`, `StreamableHttpTransport`, …. */
  transport: () => McpTransport;
  /** Options of pi-mcp's client, its `name` and `version` among them. @defaultValue names this library */
  client?: Partial<McpClientOptions>;
  /** `false`: the tools complete when the connection is closed. */
  reconnect?: McpReconnectOptions | false;
}
