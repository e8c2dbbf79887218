import { filter, firstValueFrom, fromEvent, map, merge, NEVER, reduce, share, tap } from "rxjs";
import type { Args } from "./args";
import { ask } from "./ask";
import { conversation } from "./conversation";
import { createAgent } from "./createAgent";
import { header } from "./header";
import { input } from "./input";
import { interrupts } from "./interrupts";
import { chooseModel } from "./model/chooseModel";
import { printable } from "./render/printable";
import { render } from "./render/render";
import { screen } from "./render/screen";
import { workspace } from "./tools/workspace";
import { UsageError } from "./usageError";

const { stdin, stdout, stderr, env } = process;

const exitCodes = { completed: 0, stopped: 0, failed: 1, aborted: 130 };

/** Runs the agent until the question is answered or the user leaves; gives the exit code. */
export async function session(args: Args): Promise<number> {
  const place = await workspace(args.folder).catch((error: Error) => {
    throw new UsageError(`--folder: ${error.message}`);
  });
  const display = screen(stdout, env);
  const chosen = await chooseModel(args, display.live);
  const agent = createAgent(chosen, place);
  const keyboard = args.question === undefined ? input(stdin, stdout) : undefined;
  stdout.write(header(display, chosen, place.root, args.question));

  const interrupts$ = merge(fromEvent(process, "SIGINT"), keyboard?.ctrlC$ ?? NEVER).pipe(
    interrupts(agent),
    share(),
  );
  const notices$ = interrupts$.pipe(
    filter((meaning) => meaning === "abort"),
    map(() => display.style.yellow("stopping; Ctrl-C again leaves at once")),
  );
  agent.events$.pipe(render(display, notices$)).subscribe((text) => stdout.write(text));

  const outcomes$ = keyboard ? conversation(agent, keyboard) : ask(agent, args.question!);
  const answered$ = outcomes$.pipe(
    tap((outcome) => {
      if (outcome === "failed")
        stderr.write(`error: ${printable(agent.state.errorMessage ?? "the run failed")}\n`);
    }),
    reduce((worst, outcome) => Math.max(worst, keyboard?.isTerminal ? 0 : exitCodes[outcome]), 0),
  );
  const left$ = interrupts$.pipe(
    filter((meaning) => meaning !== "abort"),
    map((meaning) => (meaning === "kill" ? exitCodes.aborted : 0)),
  );
  const exitCode = await firstValueFrom(merge(answered$, left$));
  if (keyboard?.isTerminal) stdout.write("\n");
  return exitCode;
}
