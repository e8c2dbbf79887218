/** A model's answer, independent of the wire it is sent over. Every string of a list is one delta. */
export interface Answer {
  readonly parts: readonly AnswerPart[];
  readonly stop?: "stop" | "toolUse" | "length";
  readonly usage?: { readonly input: number; readonly output: number };
}

export type AnswerPart =
  | { readonly type: "thinking"; readonly deltas: readonly string[] }
  | { readonly type: "text"; readonly deltas: readonly string[] }
  | { readonly type: "call"; readonly id: string; readonly name: string; readonly deltas: readonly string[] };

export function thinking(...deltas: string[]): AnswerPart {
  return { type: "thinking", deltas };
}

export function text(...deltas: string[]): AnswerPart {
  return { type: "text", deltas };
}

/** A tool call whose arguments arrive as the given pieces of JSON text. */
export function call(id: string, name: string, ...deltas: string[]): AnswerPart {
  return { type: "call", id, name, deltas };
}

export function answer(...parts: AnswerPart[]): Answer {
  return { parts };
}

export function stopOf({ stop, parts }: Answer): "stop" | "toolUse" | "length" {
  return stop ?? (parts.some((part) => part.type === "call") ? "toolUse" : "stop");
}

export function usageOf({ usage }: Answer): { readonly input: number; readonly output: number } {
  return usage ?? { input: 21, output: 8 };
}
