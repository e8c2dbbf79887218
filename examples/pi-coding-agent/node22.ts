import { execFile } from "node:child_process";
import { promisify } from "node:util";

const [major] = process.versions.node.split(".");

/** The binary of a Node that pi-coding-agent runs on: this one, or a 22 from npm. */
export async function node22(): Promise<string> {
  if (Number(major) >= 22) return process.execPath;
  const printPath = ["-y", "-p", "node@22", "node", "-p", "process.execPath"];
  const { stdout } = await promisify(execFile)("npx", printPath);
  return stdout.trim();
}
