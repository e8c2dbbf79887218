import type { AssistantMessageEvent } from "@earendil-works/pi-ai";
import { Observable, timer } from "rxjs";
import type { ResponseStep } from "./ResponseWriter";

/** How {@link paced} reads its steps, and what an abort ends it with. */
export interface PacedOptions {
  steps: () => Iterator<ResponseStep>;
  signal?: AbortSignal;
  aborted: () => AssistantMessageEvent;
}

/**
 * Emits the events among the steps and waits out the numbers, without a promise; no number, or 0, is no wait at all.
 *
 * @remarks An abort ends it at once with `aborted()`, the way a provider ends that heard the signal.
 */
export function paced({ steps, signal, aborted }: PacedOptions): Observable<AssistantMessageEvent> {
  return new Observable<AssistantMessageEvent>((subscriber) => {
    const iterator = steps();
    const pull = () => {
      while (!subscriber.closed) {
        const step = iterator.next();
        if (step.done) return subscriber.complete();
        if (typeof step.value !== "number") subscriber.next(step.value);
        else if (step.value === Infinity) return;
        else if (step.value > 0) return void subscriber.add(timer(step.value).subscribe(pull));
      }
    };
    const abort = () => {
      subscriber.next(aborted());
      subscriber.complete();
    };
    if (signal?.aborted) return abort();
    signal?.addEventListener("abort", abort);
    subscriber.add(() => signal?.removeEventListener("abort", abort));
    try {
      pull();
    } catch (error) {
      subscriber.error(error);
    }
  });
}
