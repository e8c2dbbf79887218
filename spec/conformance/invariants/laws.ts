import type { Log } from "../log";
import { abandonedCallsSaySo } from "./abandonedCallsSaySo";
import { everyCallHasOneResult } from "./everyCallHasOneResult";
import { everyoneSeesTheSame } from "./everyoneSeesTheSame";
import { everyRunStartsAndEndsOnce } from "./everyRunStartsAndEndsOnce";
import { everythingIsClosed } from "./everythingIsClosed";
import { everythingSettles } from "./everythingSettles";
import { listenerFailuresAreContained } from "./listenerFailuresAreContained";
import { nothingEscapes } from "./nothingEscapes";
import { nothingStartsAfterAnAbort } from "./nothingStartsAfterAnAbort";
import { oneEventAtATime } from "./oneEventAtATime";
import { outcomesAreTrue } from "./outcomesAreTrue";
import { pendingCallsAreTrue } from "./pendingCallsAreTrue";
import { promptsAreCommitted } from "./promptsAreCommitted";
import { queuedMessagesAreInOnePlace } from "./queuedMessagesAreInOnePlace";
import { shownThingsStay } from "./shownThingsStay";
import { streamingLastsUntilSettled } from "./streamingLastsUntilSettled";
import { theAgentStaysUsable } from "./theAgentStaysUsable";

/** A law looks at what happened and tells what should not have, if anything. */
export type Law = (log: Log) => string | undefined;

/** The invariants of the run contract, I1 to I9, and what its sections say of every run. */
export const laws: readonly Law[] = [
  everyCallHasOneResult,
  everyRunStartsAndEndsOnce,
  everythingSettles,
  nothingStartsAfterAnAbort,
  nothingEscapes,
  queuedMessagesAreInOnePlace,
  everyoneSeesTheSame,
  oneEventAtATime,
  shownThingsStay,
  theAgentStaysUsable,
  everythingIsClosed,
  outcomesAreTrue,
  listenerFailuresAreContained,
  promptsAreCommitted,
  pendingCallsAreTrue,
  abandonedCallsSaySo,
  streamingLastsUntilSettled,
];
