import { execFile } from "node:child_process";
import { promisify } from "node:util";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

/** The binary of a Node that pi-coding-agent runs on: this one, or a 22 from npm. */
export async function node22(): Promise<string> {
  if (major > 22 || (major === 22 && minor >= 19)) return process.execPath;
  const printPath = ["-y", "-p", "node@22", "node", "-p", "process.execPath"];
  const { stdout } = await promisify(execFile)("npx", printPath);
  return stdout.trim();
}
