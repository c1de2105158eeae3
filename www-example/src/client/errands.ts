import { isTerminal } from "verified-swap";
import type { Errand } from "../state/parts.ts";
import type { State } from "../state/state.ts";
import type { Store } from "../state/store.ts";

/* The list of what is under way: each errand goes on, whatever view is shown. */

export interface Errands {
  /** Adds one, or puts it in the place of the one with its id. Whoever followed that stops; the signal ends this one. */
  begin(errand: Errand, show: boolean): AbortSignal;
  /** A newer read of it. One that ends while the page shows something else is news. */
  change(errand: Errand): void;
  find(id: string): Errand | undefined;
  /** In its own view. */
  show(id: string): void;
  /** Follows it anew, whoever did before. */
  restart(id: string): AbortSignal;
  /** It is followed no more, and in no list. */
  drop(id: string): void;
  /** Another view takes the place of the shown one: it goes on, unless it is over. */
  leave(): void;
  /** Another account: nothing of the old one is followed. */
  clear(): void;
}

export function createErrands(store: Store<State>): Errands {
  const running = new Map<string, AbortController>();

  function begin(errand: Errand, show: boolean): AbortSignal {
    const others = store.get().errands.filter(({ id }) => id !== errand.id);
    store.set({ errands: [errand, ...others] });
    if (show) showErrand(errand);
    return restart(errand.id);
  }

  function showErrand({ id, kind }: Errand): void {
    const errands = store.get().errands.map((one) => (one.id === id ? { ...one, isNews: false } : one));
    const stage = kind === "order" ? "progress" : "sent";
    store.set({ errands, stage, shown: id, busy: null, failure: null, notice: null });
  }

  function change(errand: Errand): void {
    const { errands, stage, shown } = store.get();
    const before = errands.find(({ id }) => id === errand.id);
    if (!before) return;
    const isShown = shown === errand.id && (stage === "progress" || stage === "sent");
    const isNews = before.isNews || (!isShown && isOver(errand) && !isOver(before));
    store.set({ errands: errands.map((one) => (one === before ? { ...errand, isNews } : one)) });
  }

  function restart(id: string): AbortSignal {
    running.get(id)?.abort();
    const controller = new AbortController();
    running.set(id, controller);
    return controller.signal;
  }

  function drop(id: string): void {
    running.get(id)?.abort();
    running.delete(id);
    store.set({ errands: store.get().errands.filter((errand) => errand.id !== id) });
  }

  const find = (id: string): Errand | undefined => store.get().errands.find((errand) => errand.id === id);

  return {
    begin,
    change,
    find,
    restart,
    drop,
    show(id) {
      const errand = find(id);
      if (errand) showErrand(errand);
    },
    leave() {
      const { errands, shown } = store.get();
      const left = errands.find(({ id }) => id === shown);
      if (left && isOver(left)) drop(left.id);
    },
    clear() {
      for (const { id } of store.get().errands) drop(id);
    },
  };
}

/** Whether nothing more happens to it. */
export function isOver(errand: Errand): boolean {
  return errand.kind === "transaction" ? isTerminal(errand.sent.transaction) : errand.order !== null && isTerminal(errand.order);
}
