import { anthropicWire } from "./anthropicWire";
import { openAiWire } from "./openAiWire";

/** The wires every spec of this room runs over. */
export const wires = [openAiWire, anthropicWire];
