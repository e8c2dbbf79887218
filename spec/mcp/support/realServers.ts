import { StdioTransport, StreamableHttpTransport, type McpTransport } from "@earendil-works/pi-mcp";
import { afterEach } from "@jest/globals";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { projectRoot } from "../../support/projectRoot";

const program = (name: string) =>
  join(projectRoot, `node_modules/@modelcontextprotocol/${name}/dist/index.js`);

/** Without jest's own flags. */
const env = { NODE_OPTIONS: "" };

/** Makes an HTTP server listen on 127.0.0.1 alone, and say where: this one listens everywhere. */
const LOOPBACK = `data:text/javascript,${encodeURIComponent(`
  import { Server } from "node:net";
  const { listen } = Server.prototype;
  Server.prototype.listen = function (port, ...rest) {
    this.on("listening", () => console.error("at " + this.address().port));
    return listen.call(this, port, "127.0.0.1", ...rest);
  };
`)}`;

/** A server that can be asked, and killed and started again; resolves when the old one is gone. */
export interface RealServer {
  transport: () => McpTransport;
  restart: () => Promise<void>;
}

/** Real MCP servers; what is started is stopped when its test ends. */
export function useRealServers() {
  const running = new Set<ChildProcess>();

  const stop = async (child: ChildProcess) => {
    running.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  afterEach(() => Promise.all([...running].map(stop)));

  const startHttp = async (port: string): Promise<{ child: ChildProcess; port: string }> => {
    const child = spawn(
      process.execPath,
      ["--import", LOOPBACK, program("server-everything"), "streamableHttp"],
      {
        env: { PATH: process.env["PATH"], PORT: port },
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    running.add(child);
    for await (const text of child.stderr.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
      const at = /at (\d+)/.exec(String(text))?.[1];
      if (at) return { child, port: at };
    }
    throw new Error("server-everything ended");
  };

  return {
    /** The server of every feature, as a program. */
    stdio: async (): Promise<RealServer> => {
      let last: StdioTransport | undefined;
      return {
        transport: () =>
          (last = new StdioTransport({
            command: process.execPath,
            args: [program("server-everything"), "stdio"],
            env,
          })),
        // Who connects again starts it again.
        restart: () =>
          new Promise((resolve) => {
            last!.onClose(resolve);
            process.kill(last!.pid!, "SIGKILL");
          }),
      };
    },
    /** The same over streamable HTTP. */
    http: async (): Promise<RealServer> => {
      let { child, port } = await startHttp("0");
      return {
        transport: () => new StreamableHttpTransport({ url: `http://127.0.0.1:${port}/mcp` }),
        restart: async () => {
          await stop(child);
          ({ child, port } = await startHttp(port));
        },
      };
    },
    /** The server of a folder's files. */
    files: (folder: string): (() => McpTransport) => {
      const args = [program("server-filesystem"), folder];
      return () => new StdioTransport({ command: process.execPath, args, env });
    },
  };
}
