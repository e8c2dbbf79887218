import { build, type Plugin } from "esbuild";
import { join } from "node:path";
import { projectRoot } from "../projectRoot";
import type { CodeBlock } from "./codeBlocks";
import { offlineModule } from "./offlineModule";

const here = join(projectRoot, "spec/support/readme");
const core = JSON.stringify(join(projectRoot, "src/index.ts"));
const offline = join(here, "offlineProvider.ts");

/** The library, its Agent watched: a run that fails fails the block, unless the block is about that. */
const WATCHED = `
export * from ${core};
import { Agent as Bare } from ${core};
export class Agent extends Bare {
  constructor(options) {
    super(options);
    this.subscribe((event) => {
      if (event.type !== "agent_end" || event.outcome !== "failed" || globalThis.failureExpected) return;
      console.error("a run failed: " + this.state.errorMessage);
      process.exitCode = 1;
    });
  }
}
`;

function blockPlugin(blocks: readonly CodeBlock[]): Plugin {
  return {
    name: "blocks",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^block:/ }, ({ path }) => ({ path: path.slice(6), namespace: "block" }));
      // The package has no side effects, and its bundlers drop such an import; this file is not of the package.
      onResolve({ filter: /^\.\/prelude$/ }, () => ({ path: join(here, "prelude.ts"), sideEffects: true }));
      onResolve({ filter: /^(pi-agent-rx|@earendil-works\/pi-agent-core)$/ }, ({ path }) => ({
        path,
        namespace: "watched",
      }));
      onResolve({ filter: /^pi-agent-rx\// }, ({ path }) => ({
        path: join(projectRoot, "src", path.replace("pi-agent-rx/", ""), "index.ts"),
      }));
      onResolve({ filter: /^@earendil-works\/pi-ai\/providers\// }, ({ path, importer, namespace }) =>
        namespace === "block" || importer.endsWith("/readme/prelude.ts")
          ? { path, namespace: "offline" }
          : undefined,
      );
      // pi-ai loads a provider's client on its first request, which never comes.
      onResolve({ filter: /./ }, ({ kind, path, importer }) =>
        kind === "dynamic-import" && importer.includes("node_modules") ? { path, external: true } : undefined,
      );
      onLoad({ filter: /./, namespace: "block" }, ({ path }) => {
        const { text } = blocks[Number(path)]!;
        const expected = /errorMessage|"failed"/.test(text);
        const start = `import "./prelude"; globalThis.failureExpected = ${expected}; `;
        return { contents: start + text, loader: "ts", resolveDir: here };
      });
      onLoad({ filter: /./, namespace: "watched" }, () => ({
        contents: WATCHED,
        loader: "js",
        resolveDir: here,
      }));
      onLoad({ filter: /./, namespace: "offline" }, async ({ path }) => ({
        contents: await offlineModule(path, offline),
        loader: "js",
        resolveDir: here,
      }));
    },
  };
}

/** Makes one program of each block, with the library's source and an offline provider in it; gives their paths. */
export async function bundleBlocks(blocks: readonly CodeBlock[], outdir: string): Promise<string[]> {
  await build({
    entryPoints: blocks.map((_, index) => ({ in: `block:${index}`, out: `block${index}` })),
    bundle: true,
    platform: "node",
    format: "esm",
    outExtension: { ".js": ".mjs" },
    // Packages in CommonJS call it.
    banner: {
      js: `import { createRequire as requireOf } from "node:module"; var require = requireOf(import.meta.url);`,
    },
    outdir,
    sourcemap: "inline",
    logLevel: "silent",
    plugins: [blockPlugin(blocks)],
  });
  return blocks.map((_, index) => join(outdir, `block${index}.mjs`));
}
