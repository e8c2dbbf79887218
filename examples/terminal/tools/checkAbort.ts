/** Stops a tool whose run was aborted. The reason of the abort may be anything; the model reads this. */
export function checkAbort(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new Error("Operation aborted");
}
