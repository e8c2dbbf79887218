import { spawn } from "node:child_process";
import { once } from "node:events";
import { program } from "./program";

/** Makes a server listen on 127.0.0.1 alone, and say where: this one listens on every address of the machine. */
const LOOPBACK = `data:text/javascript,${encodeURIComponent(`
  import { Server } from "node:net";
  const { listen } = Server.prototype;
  Server.prototype.listen = function (port, ...rest) {
    this.on("listening", () => console.error("at " + this.address().port));
    return listen.call(this, port, "127.0.0.1", ...rest);
  };
`)}`;

/** Starts server-everything over streamable HTTP, on a free port or the one that is given. */
export async function everythingOverHttp(port = "0") {
  const args = ["--import", LOOPBACK, program("server-everything"), "streamableHttp"];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env["PATH"], PORT: port },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  let said = "";
  for await (const text of child.stderr.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    said += String(text);
    const at = /^at (\d+)$/m.exec(said)?.[1];
    if (at) return { port: at, url: `http://127.0.0.1:${at}/mcp`, stop };
  }
  throw new Error(`server-everything ended: ${said}`);
}
