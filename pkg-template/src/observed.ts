// A value that a page shows: a snapshot that is replaced as a whole, and its listeners.

export interface Observed<State> {
  readonly state: Readonly<State>;
  set(changes: Partial<State>): void;
  /** Returns what ends that. */
  subscribe(listener: (state: Readonly<State>) => void): () => void;
}

/** `{ state, set(changes), subscribe(listener) }`. A listener that throws stops nothing. */
export function observed<State extends object>(first: State): Observed<State> {
  const listeners = new Set<(state: Readonly<State>) => void>();
  let state = Object.freeze(first);
  return {
    get state() {
      return state;
    },
    set(changes) {
      state = Object.freeze({ ...state, ...changes });
      for (const listener of [...listeners]) {
        try {
          listener(state);
        } catch {
          // The page's own.
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
