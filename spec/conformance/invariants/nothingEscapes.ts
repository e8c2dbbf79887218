import { entriesOf, type Log } from "../log";

/** I5: no unhandled rejection, no uncaught exception; what RxJS reports is what observers threw, once each. */
export function nothingEscapes(log: Log): string | undefined {
  const trouble = entriesOf(log, "trouble");
  const escaped = trouble.find(({ what }) => what === "unhandled rejection" || what === "uncaught exception");
  if (escaped) return `${escaped.what} at ${escaped.at}: ${escaped.detail}`;
  const reported = trouble.filter(({ what }) => what === "rx unhandled error").map(({ detail }) => detail);
  const thrown = entriesOf(log, "observed")
    .filter(({ throws }) => throws)
    .map(({ observer }) => `observer ${observer} throws`);
  const [told, expected] = [reported.sort().join(", "), thrown.sort().join(", ")];
  return told === expected ? undefined : `RxJS reported [${told}], observers threw [${expected}]`;
}
