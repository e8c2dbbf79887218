import { entriesOf, type Log } from "../log";

/** I8: the fields of an event and of its message do not change after it was shown; snapshots of `state$` not at all. */
export function shownThingsStay(log: Log): string | undefined {
  const changed = entriesOf(log, "changed")[0];
  return changed && `${changed.what} changed after it was shown`;
}
