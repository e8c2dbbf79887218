import { defer, map, merge, take, takeUntil } from "rxjs";
import type { ReactiveStreamFn } from "../../types/hooks";
import { describeMessages } from "./describeMessages";
import { onAbort } from "./onAbort";
import { responder } from "./responder";
import type { RowSources } from "./RowSources";

/** A model whose responses are the rows `model:`, one a request. */
export function diagramStreamFn(
  rows: RowSources,
  heeds: boolean,
  onRequest: (messages: string) => void,
): ReactiveStreamFn {
  let requests = 0;
  return (model, context, options) => {
    onRequest(describeMessages(context.messages));
    const letters$ = rows.demand("model", "", `request ${++requests}`);
    return defer(() => {
      const respond = responder(model);
      const events$ = letters$.pipe(map(({ letter, meaning }) => respond(letter, meaning)));
      if (!heeds) return events$;
      const aborted$ = onAbort(options?.signal).pipe(
        take(1),
        map(() => respond("", { verb: "aborted" })),
      );
      return merge(events$.pipe(takeUntil(onAbort(options?.signal))), aborted$);
    });
  };
}
