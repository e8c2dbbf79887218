import { createMcpToolName, type McpClient, type Tool } from "@earendil-works/pi-mcp";
import {
  BehaviorSubject,
  concat,
  defer,
  distinctUntilChanged,
  filter,
  finalize,
  map,
  NEVER,
  of,
  takeUntil,
  tap,
  type Observable,
} from "rxjs";
import { check } from "../internal/check";
import { expected } from "../internal/expected";
import type { AgentTool } from "../types/tool";
import { closedOf } from "./closedOf";
import { connection } from "./connection";
import type { McpServer, McpToolsOptions } from "./McpServer";
import { mcpTool, type McpToolDetails } from "./mcpTool";
import { onClient } from "./onClient";
import { reconnecting } from "./reconnecting";
import { serverError } from "./serverError";
import { session, type Session } from "./session";

const isServer = (source: McpClient | McpServer): source is McpServer =>
  typeof (source as Partial<McpServer>).transport === "function";

function checkSource(source: McpClient | McpServer, options: McpToolsOptions): void {
  if (!isServer(source) && typeof source.callTool !== "function")
    throw expected("mcpTools", "a McpClient, or a server with a transport function", source);
  if (isServer(source) && (typeof source.name !== "string" || source.name === ""))
    throw expected("mcpTools: name", "a name", source.name);
  check.ms("mcpTools: timeoutMs", options.timeoutMs);
  check.functions("mcpTools: ", { ...options }, ["saveOutput"]);
  if (!isServer(source) || !source.reconnect) return;
  check.limit("mcpTools: reconnect.attempts", source.reconnect.attempts);
  check.ms("mcpTools: reconnect.delayMs", source.reconnect.delayMs);
  check.ms("mcpTools: reconnect.maxDelayMs", source.reconnect.maxDelayMs);
}

function clientOf(client: McpClient): Observable<McpClient> {
  if (client.connectionState !== "connected")
    throw expected("mcpTools", "a connected McpClient", client.connectionState);
  return concat(of(client), NEVER).pipe(takeUntil(closedOf(client)));
}

function sessions(source: McpClient | McpServer, name: string): Observable<Session | undefined> {
  if (!isServer(source)) return session(name, clientOf(source));
  const session$ = session(name, connection(source));
  return source.reconnect === false ? session$ : reconnecting(name, session$, source.reconnect ?? {});
}

const close = (client: McpClient) => void client.close().catch(() => {});

function named(server: string, tools: Tool[]): [tool: Tool, name: string][] {
  const taken = new Set<string>();
  return tools.map((tool) => {
    const name = createMcpToolName(server, tool.name, (one) => taken.has(one));
    taken.add(name);
    return [tool, name];
  });
}

const sameTools = (a: Tool[], b: Tool[]) => JSON.stringify(a) === JSON.stringify(b);

/**
 * The tools of an MCP server, as they are now and whenever they change.
 *
 * @param source - A client that is connected and stays yours, or a server: each subscription connects to it, and
 * unsubscribing closes the connection.
 * @remarks Emits a whole list each time, when the server has said `tools/list_changed` or has come back with others; assign it
 * to `agent.state.tools`. A server that went away is connected to again; calls that come meanwhile wait. Text is cut at
 * pi-mcp's limit, an abort cancels the call at the server, and progress arrives as updates. Fails when the server does not
 * start, or does not come back; completes when a client of yours is closed.
 * @example
 * ```ts
 * import { StdioTransport } from "@earendil-works/pi-mcp";
 * import { mcpTools } from "pi-agent-rx/mcp";
 * import { take } from "rxjs";
 *
 * const files$ = mcpTools({
 *   name: "files",
 *   transport: () =>
 *     new StdioTransport({ command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."] }),
 * });
 * files$.pipe(take(1)).subscribe((tools) => {
 *   agent.state.tools = tools;
 *   console.log(tools[0]?.name); // mcp__files__read_file
 * });
 * ```
 */
export function mcpTools(server: McpServer): Observable<AgentTool<object, McpToolDetails>[]>;
export function mcpTools(
  client: McpClient,
  options?: McpToolsOptions,
): Observable<AgentTool<object, McpToolDetails>[]>;
export function mcpTools(
  source: McpClient | McpServer,
  given: McpToolsOptions = {},
): Observable<AgentTool<object, McpToolDetails>[]> {
  check.object("mcpTools", source);
  const options = isServer(source) ? source : given;
  checkSource(source, options);
  return defer(() => {
    const name = options.name ?? (source as McpClient).serverInfo?.name ?? "server";
    const current$ = new BehaviorSubject<McpClient | undefined>(undefined);
    const run = onClient(current$, isServer(source) ? close : () => {});
    return sessions(source, name).pipe(
      tap({ next: (now) => current$.next(now?.client), error: (error) => current$.error(error) }),
      finalize(() => current$.error(serverError(name, "", "its connection is closed"))),
      filter((now) => now !== undefined),
      map(({ tools }) => tools),
      distinctUntilChanged(sameTools),
      map((tools) => named(name, tools).map(([tool, own]) => mcpTool(tool, own, name, run, options))),
    );
  });
}
