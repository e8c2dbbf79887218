import type { AgentMessage } from "pi-agent-rx";
import * as context from "pi-agent-rx/context";
import type { DiagramOperator } from "pi-agent-rx/testing";
import { shareReplay } from "rxjs";

/** So that a budget is easy to read. */
const estimate = () => 1;

/** The operators of `pi-agent-rx/context` by name; the options of a diagram are those of the operator. */
export const contextOperators: Record<string, DiagramOperator> = {
  dedupeReads: ({ argument }) =>
    context.dedupeReads(
      ({ name, arguments: { path } }) => (name === "read" ? String(path) : undefined),
      argument(),
    ),
  dropThinking: ({ argument }) => context.dropThinking(argument()),
  elideImages: ({ argument }) => context.elideImages(argument()),
  elideToolResults: ({ argument }) => context.elideToolResults(argument()),
  fitBudget: ({ argument }) => context.fitBudget({ estimate, ...argument<object>() }),
  inject: ({ argument, input }) => {
    const latest$ = input<AgentMessage>("selection").pipe(shareReplay(1));
    latest$.subscribe();
    return context.inject(latest$, argument());
  },
  keepLastTurns: ({ argument }) => context.keepLastTurns(argument(), argument(1)),
  repairTranscript: ({ show }) =>
    context.repairTranscript({ onRepair: (repairs) => repairs.forEach(({ kind }) => show(kind)) }),
  summarize: ({ argument, options }) =>
    context.summarize({
      ...{ estimate, streamFn: options.streamFn, model: options.initialState!.model! },
      ...argument<object>(),
    }),
};
