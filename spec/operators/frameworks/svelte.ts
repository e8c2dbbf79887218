import { mount as mountComponent, unmount } from "svelte";
import Chat from "./Chat.svelte";
import type { Mount } from "./Mount";

export const mount: Mount = (store, target) => {
  const component = mountComponent(Chat, { target, props: { store } });
  return () => void unmount(component);
};
