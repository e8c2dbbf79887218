import type { Args } from "../args";
import { offlineModel } from "../offline/offlineModel";
import type { ChosenModel } from "./chosenModel";
import { providerInEnvironment, providerModel } from "./providers";
import { serverModel } from "./server";

const READABLE_PACE = 25;

/** The model that the command line and the environment ask for; without any, the offline one. */
export async function chooseModel(args: Args, isTerminal: boolean): Promise<ChosenModel> {
  if (args.baseUrl !== undefined && args.model !== undefined)
    return serverModel(args.baseUrl, args.model, args.apiKey);
  if (args.model !== undefined) return providerModel(args.model);
  const provider = args.offline ? undefined : await providerInEnvironment();
  if (provider) return provider;
  const { model, streamFn } = offlineModel(args.pace ?? (isTerminal ? READABLE_PACE : 0));
  return { label: model.name, model, streamFn };
}
