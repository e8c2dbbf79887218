import type { Api, Model, SimpleStreamOptions } from "@earendil-works/pi-ai";
import type { HookOutput, ReactiveStreamFn } from "../types/hooks";
import type { ForwardedOptions } from "./ForwardedOptions";

/** The model that a client names. Nothing else of what it sent as its model is passed on. */
export type RequestedModel = Pick<Model<Api>, "api" | "id" | "provider">;

/** What `proxyHandler` is built from. */
export interface ProxyHandlerOptions {
  /**
   * Asks the provider, with a key of its own: none comes from the client.
   *
   * @remarks Contract: honour `options.signal`; it is aborted when the client hangs up.
   */
  streamFn: ReactiveStreamFn;
  /**
   * Says whether a request is served; only `true` lets it in. Called before the body is read.
   *
   * @param token - The bearer token, `""` where there is none.
   */
  authorize: (token: string, request: Request) => HookOutput<boolean>;
  /**
   * Gives the server's own model for the one that the client names, or `undefined` to refuse it.
   *
   * @remarks Contract: look it up in a list of yours. Where requests go, and with which headers, is for the server to
   * say: its key goes there.
   */
  resolveModel: (requested: RequestedModel, request: Request) => HookOutput<Model<Api> | undefined>;
  /**
   * Makes the options of the provider request from those that the client sent, whose types have been checked.
   *
   * @defaultValue all but `headers` and `samplingParams`, which could redirect the request or name another model
   */
  prepareOptions?: (options: ForwardedOptions, request: Request) => HookOutput<SimpleStreamOptions>;
  /**
   * Milliseconds between two comments that keep a waiting connection alive; 0 sends none.
   *
   * @defaultValue 15000
   */
  heartbeatMs?: number;
  /**
   * The largest request body that is read, in bytes.
   *
   * @defaultValue 67108864 (64 MiB)
   */
  maxBodyBytes?: number;
  /** Told what `authorize`, `resolveModel` or `prepareOptions` threw. The client learns only which one failed. */
  onError?: (error: unknown, request: Request) => void;
}
