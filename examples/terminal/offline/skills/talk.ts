import type { Skill } from "../task";

const EXAMPLES = [
  "list files · what files are in src · how many files are in src",
  "read README.md · read package.json and LICENSE · show lines 1 to 9 of package.json",
  "search for Observable in src · where is Agent used · how often does TODO occur in src",
  "what is 12*(3+4)? · 15% of 80 · how many lines do README.md and LICENSE have",
  "read the largest file in src · search for Agent in src, then read the first match",
];

/** What the offline model can do, with examples. */
export const help = (opening: string) =>
  [
    opening,
    "I follow simple requests with four tools (list_files, read_file, search_files, calculate). For example:",
    ...EXAMPLES.map((line) => `  ${line}`),
    "For a real model, set a provider's key or use --base-url and --model; --help tells more.",
  ].join("\n");

const said = (text: string) => ({ calls: [], tell: () => text });

/** Greetings, thanks, and questions about the model itself. */
export const talk: Skill = (clause) => {
  if (
    /^(help|\?|commands|examples|what can you do|who are you|what are you|how do you work)\b/i.test(clause) ||
    clause === "?"
  ) {
    return said(help("I am the offline model: rules, no LLM."));
  }
  if (/^(hi|hello|hey|good (morning|day|evening)|moin|servus)\b/i.test(clause)) {
    return said(help("Hello! I am the offline model: rules, no LLM."));
  }
  if (/^(thanks|thank you|thx|great|nice|ok|okay|cool)\b/i.test(clause)) return said("You are welcome.");
  return undefined;
};
