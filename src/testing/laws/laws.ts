import { everyCallHasOneResult } from "./everyCallHasOneResult";
import { everyoneSeesTheSame } from "./everyoneSeesTheSame";
import { everyRunStartsAndEndsOnce } from "./everyRunStartsAndEndsOnce";
import { everythingIsClosed } from "./everythingIsClosed";
import { everythingSettles } from "./everythingSettles";
import type { Law } from "./Law";
import { messagesAreInOnePlace } from "./messagesAreInOnePlace";
import { nothingEscapes } from "./nothingEscapes";
import { nothingStartsAfterAnAbort } from "./nothingStartsAfterAnAbort";
import { shownThingsStay } from "./shownThingsStay";
import { theAgentStaysUsable } from "./theAgentStaysUsable";

/**
 * The invariants I1 to I9 of the run contract and the grammar of events, each as far as a recording shows it.
 *
 * @remarks `verifyRun` and `checkRun` hold runs against all of them. Events alone show I1, I2, the grammar, whether a run
 * ends (I3), turns after an abort (I4) and what `agent_end` adds up to (I6). A recording shows requests and aborts (I1, I4),
 * queues (I6), observers (I7), fields that changed (I8) and the state at rest (I9) too; I5 it shows when `Recorder.trouble` is
 * told of unhandled rejections and uncaught exceptions, which no library can see for itself.
 *
 * @example
 * ```ts
 * for (const { name, says } of laws) console.log(name, says);
 * ```
 */
export const laws: readonly Law[] = [
  everyRunStartsAndEndsOnce,
  everyCallHasOneResult,
  everythingSettles,
  nothingStartsAfterAnAbort,
  nothingEscapes,
  messagesAreInOnePlace,
  everyoneSeesTheSame,
  shownThingsStay,
  theAgentStaysUsable,
  everythingIsClosed,
];
