import { summarizeOrder, type Client, type Order } from "verified-swap";
import type { Accounts } from "./accounts.ts";
import { explain } from "./failure.ts";
import { depositOf, isNative, tokenAt, type State } from "./state.ts";
import type { Store } from "./store.ts";
import type { Swap } from "./swap.ts";

/* Orders that exist: cancelling them. */

export interface Orders {
  /** Cancels by one signature; an order that needs a transaction is reviewed first. */
  cancel(orders: Order[]): Promise<void>;
  /** Withdraws native token that was deposited and not sold. */
  withdraw(): Promise<void>;
}

export function createOrders(store: Store<State>, client: () => Client, swap: Swap, accounts: Accounts): Orders {
  async function cancel(orders: Order[]): Promise<void> {
    const { busy, chains, consent } = store.get();
    const [first] = orders;
    if (busy || !first) return;
    if (summarizeOrder(first).cancel === "transaction" || consent === "transaction") {
      const src = tokenAt(chains, first.input.chainId, first.input.token);
      const dest = tokenAt(chains, first.output.chainId, first.output.token);
      return swap.reviewThis((trader) => trader.buildCancellation(first), { src, dest });
    }
    store.set({ busy: "cancelling", notice: null });
    try {
      const { orderIds } = await client().cancel(orders);
      store.set({ busy: null, notice: orderIds.length === 1 ? "Cancelled." : `${orderIds.length} orders cancelled.` });
    } catch (error) {
      store.set({ busy: null, notice: explain(error, store.get()).message });
    }
    await accounts.refresh();
  }

  async function withdraw(): Promise<void> {
    const state = store.get();
    const amount = depositOf(state);
    const native = state.chain.tokens.find(isNative);
    if (!amount || !native) return;
    await swap.reviewThis((trader) => trader.buildWithdrawal({ chainId: native.chainId, amount }), {
      src: native,
      dest: native,
    });
  }

  return { cancel, withdraw };
}
