import { defaultStreamFn } from "../internal/defaultStreamFn";
import { expected } from "../internal/expected";
import type { ReactiveStreamFn } from "../types/hooks";

/** Sets the `streamFn` of agents and loops that are given none; `undefined` takes it back. */
export function setDefaultStreamFn(streamFn: ReactiveStreamFn | undefined): void {
  if (streamFn !== undefined && typeof streamFn !== "function")
    throw expected("streamFn", "a function", streamFn);
  defaultStreamFn.set(streamFn);
}
