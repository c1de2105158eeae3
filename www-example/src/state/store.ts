/** One state object, replaced as a whole, and its listeners. */
export interface Store<S> {
  get(): S;
  /** Merges `change` and tells every listener once per turn of the event loop's microtasks. */
  set(change: Partial<S>): void;
  /** Calls `listener` now and after every change, until what it returns is called. */
  subscribe(listener: (state: S) => void): () => void;
}

/** Resolves once this holds of the state. */
export function until<S>(store: Store<S>, holds: (state: S) => boolean): Promise<void> {
  if (holds(store.get())) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = store.subscribe((state) => {
      if (!holds(state)) return;
      stop();
      resolve();
    });
  });
}

export function createStore<S extends object>(initial: S): Store<S> {
  let state = initial;
  let scheduled = false;
  const listeners: ((state: S) => void)[] = [];

  function tell(): void {
    scheduled = false;
    for (const listener of [...listeners]) listener(state);
  }

  return {
    get: () => state,
    set(change) {
      state = { ...state, ...change };
      if (!scheduled) queueMicrotask(tell);
      scheduled = true;
    },
    subscribe(listener) {
      listeners.push(listener);
      listener(state);
      return () => void listeners.splice(listeners.indexOf(listener), 1);
    },
  };
}
