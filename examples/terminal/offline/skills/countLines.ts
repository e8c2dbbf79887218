import { plural } from "../../tools/plural";
import { pathsOf } from "../phrases";
import { readContent } from "../readings";
import type { Result, Skill } from "../task";
import { readCall } from "./read";

const ASKED =
  /^(?:how many lines|(?:what is the )?line count|count(?: the)?(?: number of)? lines)(?:\s+(?:are|is|there|do|does|of code))*(?:\s+(?:in|of))?\s+(.+?)(?:\s+(?:have|has|hold|contain))?(?:\s+(?:together|altogether|in total|in all|combined))?$/i;

const linesOf = (result: Result) => readContent(result).total;

const tellOne = (result: Result) => {
  const path = String(result.call.arguments["path"]);
  return result.isError
    ? `I could not read ${path}: ${result.text}`
    : `${path} has ${plural(linesOf(result), "line")}.`;
};

/** "how many lines do a.txt and b.txt have": reads them together, then lets the calculator add. */
export const countLines: Skill = (clause) => {
  const paths = pathsOf(ASKED.exec(clause)?.[1] ?? "");
  if (!paths) return undefined;
  return {
    intro: `I will read ${paths.join(" and ")} and count.`,
    calls: paths.map((path) => readCall(path)),
    tell: (results) => results.map(tellOne).join("\n"),
    next: (results) => {
      const read = results.filter((result) => !result.isError);
      if (read.length < 2) return undefined;
      const expression = read.map(linesOf).join(" + ");
      return {
        intro: `${results.map(tellOne).join(" ")} Now the sum.`,
        calls: [{ name: "calculate", arguments: { expression } }],
        tell: ([sum]) => `Together they have ${plural(Number(sum!.text), "line")}.`,
      };
    },
  };
};
