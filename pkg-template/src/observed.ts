// @ts-nocheck
// A value that a page shows: a snapshot that is replaced as a whole, and its listeners.

/** `{ state, set(changes), subscribe(listener) }`. A listener that throws stops nothing. */
export function observed(first) {
  const listeners = new Set();
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
