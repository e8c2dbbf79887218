import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { fromEvent, map, NEVER, takeUntil, type Observable } from "rxjs";

/** A line that was entered; `unseen` when nobody saw it being typed. */
export interface Line {
  text: string;
  unseen: boolean;
}

/** Lines as they are entered, and Ctrl-C as the line editor sees it. */
export interface Input {
  isTerminal: boolean;
  lines$: Observable<Line>;
  ctrlC$: Observable<unknown>;
  /** Asks for the next line. */
  prompt(): void;
  /** A line is being answered: what is typed meanwhile shows up with the next prompt. */
  take(line: Line): void;
  close(): void;
}

/** What the line editor writes to: the terminal, unless the agent writes there just now. */
class Echo extends Writable {
  muted = false;
  constructor(private readonly terminal: NodeJS.WriteStream) {
    super();
    terminal.on("resize", () => this.emit("resize"));
  }
  get columns() {
    return this.terminal.columns;
  }
  override _write(chunk: Buffer, _encoding: string, done: () => void) {
    if (!this.muted) this.terminal.write(chunk);
    done();
  }
}

/** Reads lines from a terminal with editing and history, from anything else as they are. */
export function input(from: NodeJS.ReadStream, to: NodeJS.WriteStream): Input {
  const isTerminal = from.isTTY === true && to.isTTY === true;
  const echo = new Echo(to);
  const editor = createInterface({
    input: from,
    ...(isTerminal && { output: echo }),
    terminal: isTerminal,
    prompt: "› ",
  });
  let closed = false;
  editor.once("close", () => (closed = true));
  return {
    isTerminal,
    lines$: fromEvent(editor, "line").pipe(
      map((line) => ({ text: String(line).trim(), unseen: !isTerminal || echo.muted })),
      takeUntil(fromEvent(editor, "close")),
    ),
    ctrlC$: isTerminal ? fromEvent(editor, "SIGINT") : NEVER,
    prompt: () => {
      echo.muted = false;
      if (isTerminal && !closed) editor.prompt(true);
    },
    take: ({ text, unseen }) => {
      echo.muted = true;
      if (unseen) to.write(isTerminal ? `${text}\n` : `\n› ${text}\n`);
    },
    close: () => editor.close(),
  };
}
