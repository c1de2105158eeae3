import { isTradeError, summarizeOrder, type Client, type Order } from "verified-swap";
import type { Accounts } from "./accounts.ts";
import { messages } from "../messages/en.ts";
import { explain, signsNothing, troubleWords, whyRefusedHere } from "../state/failure.ts";
import { depositOf, isNative, tokenAt, viewOf, type State } from "../state/state.ts";
import type { Store } from "../state/store.ts";
import type { Swap } from "./swap.ts";

/* Orders that exist: cancelling them. */

export interface Orders {
  /** Cancels by one signature, or by a transaction. */
  cancel(orders: Order[]): Promise<void>;
  /** Withdraws native token that was deposited and not sold. */
  withdraw(): Promise<void>;
}

export function createOrders(store: Store<State>, client: () => Client, swap: Swap, accounts: Accounts): Orders {
  async function cancel(orders: Order[]): Promise<void> {
    const { busy, consent } = store.get();
    const [first] = orders;
    if (busy || !first) return;
    if (summarizeOrder(first).cancel === "transaction" || consent === "transaction") return cancelOnChain(first);
    store.set({ busy: "cancelling", notice: null });
    try {
      const { orderIds } = await client().cancel(orders);
      store.set({ busy: null, notice: messages.progress.cancelled(orderIds.length) });
    } catch (error) {
      const isLeft = whyRefusedHere(error) === "left";
      const onChain = isTradeError(error) && signsNothing(error);
      const others = onChain && orders.length > 1 ? ` ${messages.progress.cancelsOne(orders.length - 1)}` : "";
      store.set({ busy: null, notice: isLeft ? null : troubleWords(explain(error, store.get())) + others });
      if (onChain) return cancelOnChain(first);
    }
    await accounts.refresh();
  }

  async function cancelOnChain(order: Order): Promise<void> {
    const { chains } = store.get();
    const cancels = { order, from: viewOf(store.get(), order.orderHash) };
    const src = tokenAt(chains, order.input.chainId, order.input.token);
    const dest = tokenAt(chains, order.output.chainId, order.output.token);
    await swap.reviewThis((trader) => trader.buildCancellation(order), { src, dest, cancels });
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
