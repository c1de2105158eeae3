import type { Client, FillOptions, Hex, OtcOrder } from "verified-swap";
import { tokenAt, type State } from "./state.ts";
import type { Store } from "./store.ts";
import type { Swap } from "./swap.ts";

/* OTC orders that exist: read, filled, cancelled. Filling and cancelling are transactions, reviewed before they are sent. */

export interface OffersBook {
  read(orderHash: Hex): Promise<OtcOrder>;
  fill(order: OtcOrder, options: Pick<FillOptions, "takerAmount" | "receiver">): Promise<void>;
  cancel(order: OtcOrder): Promise<void>;
}

export function createOffersBook(store: Store<State>, client: () => Client, swap: Swap): OffersBook {
  function tokensOf({ chainId, makerAsset, takerAsset }: OtcOrder) {
    const { chains } = store.get();
    return { maker: tokenAt(chains, chainId, makerAsset), taker: tokenAt(chains, chainId, takerAsset) };
  }

  return {
    read: (orderHash) => client().otcOrder(orderHash),
    async fill(order, options) {
      const { maker, taker } = tokensOf(order);
      const decimals = { makerDecimals: maker.decimals, takerDecimals: taker.decimals };
      await swap.reviewThis((trader) => trader.buildFill(order, { ...options, ...decimals }), { src: taker, dest: maker });
    },
    async cancel(order) {
      const { maker, taker } = tokensOf(order);
      await swap.reviewThis((trader) => trader.buildOtcCancellation(order), { src: maker, dest: taker });
    },
  };
}
