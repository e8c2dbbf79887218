import { getCurrentTools } from "@earendil-works/pi-ai";
import { McpClient } from "@earendil-works/pi-mcp";
import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Agent } from "pi-agent-rx";
import { mcpTools, type McpServer } from "pi-agent-rx/mcp";
import { fakeModel } from "pi-agent-rx/testing";
import { combineLatest, map, tap } from "rxjs";
import { projectRoot } from "../support/projectRoot";
import { listed, ScriptedServer } from "./support/scriptedServer";
import { useTools } from "./support/useTools";

const hold = useTools();

const QUICK = { delayMs: 1, maxDelayMs: 2 };

const serverOf = ({ transport }: ScriptedServer, fields: Partial<McpServer> = {}): McpServer => ({
  name: "one",
  transport,
  reconnect: QUICK,
  ...fields,
});

const namesOf = (lists: { name: string }[][]) => lists.map((tools) => tools.map(({ name }) => name).join());

async function connected(server: ScriptedServer): Promise<McpClient> {
  const client = new McpClient({ name: "spec", version: "1" });
  await client.connect(server.transport());
  return client;
}

describe("mcpTools", () => {
  it("gives each tool a name of the server's own, a schema that providers take, and its title for people", async () => {
    const server = new ScriptedServer();
    server.tools = [
      listed("read-file", {
        title: "Read",
        outputSchema: { type: "string" },
        inputSchema: { required: ["a"] },
      }),
      listed("bare", { description: undefined, annotations: { title: "Bare tool" } }),
    ];
    const [tools] = [await hold(mcpTools(serverOf(server))).until(() => true)];
    expect(tools).toEqual([
      {
        name: "mcp__one__read_file",
        label: "Read",
        description: "The tool read-file.",
        parameters: { type: "object", properties: {}, required: ["a"] },
        outputSchema: { type: "string" },
        execute: expect.any(Function),
      },
      {
        name: "mcp__one__bare",
        label: "Bare tool",
        description: "bare",
        parameters: { type: "object", properties: {} },
        execute: expect.any(Function),
      },
    ]);
  });

  it("tells tools apart whose names become one, and calls each by its own", async () => {
    const server = new ScriptedServer("a-b", "a_b");
    const tools = await hold(mcpTools(serverOf(server))).until(() => true);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(2);
    const results = await Promise.all(tools.map((tool) => tool.execute("1", {})));
    expect(results.map(({ content }) => content)).toEqual([
      [{ type: "text", text: "a-b done" }],
      [{ type: "text", text: "a_b done" }],
    ]);
  });

  it("follows tools/list_changed into the tools of an agent", async () => {
    const server = new ScriptedServer("a");
    const fake = fakeModel(["First.", "Second."]);
    const agent = new Agent({ streamFn: fake.streamFn, initialState: { model: fake.model } });
    const { until } = hold(mcpTools(serverOf(server)).pipe(tap((tools) => (agent.state.tools = tools))));
    await until(() => true);
    await agent.prompt("Hello");
    server.change("a", "b");
    await until((tools) => tools.length === 2);
    await agent.prompt("Hello again");
    expect(fake.requests.map(({ messages }) => getCurrentTools(messages).map(({ name }) => name))).toEqual([
      ["mcp__one__a"],
      ["mcp__one__a", "mcp__one__b"],
    ]);
  });

  it("emits no list twice in a row", async () => {
    const server = new ScriptedServer("a");
    const { lists, until } = hold(mcpTools(serverOf(server)));
    await until(() => true);
    server.change("a");
    server.change("b");
    await until((tools) => tools[0]?.name === "mcp__one__b");
    expect(namesOf(lists)).toEqual(["mcp__one__a", "mcp__one__b"]);
  });

  it("joins the tools of several servers", async () => {
    const servers = [new ScriptedServer("a"), new ScriptedServer("b")];
    const each = servers.map((server, n) => mcpTools(serverOf(server, { name: `s${n}` })));
    const tools = await hold(combineLatest(each).pipe(map((lists) => lists.flat()))).until(() => true);
    expect(namesOf([tools])).toEqual(["mcp__s0__a,mcp__s1__b"]);
  });

  it("passes on data, and failures that the server tells", async () => {
    const server = new ScriptedServer("data", "bad");
    server.answer = (name) =>
      name === "bad"
        ? { content: [{ type: "text", text: "no such city" }], isError: true }
        : { content: [], structuredContent: { degrees: 21 } };
    const [data, bad] = await hold(mcpTools(serverOf(server))).until(() => true);
    expect(await data!.execute("1", {})).toEqual({
      content: [{ type: "text", text: '{\n  "degrees": 21\n}' }],
      details: { server: "one", tool: "data" },
      structuredContent: { degrees: 21 },
    });
    expect(await bad!.execute("1", {})).toMatchObject({
      content: [{ text: "no such city" }],
      isError: true,
    });
  });

  it("cancels an aborted call at the server", async () => {
    const server = new ScriptedServer("slow");
    server.answer = () => undefined;
    const [slow] = await hold(mcpTools(serverOf(server))).until(() => true);
    const control = new AbortController();
    const running = slow!.execute("1", {}, control.signal);
    control.abort("enough");
    await expect(running).rejects.toThrow(/^MCP server "one": /);
    await Promise.resolve();
    expect(server.asked.at(-1)).toBe("notifications/cancelled");
  });

  it("ends a call that waits longer than timeoutMs", async () => {
    const server = new ScriptedServer("slow");
    server.answer = () => undefined;
    const [slow] = await hold(mcpTools(serverOf(server, { timeoutMs: 1 }))).until(() => true);
    await expect(slow!.execute("1", {})).rejects.toThrow(/^MCP server "one": .*tim/i);
  });

  it("says what progress means, with the server's own words", async () => {
    const server = new ScriptedServer("slow");
    server.answer = () => {
      server.notify("notifications/progress", { progressToken: 3, progress: 1, message: "warming up" });
      return { content: [] };
    };
    const [slow] = await hold(mcpTools(serverOf(server))).until(() => true);
    const updates: unknown[] = [];
    await slow!.execute("1", {}, undefined, (update) => updates.push(update));
    expect(updates).toEqual([
      {
        content: [{ type: "text", text: "warming up (1)" }],
        details: { server: "one", tool: "slow", progress: { progress: 1, message: "warming up" } },
      },
    ]);
  });
});

describe("mcpTools: a server that goes away", () => {
  it("is connected to again; calls wait for it, and tools of an older list work on", async () => {
    const server = new ScriptedServer("a");
    const { lists, until } = hold(mcpTools(serverOf(server)));
    const [a] = await until(() => true);
    server.isUp = false;
    await server.close();
    const waiting = a!.execute("1", {});
    server.isUp = true;
    server.tools = [listed("a"), listed("b")];
    expect(await waiting).toMatchObject({ content: [{ text: "a done" }] });
    await until((tools) => tools.length === 2);
    expect(namesOf(lists)).toEqual(["mcp__one__a", "mcp__one__a,mcp__one__b"]);
  });

  it("ends the wait of a call that is aborted", async () => {
    const server = new ScriptedServer("a");
    const reconnect = { delayMs: 60_000, maxDelayMs: 60_000 };
    const [a] = await hold(mcpTools(serverOf(server, { reconnect }))).until(() => true);
    await server.close();
    const control = new AbortController();
    const waiting = a!.execute("1", {}, control.signal);
    control.abort();
    await expect(waiting).rejects.toThrow('MCP server "one": Operation aborted');
    await expect(a!.execute("2", {}, control.signal)).rejects.toThrow('MCP server "one": Operation aborted');
  });

  it("is given up after its attempts, by the list and by the calls that wait", async () => {
    const server = new ScriptedServer("a");
    const { until, ended } = hold(mcpTools(serverOf(server, { reconnect: { ...QUICK, attempts: 3 } })));
    const [a] = await until(() => true);
    server.isUp = false;
    await server.close();
    await expect(a!.execute("1", {})).rejects.toThrow(/is gone, 3 attempts failed/);
    await expect(ended).rejects.toThrow(
      /^MCP server "one": is gone, 3 attempts failed; the last: MCP server "one": did not start: /,
    );
    expect(server.connections).toBe(4);
  });

  it("completes the list with reconnect: false", async () => {
    const server = new ScriptedServer("a");
    const { until, ended } = hold(mcpTools(serverOf(server, { reconnect: false })));
    const [a] = await until(() => true);
    await server.close();
    expect(await ended).toBe("completed");
    await expect(a!.execute("1", {})).rejects.toThrow('MCP server "one": its connection is closed');
  });

  it("is left when the list is left", async () => {
    const server = new ScriptedServer("a");
    const { until, close } = hold(mcpTools(serverOf(server)));
    const [a] = await until(() => true);
    close();
    await expect(a!.execute("1", {})).rejects.toThrow('MCP server "one": its connection is closed');
    expect(server.connections).toBe(1);
  });

  it("is connected to once for each subscription", async () => {
    const server = new ScriptedServer("a");
    const tools$ = mcpTools(serverOf(server));
    expect(server.connections).toBe(0);
    await hold(tools$).until(() => true);
    await hold(tools$).until(() => true);
    expect(server.connections).toBe(2);
  });

  it("is connected to again when it fails to list its tools", async () => {
    const server = new ScriptedServer("a");
    const { until } = hold(mcpTools(serverOf(server)));
    const [a] = await until(() => true);
    server.tools = undefined as never;
    server.notify("notifications/tools/list_changed");
    await new Promise<void>((resolve) => (server.onConnection = resolve));
    server.tools = [listed("b")];
    await until((tools) => tools[0]?.name === "mcp__one__b");
    expect(await a!.execute("1", {})).toMatchObject({ content: [{ text: "a done" }] });
  });

  it("has to tell its tools once", async () => {
    const server = new ScriptedServer();
    server.tools = undefined as never;
    const { ended } = hold(mcpTools(serverOf(server)));
    await expect(ended).rejects.toThrow('MCP server "one": tools/list: Invalid MCP tools/list result');
  });
});

describe("mcpTools: a client of one's own", () => {
  it("names the tools by the server's own name or another, and stays open", async () => {
    const server = new ScriptedServer("a");
    const client = await connected(server);
    const own = hold(mcpTools(client));
    const renamed = hold(mcpTools(client, { name: "mine" }));
    expect(namesOf([await own.until(() => true)])).toEqual(["mcp__scripted__a"]);
    expect(namesOf([await renamed.until(() => true)])).toEqual(["mcp__mine__a"]);
    own.close();
    renamed.close();
    expect(client.connectionState).toBe("connected");
    await client.close();
  });

  it("completes when it is closed", async () => {
    const client = await connected(new ScriptedServer("a"));
    const { until, ended } = hold(mcpTools(client));
    await until(() => true);
    await client.close();
    expect(await ended).toBe("completed");
  });

  it("has to be connected", async () => {
    const { ended } = hold(mcpTools(new McpClient({ name: "spec", version: "1" })));
    await expect(ended).rejects.toThrow('mcpTools: expected a connected McpClient, got "idle"');
  });
});

describe("mcpTools: what it is given", () => {
  const good = serverOf(new ScriptedServer());

  it.each([
    [undefined, "mcpTools: expected an object, got undefined"],
    [{}, "mcpTools: expected a McpClient, or a server with a transport function, got an object"],
    [{ ...good, name: "" }, 'mcpTools: name: expected a name, got ""'],
    [{ ...good, timeoutMs: -1 }, "mcpTools: timeoutMs: expected a number of ms"],
    [{ ...good, saveOutput: "/tmp" }, 'mcpTools: saveOutput: expected a function, got "/tmp"'],
    [{ ...good, reconnect: { attempts: 0 } }, "mcpTools: reconnect.attempts: expected an integer ≥ 1, got 0"],
    [{ ...good, reconnect: { delayMs: NaN } }, "mcpTools: reconnect.delayMs: expected a number of ms"],
    [{ ...good, reconnect: { maxDelayMs: NaN } }, "mcpTools: reconnect.maxDelayMs: expected a number of ms"],
  ])("is checked at once: %#", (source, message) => {
    expect(() => mcpTools(source as never)).toThrow(message);
  });

  it("names itself to the server as the package does", async () => {
    const { name, version } = JSON.parse(
      readFileSync(join(projectRoot, "package.json"), "utf8"),
    ) as McpServer & {
      version: string;
    };
    const seen: unknown[] = [];
    const server = new ScriptedServer("a");
    const transport = () => {
      const made = server.transport();
      const send = made.send.bind(made);
      made.send = (message, options) => {
        seen.push((message as { params?: { clientInfo?: unknown } }).params?.clientInfo);
        return send(message, options);
      };
      return made;
    };
    await hold(mcpTools({ name: "one", transport })).until(() => true);
    expect(seen[0]).toEqual({ name, version });
  });
});
