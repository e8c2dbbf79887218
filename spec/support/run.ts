import { execFile, type ExecFileException } from "node:child_process";
import { projectRoot } from "./projectRoot";

export interface RunResult {
  /** Its exit code; 124 when its time was up. */
  code: number;
  stdout: string;
  stderr: string;
}

/** What a child must not inherit: jest's own flags, and what npm tells the script it runs. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(NODE_OPTIONS|JEST_|npm_(package|lifecycle)_)/.test(name),
  );
  return { ...Object.fromEntries(inherited), NO_COLOR: "1", FORCE_COLOR: "0" };
}

function exitCode(error: ExecFileException | null): number {
  if (!error) return 0;
  return error.killed ? 124 : Number(error.code) || 1;
}

export interface RunOptions {
  cwd?: string;
  timeoutMs?: number;
  env?: NodeJS.ProcessEnv;
}

/** Runs a command to its end and gives its exit code and what it printed. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { cwd = projectRoot, timeoutMs = 120_000, env } = options;
  return new Promise((resolve) => {
    execFile(
      command,
      args,
      { cwd, timeout: timeoutMs, env: { ...cleanEnvironment(), ...env }, maxBuffer: 64 << 20 },
      (error, stdout, stderr) => resolve({ code: exitCode(error), stdout, stderr }),
    ).stdin?.end();
  });
}

/** Runs a command that must succeed, and gives what it wrote to stdout. */
export async function runOk(command: string, args: readonly string[], options?: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}\n${stdout}\n${stderr}`);
  return stdout;
}
