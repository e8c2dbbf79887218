import { Agent } from "pi-agent-rx";
import { conversation, toStore, type ConversationView, type Store } from "pi-agent-rx/operators";
import { ReplaySubject } from "rxjs";
import type { AssistantMessageEvent } from "@earendil-works/pi-ai";
import { assistant, model } from "../../support/fixtures";
import { delta, start, terminal } from "../../support/providerEvents";
import type { Mount } from "./Mount";
import { mount as react } from "./react";
import { mount as solid } from "./solid";
import { mount as svelte } from "./svelte";
import { mount as vue } from "./vue";

/** What a component showed of two answers; it is unmounted in the middle of the second. */
export interface Shown {
  texts: string[];
  /** How many listeners the store had: mounted, and unmounted. */
  listeners: [mounted: number, unmounted: number];
  afterwards: string | null;
  /** The second answer, and how its run ended. */
  said: string;
  outcome?: string;
}

/** The store, counting who listens. */
function counted(store: Store<ConversationView>) {
  let listeners = 0;
  const subscribe: typeof store.subscribe = (listener) => {
    const leave = store.subscribe(listener);
    listeners++;
    return () => {
      listeners--;
      leave();
    };
  };
  return { store: { ...store, subscribe }, listeners: () => listeners };
}

/** An agent whose model says what it is told to. */
function talker() {
  let said$ = new ReplaySubject<AssistantMessageEvent>();
  const agent = new Agent({ initialState: { model }, streamFn: () => said$ });
  const ask = () => {
    said$ = new ReplaySubject();
    said$.next(start());
    return agent.prompt("Go on");
  };
  const end = (text: string) => said$.next(terminal(assistant(text)));
  return { agent, ask, say: (text: string) => said$.next(delta(text)), end };
}

// By the next task every framework has drawn.
const drawn = () => new Promise((resolve) => setTimeout(resolve));

async function show(mount: Mount): Promise<Shown> {
  const { agent, ask, say, end } = talker();
  const { store, listeners } = counted(toStore(agent.events$.pipe(conversation(agent.state))));
  const target = document.body.appendChild(document.createElement("main"));
  const texts: string[] = [];
  const look = async () => {
    await drawn();
    texts.push(target.textContent);
  };
  const unmount = mount(store, target);
  await look();
  const first = ask();
  for (const text of ["H", "He", "Hey"]) {
    say(text);
    await look();
  }
  end("Hey.");
  await first;
  await look();
  const second = ask();
  say("B");
  await look();
  const mounted = listeners();
  unmount();
  await drawn();
  const unmounted = listeners();
  say("By");
  end("Bye.");
  await second;
  const { items, outcome } = store.getSnapshot();
  const said = items.flatMap((item) => (item.kind === "text" ? [item.text] : [])).at(-1) ?? "";
  return { texts, listeners: [mounted, unmounted], afterwards: target.textContent, said, outcome };
}

async function main(): Promise<Record<string, Shown>> {
  return {
    React: await show(react),
    Vue: await show(vue),
    Svelte: await show(svelte),
    Solid: await show(solid),
  };
}

Object.assign(globalThis, { main });
