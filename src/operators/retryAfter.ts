import type { AssistantMessage } from "@earendil-works/pi-ai";
import { asyncScheduler } from "rxjs";
import type { ModelRequest } from "../types/hooks";

const IN_TEXT =
  /retry[- ]?after["']?[:= ]+["']?(\d+(?:\.\d+)?)\s*(ms|s\b|seconds?)?|(\d+(?:\.\d+)?)s retry delay/i;

function fromHeaders(headers: Record<string, string>): number | undefined {
  const named = (name: string) => Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const ms = Number.parseFloat(named("retry-after-ms") ?? "");
  if (ms >= 0) return ms;
  const after = named("retry-after");
  if (after === undefined) return undefined;
  const wait = /^\s*\d/.test(after)
    ? Number.parseFloat(after) * 1000
    : Date.parse(after) - asyncScheduler.now();
  return wait >= 0 ? wait : undefined;
}

function fromText(text: string): number | undefined {
  const [, after, unit = "s", delay] = IN_TEXT.exec(text) ?? [];
  const value = Number.parseFloat(after ?? delay ?? "");
  if (Number.isNaN(value)) return undefined;
  return unit.toLowerCase() === "ms" ? value : value * 1000;
}

/**
 * How long a provider asks to wait, in ms: by the headers of its last answer, or the text of the failure.
 *
 * @remarks Watches the answers of this request through its `onResponse`, which stays in place.
 */
export function retryAfter(request: ModelRequest): (failure: AssistantMessage) => number | undefined {
  let asked: number | undefined;
  const { onResponse } = request.options;
  request.options = {
    ...request.options,
    onResponse: (response, model) => {
      asked = fromHeaders(response.headers);
      return onResponse?.(response, model);
    },
  };
  return ({ errorMessage = "" }) => {
    const wait = asked ?? fromText(errorMessage);
    asked = undefined;
    return wait;
  };
}
