import { spawn } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A pi coding agent that is installed, and where it works. */
export interface Pi {
  /** The Node it runs on. */
  node: string;
  /** The folder whose node_modules hold it. */
  root: string;
  /** Where its tools work. */
  workspace: string;
  /** Its settings, its models and its sessions. */
  agentDir: string;
}

// dist/bundle, which npm links as `pi`, has the core built in; dist/cli.js is the same program and imports it.
const CLI = "node_modules/@earendil-works/pi-coding-agent/dist/cli.js";

const model = (id: string) => ({ id, contextWindow: 100_000, maxTokens: 8_000 });

/** Empties the folders of a pi, and tells it of the server's two models. */
export async function prepare({ workspace, agentDir }: Pi, baseUrl: string): Promise<void> {
  for (const folder of [workspace, agentDir]) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
  }
  const local = { baseUrl, api: "openai-completions", apiKey: "none", models: [model("one"), model("two")] };
  await writeFile(join(agentDir, "models.json"), JSON.stringify({ providers: { local } }));
  const settings = { compaction: { keepRecentTokens: 50 }, retry: { enabled: false } };
  await writeFile(join(agentDir, "settings.json"), JSON.stringify(settings));
}

/** Starts its command line with the first model and nothing of this process's environment but the path. */
export function start({ node, root, workspace, agentDir }: Pi, args: string[]) {
  const flags = ["--model", "local/one", "--tools", "read,bash,edit,write,codemode", "--offline"];
  return spawn(node, [join(root, CLI), ...flags, ...args], {
    cwd: workspace,
    env: {
      PATH: process.env["PATH"],
      HOME: agentDir,
      PI_CODING_AGENT_DIR: agentDir,
      PI_SKIP_VERSION_CHECK: "1",
      PI_TELEMETRY: "0",
      NO_COLOR: "1",
    },
  });
}
