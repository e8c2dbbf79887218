import { map, takeUntil, throwError, merge, mergeMap, takeWhile, type Observable } from "rxjs";
import type { AnyAgentTool, AnyToolResult } from "../../types/tool";
import { onAbort } from "./onAbort";
import type { Meaning } from "./parseMeaning";
import type { Letter, RowSources } from "./RowSources";

const ENDS = ["result", "failure", "terminate"];

function resultOf({ letter, meaning }: Letter): AnyToolResult {
  const { verb, text = letter } = meaning;
  const result: AnyToolResult = { content: [{ type: "text", text }], details: undefined };
  if (verb === "failure") result.isError = true;
  if (verb === "terminate") result.terminate = true;
  return result;
}

const isEnd = (meaning: Meaning) => ENDS.includes(meaning.verb);

// A promise would leave virtual time; this one settles in it.
function settling(letters$: Observable<Letter>, onUpdate?: (partial: AnyToolResult) => void) {
  return {
    then(settle: (result: AnyToolResult) => unknown, fail: (error: unknown) => unknown) {
      letters$.subscribe({
        next: (letter) => (isEnd(letter.meaning) ? settle(resultOf(letter)) : onUpdate?.(resultOf(letter))),
        error: fail,
      });
      return { then: () => undefined };
    },
  };
}

/**
 * A tool whose runs are the rows of its name: `tool` rows settle as a promise does, `stream` rows are observables.
 *
 * @param heeds - Whether it ends, with an error, when its signal is aborted.
 */
export function diagramTool(name: string, rows: RowSources, heeds: boolean): AnyAgentTool {
  return {
    name,
    label: name,
    description: `The tool ${name}`,
    parameters: { type: "object", properties: {} },
    execute: (id, _args, signal, onUpdate) => {
      const streams = rows.take("stream", name);
      const row$ = streams ?? rows.demand("tool", name, `call ${id}`);
      const stopped$ = onAbort(signal).pipe(mergeMap(() => throwError(() => new Error("stopped"))));
      const letters$ = heeds ? merge(row$.pipe(takeUntil(onAbort(signal))), stopped$) : row$;
      if (streams) return letters$.pipe(map(resultOf));
      return settling(
        letters$.pipe(takeWhile(({ meaning }) => !isEnd(meaning), true)),
        onUpdate,
      ) as unknown as PromiseLike<AnyToolResult>;
    },
  };
}
