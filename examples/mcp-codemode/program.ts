import { fileURLToPath } from "node:url";

/** The file that starts a server of `@modelcontextprotocol`. */
export const program = (name: string): string =>
  fileURLToPath(import.meta.resolve(`@modelcontextprotocol/${name}/dist/index.js`));
