import { afterEach } from "@jest/globals";
import type { Reply } from "./reply";
import { type SseServer, startSseServer } from "./sseServer";

/** Gives a function that starts scripted servers; each is closed when its test ends, however it ends. */
export function useServers(): (...script: Reply[]) => Promise<SseServer> {
  const open: SseServer[] = [];
  afterEach(() => Promise.all(open.splice(0).map((server) => server.close())));
  return async (...script) => {
    const server = await startSseServer(script);
    open.push(server);
    return server;
  };
}
