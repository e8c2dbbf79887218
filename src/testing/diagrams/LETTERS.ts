import type { Meaning } from "./parseMeaning";

/** What a letter means in a row of this kind, unless the diagram's legend says otherwise. */
export const LETTERS: Record<string, Record<string, Meaning>> = {
  model: {
    s: { verb: "start" },
    t: { verb: "text", text: "hi" },
    h: { verb: "thinking", text: "hm" },
    d: { verb: "done" },
    e: { verb: "error", text: "The model failed" },
    l: { verb: "done", word: "length" },
  },
  tool: {
    p: { verb: "progress" },
    r: { verb: "result" },
    f: { verb: "failure" },
    q: { verb: "terminate" },
  },
  hook: { o: { verb: "nothing" } },
  input: { o: { verb: "nothing" } },
  user: {
    P: { verb: "prompt", text: "Hi" },
    C: { verb: "continue" },
    S: { verb: "steer", text: "Wait" },
    F: { verb: "followUp", text: "And then?" },
    Q: { verb: "abort", text: "closed" },
    U: { verb: "unsubscribe" },
    K: { verb: "clear" },
    D: { verb: "dispose" },
  },
};
