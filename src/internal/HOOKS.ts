import { RUN_HOOKS } from "./RUN_HOOKS";

/** The options that are functions. */
export const HOOKS = [
  ...RUN_HOOKS,
  "prepareNextTurn",
  "prepareNextTurnWithContext",
  "getSteeringMessages",
  "getFollowUpMessages",
  "onUndelivered",
  "onUpdate",
  "streamFunction",
  "streamFn",
  "gate",
] as const;
