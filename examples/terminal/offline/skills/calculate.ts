import type { Skill } from "../task";

const ASKED = /^(?:what(?:'s| is)|how much is|calculate|compute|evaluate|work out|solve)\s+(?:the\s+)?/i;
const EXPRESSION =
  /^[-+(.\d]?(?:\d|[-+*/%^().,\s]|\b(?:sqrt|abs|round|floor|ceil|min|max|ln|log10|sin|cos|tan|pi|e)\b)*$/i;

/** Arithmetic in words, as arithmetic in signs. */
const inSigns = (text: string) =>
  text
    .replace(/(?<=\d),(?=\d{3}\b)(?![^(]*\))/g, "")
    .replace(/(\d+(?:\.\d+)?)\s*(?:%|percent)\s+of\s+/gi, "$1/100*")
    .replace(/\bsquare root of\s+([\d.]+|\([^)]*\))/gi, "sqrt($1)")
    .replace(/\bsqrt\s+([\d.]+)/gi, "sqrt($1)")
    .replace(/\s*\b(?:to the power of|raised to)\b\s*/gi, "^")
    .replace(/\s*\bsquared\b/gi, "^2")
    .replace(/\s*\bcubed\b/gi, "^3")
    .replace(/\bplus\b/gi, "+")
    .replace(/\bminus\b|−|–/gi, "-")
    .replace(/\b(?:times|multiplied by)\b|×|·|(?<=\d)\s*x\s*(?=\d)/gi, "*")
    .replace(/\b(?:divided by|over)\b|÷/gi, "/")
    .replace(/\b(?:modulo|mod)\b/gi, "%")
    .replace(/=\s*$/, "")
    .trim();

/** "what is 12*(3+4)", "15% of 80", "sqrt(2)^2". */
export const calculate: Skill = (clause) => {
  const expression = inSigns(clause.replace(ASKED, ""));
  const hasWork = /\d\s*[-+*/%^]|[a-z]\s*\(|^\s*-?\d+(\.\d+)?\s*$/i.test(expression);
  // Asked for in so many words, even nonsense goes to the calculator, which says what is wrong with it.
  const demanded = /^(?:calculate|compute|evaluate)\s/i.test(clause) && /\d/.test(expression);
  if (!demanded && !(hasWork && EXPRESSION.test(expression))) return undefined;
  return {
    intro: `I will calculate ${expression}.`,
    calls: [{ name: "calculate", arguments: { expression } }],
    tell: ([result]) =>
      result!.isError
        ? `I could not calculate ${expression}: ${result!.text}`
        : `${expression} = ${result!.text}`,
  };
};
