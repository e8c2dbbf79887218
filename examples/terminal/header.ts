import type { ChosenModel } from "./model/chosenModel";
import type { Screen } from "./render/screen";

const REAL_MODELS = "For a real model set a provider's key, or use --base-url URL --model NAME (see --help).";

/** What is shown first: which model answers, where it may look, and what can be done. */
export function header(
  { style }: Screen,
  { label, model }: ChosenModel,
  folder: string,
  question?: string,
): string {
  const offline = model.provider === "offline";
  return [
    `${style.bold("pi-agent-rx")} · ${offline ? style.yellow(label) : label} · ${style.dim(folder)}`,
    ...(offline ? [style.dim(REAL_MODELS)] : []),
    question === undefined
      ? style.dim(
          'Ask something, for example "list files". Ctrl-C stops a run, and leaves when there is none.',
        )
      : `\n› ${question}`,
    "",
  ].join("\n");
}
