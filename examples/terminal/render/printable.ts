/** Control characters except tab and newline: in a file or an answer they could rewrite the screen. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text of a model or a tool, harmless to a terminal. */
export const printable = (text: string) => text.replace(CONTROLS, "");
