import { createRenderEffect, from } from "solid-js";
import { render } from "solid-js/web";
import { answerOf } from "./answerOf";
import type { Mount } from "./Mount";

export const mount: Mount = (store, target) => {
  function Chat() {
    const view = from(store.subscribe, store.getSnapshot());
    const line = document.createElement("p");
    createRenderEffect(() => (line.textContent = answerOf(view()))); // what Solid's compiler makes of <p>{answerOf(view())}</p>
    return line;
  }
  return render(Chat, target);
};
