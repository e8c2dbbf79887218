import type { ForwardedOptions } from "./ForwardedOptions";
import { optionTypes } from "./optionTypes";

/**
 * The options of a request that travel to the proxy.
 *
 * @remarks Picked by name: what the agent's loop spreads into its options besides (hooks, tools, the key) never leaves.
 */
export function proxyRequestOptions(options: ForwardedOptions): ForwardedOptions {
  const forwarded = (Object.keys(optionTypes) as (keyof ForwardedOptions)[])
    .filter((name) => options[name] !== undefined)
    .map((name) => [name, options[name]]);
  return Object.fromEntries(forwarded) as ForwardedOptions;
}
