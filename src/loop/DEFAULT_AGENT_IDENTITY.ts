import { PI_ATTRIBUTION, type ClientIdentity } from "@earendil-works/pi-ai";

/** How requests name themselves to providers, unless `identity` says otherwise field by field. */
export const DEFAULT_AGENT_IDENTITY: ClientIdentity = { attribution: PI_ATTRIBUTION };
