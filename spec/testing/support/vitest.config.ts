import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const src = path("../../../src");

/** As jest finds the package: its doors are those of src. */
export default defineConfig({
  root: path("."),
  cacheDir: path("../../../node_modules/.cache/vite"),
  resolve: {
    alias: [
      { find: /^pi-agent-rx$/, replacement: `${src}/index.ts` },
      { find: /^pi-agent-rx\/(.+)$/, replacement: `${src}/$1/index.ts` },
    ],
  },
  test: { include: ["kit.vitest.ts"], watch: false },
});
