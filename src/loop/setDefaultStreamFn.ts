import { defaultStreamFn } from "../internal/defaultStreamFn";
import { check } from "../internal/check";
import type { ReactiveStreamFn } from "../types/hooks";

/** Sets the `streamFn` of agents and loops that are given none; `undefined` takes it back. */
export function setDefaultStreamFn(streamFn: ReactiveStreamFn | undefined): void {
  if (streamFn !== undefined) check.function("streamFn", streamFn);
  defaultStreamFn.set(streamFn);
}
