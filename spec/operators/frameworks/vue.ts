import { createApp, h, onScopeDispose, shallowRef } from "vue";
import { answerOf } from "./answerOf";
import type { Mount } from "./Mount";

export const mount: Mount = (store, target) => {
  const app = createApp({
    setup() {
      const view = shallowRef(store.getSnapshot());
      onScopeDispose(store.subscribe((next) => (view.value = next)));
      return () => h("p", answerOf(view.value));
    },
  });
  app.mount(target);
  return () => app.unmount();
};
