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
 * @remarks `verifyRun` and `checkRun` hold runs against all of them.
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
