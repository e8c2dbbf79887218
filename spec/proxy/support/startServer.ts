import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

const open: (() => Promise<unknown>)[] = [];

/** Starts a server on 127.0.0.1 and gives its address. */
export async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  open.push(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Closes the servers started since; for `afterEach`. */
export async function stopServers(): Promise<void> {
  await Promise.all(open.splice(0).map((stop) => stop()));
}
