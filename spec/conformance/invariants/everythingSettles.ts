import { entriesOf, type Log } from "../log";

/** I3: every call settles, and the script comes to rest. */
export function everythingSettles(log: Log): string | undefined {
  const trouble = entriesOf(log, "trouble").find(({ what }) => what === "hangs" || what === "never rests");
  if (trouble) return `${trouble.what}: ${trouble.detail}`;
  const steps = entriesOf(log, "step");
  const settled = new Set(steps.filter(({ phase }) => phase === "settled").map(({ nth }) => nth));
  const open = steps.find(({ phase, nth }) => phase === "begins" && !settled.has(nth));
  if (open) return `${open.step} ${open.nth}, begun at ${open.at}, never settled`;
  const { idleAsked, idleTold } = countIdle(log);
  return idleAsked === idleTold ? undefined : `${idleAsked - idleTold} calls of waitForIdle() never settled`;
}

function countIdle(log: Log): { idleAsked: number; idleTold: number } {
  const actions = entriesOf(log, "action").filter(({ action }) => action.do === "idle");
  const asked = actions.filter(({ outcome }) => outcome === "asked").length;
  return { idleAsked: asked, idleTold: actions.length - asked };
}
