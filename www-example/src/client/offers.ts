import {
  summarizeOtcOrder,
  type Client,
  type FillOptions,
  type Hex,
  type OtcOrder,
  type PermitKind,
} from "verified-swap";
import { nameOf, tokenAt, viewOf, type State } from "../state/state.ts";
import type { Store } from "../state/store.ts";
import type { Swap } from "./swap.ts";

/* OTC orders that exist: read, filled, cancelled. Filling and cancelling are transactions, reviewed before they are
   sent. */

export interface OffersBook {
  read(orderHash: Hex): Promise<OtcOrder>;
  /**
   * One order, or several of one pair by one transaction. `permit`: signed in place of an approval, before the fill is
   * built.
   */
  fill(
    orders: OtcOrder[],
    options: Pick<FillOptions, "takerAmount" | "receiver">,
    permit: PermitKind | null,
  ): Promise<void>;
  cancel(order: OtcOrder): Promise<void>;
}

export function createOffersBook(store: Store<State>, client: () => Client, swap: Swap): OffersBook {
  function tokensOf({ chainId, makerAsset, takerAsset }: OtcOrder) {
    const { chains } = store.get();
    return { maker: tokenAt(chains, chainId, makerAsset), taker: tokenAt(chains, chainId, takerAsset) };
  }

  return {
    read: (orderHash) => client().otc.order(orderHash),
    async fill(orders, options, kind) {
      const [first] = orders;
      if (!first) return;
      const subject = orders.length === 1 ? first : orders;
      const { maker, taker } = tokensOf(first);
      const names = {
        makerDecimals: maker.decimals,
        takerDecimals: taker.decimals,
        makerSymbol: nameOf(maker),
        takerSymbol: nameOf(taker),
      };
      await swap.reviewThis(
        async (trader) => {
          if (kind === null) return trader.otc.buildFill(subject, { ...options, ...names });
          store.set({ busy: "permitting" });
          // One permit, for all of it.
          const amount = options.takerAmount ?? leftOf(orders);
          const permit = await trader.signPermit(first, { kind, amount });
          store.set({ busy: "building" });
          return trader.otc.buildFill(subject, { ...options, ...names, permit });
        },
        { src: taker, dest: maker },
      );
    },
    async cancel(order) {
      const { maker, taker } = tokensOf(order);
      const cancels = { order, from: viewOf(store.get(), order.orderHash) };
      await swap.reviewThis((trader) => trader.otc.buildCancellation(order), { src: maker, dest: taker, cancels });
    },
  };
}

/** Raw units of the taker's token that were not paid yet, as the service last saw it. */
export function leftOf(orders: OtcOrder[]): string {
  return orders.reduce((sum, order) => sum + BigInt(summarizeOtcOrder(order).leftTakerAmount), 0n).toString();
}

/** What comes for `takerAmount`, the best price first. The review has the exact figure, by the contract's own rounding. */
export function receivedFor(orders: OtcOrder[], takerAmount: string): string {
  let toPay = BigInt(takerAmount);
  let received = 0n;
  for (const order of orders.toSorted(byPrice)) {
    const { leftMakerAmount, leftTakerAmount } = summarizeOtcOrder(order);
    const [left, gives] = [BigInt(leftTakerAmount), BigInt(leftMakerAmount)];
    const paid = toPay < left ? toPay : left;
    received += paid === left ? gives : (paid * BigInt(order.makerAmount)) / BigInt(order.takerAmount);
    toPay -= paid;
  }
  return received.toString();
}

/** Those that can be filled together: of one pair, two or more, the best price first. */
export function together(orders: OtcOrder[]): OtcOrder[][] {
  const pairs = new Map<string, OtcOrder[]>();
  for (const order of orders) {
    if (summarizeOtcOrder(order).state !== "PENDING") continue;
    const pair = `${order.makerAsset} ${order.takerAsset}`;
    pairs.set(pair, [...(pairs.get(pair) ?? []), order]);
  }
  return [...pairs.values()].filter(({ length }) => length > 1).map((pair) => pair.toSorted(byPrice));
}

/** Whoever gives more for the same comes first. */
export function byPrice(one: OtcOrder, other: OtcOrder): number {
  const [here, there] = [
    BigInt(one.makerAmount) * BigInt(other.takerAmount),
    BigInt(other.makerAmount) * BigInt(one.takerAmount),
  ];
  return here > there ? -1 : here < there ? 1 : 0;
}
