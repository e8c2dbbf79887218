export type { ProxyAssistantMessageEvent } from "./ProxyAssistantMessageEvent";
export { proxyHandler } from "./proxyHandler";
export type { ProxyHandlerOptions, RequestedModel } from "./ProxyHandlerOptions";
export type { ForwardedOptions } from "./ForwardedOptions";
