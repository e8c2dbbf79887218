import { spawn, type ChildProcess } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** A program as it runs: what it wrote, and ways to wait for it. */
export interface Running {
  readonly stdout: string;
  readonly stderr: string;
  /** Resolves when its output matches; rejects, with the output, when it ends before. */
  until(pattern: RegExp): Promise<void>;
  write(text: string): void;
  endInput(): void;
  ctrlC(): void;
  readonly exitCode: Promise<number | null>;
}

const children = new Set<ChildProcess>();

/** Ends what still runs, so that a failed spec leaves nothing behind. */
export const stopAll = () => children.forEach((child) => child.kill("SIGKILL"));

/** Starts a program at the root of the repository, with nothing of this process's environment but the path. */
function run(command: string, args: string[], env: Record<string, string>): Running {
  const child = spawn(command, args, {
    cwd: root,
    env: { PATH: process.env["PATH"], HOME: tmpdir(), ...env },
    stdio: "pipe",
  });
  children.add(child);
  const output = { stdout: "", stderr: "" };
  let ended = false;
  const watchers = new Set<() => void>();
  const tell = () => [...watchers].forEach((watcher) => watcher());
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
      tell();
    });
  }
  const exitCode = new Promise<number | null>((resolve) =>
    child.once("close", (code) => {
      ended = true;
      children.delete(child);
      resolve(code);
      tell();
    }),
  );
  const until = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        const found = pattern.test(output.stdout);
        if (!found && !ended) return;
        watchers.delete(look);
        if (found) resolve();
        else reject(new Error(`ended without ${pattern}:\n${output.stdout}\n${output.stderr}`));
      };
      watchers.add(look);
      look();
    });
  return {
    get stdout() {
      return output.stdout;
    },
    get stderr() {
      return output.stderr;
    },
    until,
    write: (text) => child.stdin.write(text),
    endInput: () => child.stdin.end(),
    ctrlC: () => child.kill("SIGINT"),
    exitCode,
  };
}

/** Starts the terminal example. */
export const runTerminal = (args: string[], env: Record<string, string> = {}) =>
  run(process.execPath, ["--import", "tsx", "examples/terminal/main.ts", ...args], env);

/** `npm start`, as the README has it. */
export const npmStart = (args: string[]) => run("npm", ["start", "--silent", "--", ...args], {});
