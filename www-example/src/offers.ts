import type { Client, FillOptions, Hex, OtcOrder, PermitKind } from "verified-swap";
import { tokenAt, type State } from "./state.ts";
import type { Store } from "./store.ts";
import type { Swap } from "./swap.ts";

/* OTC orders that exist: read, filled, cancelled. Filling and cancelling are transactions, reviewed before they are sent. */

export interface OffersBook {
  read(orderHash: Hex): Promise<OtcOrder>;
  /** `permit`: signed in place of an approval, before the fill is built. */
  fill(order: OtcOrder, options: Pick<FillOptions, "takerAmount" | "receiver">, permit: PermitKind | null): Promise<void>;
  cancel(order: OtcOrder): Promise<void>;
}

export function createOffersBook(store: Store<State>, client: () => Client, swap: Swap): OffersBook {
  function tokensOf({ chainId, makerAsset, takerAsset }: OtcOrder) {
    const { chains } = store.get();
    return { maker: tokenAt(chains, chainId, makerAsset), taker: tokenAt(chains, chainId, takerAsset) };
  }

  return {
    read: (orderHash) => client().otcOrder(orderHash),
    async fill(order, options, kind) {
      const { maker, taker } = tokensOf(order);
      const decimals = { makerDecimals: maker.decimals, takerDecimals: taker.decimals };
      await swap.reviewThis(async (trader) => {
        if (kind === null) return trader.buildFill(order, { ...options, ...decimals });
        store.set({ busy: "permitting" });
        const permit = await trader.signPermit(order, { kind, ...(options.takerAmount === undefined ? {} : { amount: options.takerAmount }) });
        store.set({ busy: "building" });
        return trader.buildFill(order, { ...options, ...decimals, permit });
      }, { src: taker, dest: maker });
    },
    async cancel(order) {
      const { maker, taker } = tokensOf(order);
      await swap.reviewThis((trader) => trader.buildOtcCancellation(order), { src: maker, dest: taker });
    },
  };
}
