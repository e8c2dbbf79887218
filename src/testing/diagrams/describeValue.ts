import type { AgentMessage } from "../../types/messages";
import { transcript } from "./transcript";

interface Failed {
  type: "error";
  reason: string;
  /** The provider's event has it in its message, the proxy's beside the reason. */
  errorMessage?: string;
  error?: { errorMessage?: string };
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const isMessage = (value: unknown): value is AgentMessage => isObject(value) && "role" in value;
const isFailed = (value: unknown): value is Failed =>
  isObject(value) && "type" in value && value.type === "error" && "reason" in value;

/** A value of a row `result:` in words, as a line `result 1:` has it. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value) && value.every(isMessage)) return transcript.describe(value);
  if (isFailed(value)) {
    return `${value.reason} ${JSON.stringify(value.errorMessage ?? value.error?.errorMessage)}`;
  }
  return JSON.stringify(value) ?? "nothing";
}
