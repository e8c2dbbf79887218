import type { ConversationView, Store } from "pi-agent-rx/operators";

/** Renders a component that reads the store into an element; gives what unmounts it. */
export type Mount = (store: Store<ConversationView>, target: Element) => () => void;
