import { entriesOf, type Log } from "../log";
import { runsOf } from "./run";
import { brief } from "./shape";

/** `isStreaming` is true for every listener of a run, `agent_end` included, and false once the run has settled. */
export function streamingLastsUntilSettled(log: Log): string | undefined {
  for (const { events } of runsOf(log)) {
    const idle = events.find(({ state }) => !state.isStreaming);
    if (idle) return `not streaming in ${brief(idle)}`;
  }
  const busy = entriesOf(log, "rest").find(({ state }) => state.isStreaming);
  return busy && `still streaming after step ${busy.after}, at ${busy.at}`;
}
