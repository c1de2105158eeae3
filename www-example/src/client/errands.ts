import { isTerminal } from "verified-swap";
import { insist, type Failed } from "./pause.ts";
import type { Errand } from "../state/parts.ts";
import type { State } from "../state/state.ts";
import type { Store } from "../state/store.ts";

/* The list of what is under way: each errand goes on, whatever view is shown. */

export interface Errands {
  /** Adds one, or puts it in the place of the one with its id. */
  begin(errand: Errand, show: boolean): void;
  /** Does what it needs next until that succeeds, or is in vain. Whoever did something for it before stops. */
  follow(id: string, work: (signal: AbortSignal) => Promise<void>, failed?: Failed): Promise<void>;
  /** A newer read of it. One that ends while the page shows something else is news. */
  change(errand: Errand): void;
  find(id: string): Errand | undefined;
  /** In its own view. */
  show(id: string): void;
  /** It is followed no more, and in no list. */
  drop(id: string): void;
  /** Another view takes the place of the shown one: it goes on, unless it is over. */
  leave(): void;
  /** Another account: nothing of the old one is followed. */
  clear(): void;
}

export function createErrands(store: Store<State>): Errands {
  const running = new Map<string, AbortController>();

  function begin(errand: Errand, show: boolean): void {
    const others = store.get().errands.filter(({ id }) => id !== errand.id);
    store.set({ errands: [errand, ...others] });
    if (show) showErrand(errand);
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

  async function follow(id: string, work: (signal: AbortSignal) => Promise<void>, failed?: Failed): Promise<void> {
    running.get(id)?.abort();
    // Of another account by now.
    if (!find(id)) return;
    const controller = new AbortController();
    running.set(id, controller);
    await insist(() => work(controller.signal), controller.signal, failed);
  }

  function drop(id: string): void {
    running.get(id)?.abort();
    running.delete(id);
    store.set({ errands: store.get().errands.filter((errand) => errand.id !== id) });
  }

  const find = (id: string): Errand | undefined => store.get().errands.find((errand) => errand.id === id);

  return {
    begin,
    follow,
    change,
    find,
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
