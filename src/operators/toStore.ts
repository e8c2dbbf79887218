import { throwError, type Observable } from "rxjs";

/** The latest value of a stream, as React's `useSyncExternalStore` and Svelte's store contract read it. */
export interface Store<T> {
  /** The latest value. Throws what the stream failed with. */
  getSnapshot: () => T;
  /** Calls the listener with the latest value at once and whenever there is a new one; gives the function that ends that. */
  subscribe: (listener: (value: T) => void) => () => void;
  /** Lets go of the stream; the latest value stays. */
  dispose: () => void;
}

/**
 * Keeps the latest value of a stream for frameworks that read stores.
 *
 * @param initial - The value until the stream emits. A stream that emits when subscribed, like `conversation()`, needs none.
 * @remarks Subscribes at once and until `dispose`, so nothing is missed while no component is mounted. A listener that throws
 * keeps the value from no other.
 * React: `useSyncExternalStore(store.subscribe, store.getSnapshot)`. Svelte: `$store`. Solid: `from(store.subscribe)`.
 * Vue: `const view = shallowRef(store.getSnapshot()); onScopeDispose(store.subscribe((next) => (view.value = next)))`.
 * Angular takes the observable itself: `toSignal(view$)`, or `view$ | async`.
 * @example
 * ```ts
 * const store = toStore(agent.events$.pipe(conversation(agent.state)));
 * const unsubscribe = store.subscribe(({ items }) => console.log(items.length));
 * await agent.prompt("Hello");
 * unsubscribe();
 * store.dispose();
 * ```
 */
export function toStore<T>(source$: Observable<T>): Store<T>;
export function toStore<T>(source$: Observable<T>, initial: T): Store<T>;
export function toStore<T>(source$: Observable<T>, initial?: T): Store<T> {
  let latest = initial as T;
  let failure: { error: unknown } | undefined;
  const listeners = new Set<{ call: (value: T) => void }>();
  const tell = () => {
    for (const { call } of listeners) {
      try {
        call(latest);
      } catch (error) {
        throwError(() => error).subscribe(); // as RxJS reports what nobody handles
      }
    }
  };
  const subscription = source$.subscribe({
    next: (value) => {
      latest = value;
      tell();
    },
    error: (error: unknown) => {
      failure = { error };
      tell();
    },
  });
  return {
    getSnapshot: () => {
      if (failure) throw failure.error;
      return latest;
    },
    subscribe: (call) => {
      const listener = { call };
      listeners.add(listener);
      call(latest);
      return () => void listeners.delete(listener);
    },
    dispose: () => subscription.unsubscribe(),
  };
}
