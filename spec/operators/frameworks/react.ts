import { createElement, StrictMode, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { answerOf } from "./answerOf";
import type { Mount } from "./Mount";

export const mount: Mount = (store, target) => {
  function Chat() {
    const view = useSyncExternalStore(store.subscribe, store.getSnapshot);
    return createElement("p", null, answerOf(view));
  }
  const root = createRoot(target);
  flushSync(() => root.render(createElement(StrictMode, null, createElement(Chat))));
  return () => root.unmount();
};
