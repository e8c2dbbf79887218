import type { Api, Model } from "@earendil-works/pi-ai";
import type { StreamFn } from "pi-agent-rx";

/** A model to ask, and how it is called on the screen. */
export interface ChosenModel {
  label: string;
  model: Model<Api>;
  streamFn: StreamFn;
}
