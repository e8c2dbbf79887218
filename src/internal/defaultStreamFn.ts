import type { ReactiveStreamFn } from "../types/hooks";

let fallback: ReactiveStreamFn | undefined;

/** The stream function of those who pass none. */
export const defaultStreamFn = {
  set(streamFn: ReactiveStreamFn | undefined): void {
    fallback = streamFn;
  },
  get(): ReactiveStreamFn {
    if (fallback) return fallback;
    throw new Error("streamFn is required: pass it or call setDefaultStreamFn()");
  },
};
