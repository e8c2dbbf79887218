import { describe, expect, it } from "@jest/globals";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StdioTransport, StreamableHttpTransport } from "@earendil-works/pi-mcp";
import { Agent, type AgentEvent, type AgentTool } from "pi-agent-rx";
import { mcpTools } from "pi-agent-rx/mcp";
import { call, fakeModel, messageLine } from "pi-agent-rx/testing";
import { tempFolder } from "../support/tempFolder";
import { useRealServers } from "./support/realServers";
import { useTools } from "./support/useTools";

const real = useRealServers();
const hold = useTools();

const textOf = ({ content }: Awaited<ReturnType<AgentTool["execute"]>>) =>
  content.map((block) => (block.type === "text" ? block.text : block.type)).join("\n");

const LONG = "mcp__all__trigger_long_running_operation";

describe.each(["stdio", "http"] as const)("mcpTools on server-everything over %s", (transport) => {
  it("lists its tools, those that it adds after the handshake among them", async () => {
    const server = await real[transport]();
    const { tool } = hold(mcpTools({ name: "all", ...server }));
    expect(await tool("mcp__all__simulate_research_query")).toMatchObject({
      label: "Simulate Research Query",
      parameters: { type: "object", required: ["topic"] },
    });
    expect(await tool("mcp__all__get_structured_content")).toMatchObject({
      outputSchema: { type: "object", required: ["temperature", "conditions", "humidity"] },
    });
  });

  it("runs in an agent, several calls at once, with arguments checked before the server sees them", async () => {
    const server = await real[transport]();
    const tools$ = mcpTools({ name: "all", ...server });
    const { tool, until } = hold(tools$);
    await tool("mcp__all__echo");
    const fake = fakeModel([
      [
        call("mcp__all__get_sum", { a: 2, b: 3 }),
        call("mcp__all__get_structured_content", { location: "Chicago" }),
        call("mcp__all__echo", { text: "Hi" }),
        call("mcp__all__get_tiny_image", {}),
      ],
      "Five.",
    ]);
    const agent = new Agent({ streamFn: fake.streamFn, initialState: { model: fake.model } });
    agent.state.tools = await until(() => true);
    await agent.prompt("How much is two and three?");
    const results = agent.state.messages.filter(({ role }) => role === "toolResult");
    expect(results.map(messageLine)).toEqual([
      expect.stringContaining("The sum of 2 and 3 is 5."),
      expect.stringContaining('"conditions":"Light rain / drizzle"'),
      expect.stringContaining("Validation failed"),
      expect.stringContaining("image"),
    ]);
    expect(results[0]).toMatchObject({ isError: false, details: { server: "all", tool: "get-sum" } });
    expect(results[2]).toMatchObject({ isError: true });
  });

  it("shows progress as updates of the tool", async () => {
    const server = await real[transport]();
    const { tool } = hold(mcpTools({ name: "all", ...server }));
    const fake = fakeModel([[call(LONG, { duration: 0.3, steps: 3 })], "Done."]);
    const agent = new Agent({ streamFn: fake.streamFn, initialState: { model: fake.model } });
    agent.state.tools = [await tool(LONG)];
    const events: AgentEvent[] = [];
    agent.events$.subscribe((event) => events.push(event));
    await agent.prompt("Work");
    const updates = events.filter((event) => event.type === "tool_execution_update");
    expect(updates.map(({ partialResult }) => textOf(partialResult))).toEqual(["1 of 3", "2 of 3", "3 of 3"]);
    expect(updates[1]?.partialResult.details).toEqual({
      server: "all",
      tool: "trigger-long-running-operation",
      progress: { progress: 2, total: 3 },
    });
  });

  it("ends a call that is aborted, and goes on", async () => {
    const server = await real[transport]();
    const { tool } = hold(mcpTools({ name: "all", ...server }));
    const long = await tool(LONG);
    const control = new AbortController();
    const first = new Promise<void>((resolve) => {
      const running = long.execute("1", { duration: 600, steps: 6000 }, control.signal, () => resolve());
      expect(running)
        .rejects.toThrow('MCP server "all": ')
        .catch(() => {});
    });
    await first;
    control.abort();
    const echo = await tool("mcp__all__echo");
    expect(textOf(await echo.execute("2", { message: "still here" }))).toBe("Echo: still here");
  });

  it("comes back when the server has restarted, with the tools that were there", async () => {
    const server = await real[transport]();
    const reconnect = { delayMs: 50 };
    const { tool } = hold(mcpTools({ name: "all", reconnect, ...server }));
    const echo = await tool("mcp__all__echo");
    expect(textOf(await echo.execute("1", { message: "before" }))).toBe("Echo: before");
    await server.restart();
    expect(textOf(await echo.execute("2", { message: "after" }))).toBe("Echo: after");
  });

  it("fails a call that was under way when the server died, and makes it no second time", async () => {
    const server = await real[transport]();
    const { tool } = hold(mcpTools({ name: "all", reconnect: { delayMs: 50 }, ...server }));
    const long = await tool(LONG);
    let running: Promise<unknown> | undefined;
    await new Promise<void>((resolve) => {
      running = long.execute("1", { duration: 600, steps: 6000 }, undefined, () => resolve());
    });
    const failed = expect(running).rejects.toThrow(/^MCP server "all": /);
    await server.restart();
    await failed;
    const echo = await tool("mcp__all__echo");
    expect(textOf(await echo.execute("2", { message: "after" }))).toBe("Echo: after");
  });
});

describe("mcpTools on server-filesystem", () => {
  it("reads files, refuses those outside its folder, and cuts what is too long", async () => {
    const { path, remove } = await tempFolder("mcp");
    await writeFile(join(path, "short.txt"), "a short file");
    await writeFile(join(path, "long.txt"), `begin ${"and so on ".repeat(10_000)}end`);
    const saved: string[] = [];
    const saveOutput = async (data: string | Uint8Array, extension: string) => {
      saved.push(String(data));
      return `/saved/output${extension}`;
    };
    const { tool } = hold(mcpTools({ name: "files", transport: real.files(path), saveOutput }));
    const read = await tool("mcp__files__read_text_file");
    expect(textOf(await read.execute("1", { path: join(path, "short.txt") }))).toBe("a short file");
    expect(await read.execute("2", { path: "/etc/passwd" })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("Access denied") }],
    });
    const long = await read.execute("3", { path: join(path, "long.txt") });
    expect(textOf(long)).toMatch(/begin and so on[^]*chars truncated[^]*end[^]*\/saved\/output\.txt/);
    expect(textOf(long).length).toBeLessThan(22_000);
    expect(long.details).toMatchObject({ fullOutputPath: "/saved/output.txt" });
    expect(saved).toEqual([expect.stringMatching(/^begin [^]*end$/)]);
    await remove();
  });
});

describe("mcpTools on a server that does not start", () => {
  const program = (command: string, args: string[]) => () => new StdioTransport({ command, args });

  it("says that there is no such program", async () => {
    const { ended } = hold(mcpTools({ name: "none", transport: program("no-such-mcp-server", []) }));
    await expect(ended).rejects.toThrow(/^MCP server "none": did not start: .*no-such-mcp-server ENOENT/);
  });

  it("says what a program complained of before it ended", async () => {
    const script = `console.error("no licence found"); process.exit(3)`;
    const { ended } = hold(mcpTools({ name: "rude", transport: program(process.execPath, ["-e", script]) }));
    await expect(ended).rejects.toThrow(/^MCP server "rude": did not start: [^]*no licence found$/);
  });

  it("says that nobody listens at an address", async () => {
    const transport = () => new StreamableHttpTransport({ url: "http://127.0.0.1:9/mcp" });
    const { ended } = hold(mcpTools({ name: "away", transport }));
    await expect(ended).rejects.toThrow(/^MCP server "away": did not start: /);
  });
});
