import { StdioTransport, StreamableHttpTransport, type McpTransport } from "@earendil-works/pi-mcp";
import { afterEach } from "@jest/globals";
import { everythingOverHttp } from "../../../examples/mcp-codemode/everythingOverHttp";
import { program } from "../../../examples/mcp-codemode/program";

/** Without jest's own flags. */
const env = { NODE_OPTIONS: "" };

/** A server that can be asked, and killed and started again; resolves when the old one is gone. */
export interface RealServer {
  transport: () => McpTransport;
  restart: () => Promise<void>;
}

/** Real MCP servers; what is started is stopped when its test ends. */
export function useRealServers() {
  const running: Awaited<ReturnType<typeof everythingOverHttp>>[] = [];
  afterEach(() => Promise.all(running.splice(0).map(({ stop }) => stop())));

  const start = async (port?: string) => {
    const server = await everythingOverHttp(port);
    running.push(server);
    return server;
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
      let server = await start();
      return {
        transport: () => new StreamableHttpTransport({ url: server.url }),
        restart: async () => {
          await server.stop();
          server = await start(server.port);
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
