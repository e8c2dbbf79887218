import { parse } from "./args";
import { help } from "./help";
import { UsageError } from "./usageError";

const { stdout, stderr } = process;

/** Loads no more than what is asked for, so that help and complaints come at once. Gives the exit code. */
async function main(argv: string[]): Promise<number> {
  try {
    const args = parse(argv);
    if (args.help) stdout.write(help);
    else if (args.listModels) stdout.write(await (await import("./listModels")).listModels(args));
    else return await (await import("./session")).session(args);
    return 0;
  } catch (error) {
    stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

// Who reads us may stop before we do: `npm start -- "…" | head`.
stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
const code = await main(process.argv.slice(2));
stdout.write("", () => process.exit(code));
