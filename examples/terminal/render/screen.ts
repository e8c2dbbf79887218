/** What the output can do. */
export interface Screen {
  /** Whether lines can be redrawn in place. */
  live: boolean;
  /** Size in characters, now. */
  size(): { columns: number; rows: number };
  style: Record<"dim" | "bold" | "red" | "green" | "yellow" | "cyan", (text: string) => string>;
}

type Output = Pick<NodeJS.WriteStream, "isTTY" | "columns" | "rows">;

const CODES = { dim: 2, bold: 1, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** What this output can do: without a terminal, or on a dumb one, plain lines; with NO_COLOR no colours. */
export function screen(output: Output, env: NodeJS.ProcessEnv): Screen {
  const live = output.isTTY === true && env["TERM"] !== "dumb";
  const colours = live && !env["NO_COLOR"];
  const paint = (code: number) => (text: string) =>
    colours && text !== "" ? `\x1b[${code}m${text}\x1b[0m` : text;
  return {
    live,
    size: () => ({ columns: output.columns || 80, rows: output.rows || 24 }),
    style: {
      dim: paint(CODES.dim),
      bold: paint(CODES.bold),
      red: paint(CODES.red),
      green: paint(CODES.green),
      yellow: paint(CODES.yellow),
      cyan: paint(CODES.cyan),
    },
  };
}
