import type { CallToolResult, McpTransport, Tool } from "@earendil-works/pi-mcp";
import { createInMemoryTransportPair } from "@earendil-works/pi-mcp/testing";

interface Request {
  id?: number;
  method?: string;
  params?: { name?: string; arguments?: unknown; _meta?: { progressToken?: number } };
}

/** A tool as a server lists it. */
export const listed = (name: string, fields: Partial<Tool> = {}): Tool => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: "object" },
  ...fields,
});

/** A server in this process: a list of tools that a spec changes, and a function that answers their calls. */
export class ScriptedServer {
  tools: Tool[];
  /** Answers a call; `undefined` leaves it open. */
  answer: (name: string, args: unknown) => CallToolResult | undefined = (name) => ({
    content: [{ type: "text", text: `${name} done` }],
  });
  /** The methods it was asked, and told. */
  readonly asked: string[] = [];
  connections = 0;
  /** Called with each new connection. */
  onConnection = () => {};
  /** Whether it takes a new connection. */
  isUp = true;
  #end: McpTransport | undefined;

  constructor(...names: string[]) {
    this.tools = names.map((name) => listed(name));
  }

  readonly transport = (): McpTransport => {
    const { client, server } = createInMemoryTransportPair();
    this.connections++;
    this.onConnection();
    if (!this.isUp) return client;
    this.#end = server;
    server.onMessage((message) => this.#take(message as Request));
    void server.start();
    return client;
  };

  /** Says something without being asked. */
  notify(method: string, params?: object): void {
    void this.#end?.send({ jsonrpc: "2.0", method, params });
  }

  /** Lists other tools from now on, and says so. */
  change(...names: string[]): void {
    this.tools = names.map((name) => listed(name));
    this.notify("notifications/tools/list_changed");
  }

  /** Hangs up. */
  async close(): Promise<void> {
    await this.#end?.close();
  }

  #take({ id, method = "", params }: Request): void {
    this.asked.push(method);
    if (id === undefined) return;
    const result = this.#resultOf(method, params);
    if (result) void this.#end?.send({ jsonrpc: "2.0", id, result });
  }

  #resultOf(method: string, params: Request["params"]): object | undefined {
    if (method === "tools/list") return { tools: this.tools };
    if (method === "tools/call") return this.answer(params?.name ?? "", params?.arguments);
    const serverInfo = { name: "scripted", version: "1" };
    return { protocolVersion: "2025-11-25", capabilities: { tools: { listChanged: true } }, serverInfo };
  }
}
