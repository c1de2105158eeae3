// Members that exclude each other do not compile: each `@ts-expect-error` fails where the line below it compiles. Each is
// refused at run time as well: crates/trade/tests/flows/{bounds,limit,twap,market_deadline,market_quotes,presign,otc/reading}.rs,
// tests/package/more/trade-review.test.mjs.
import { createClient } from "verified-swap";
import type {
  Client, DeltaBuild, DeltaQuote, MarketQuote, QuoteRequest, StatedPrice, StatedTime, TwapRequest,
} from "verified-swap";
import type { VerifiedSwapElement } from "verified-swap/element";
import { createSwap, type SwapToken } from "verified-swap/swap";
import { verifyOrder } from "verified-swap/verify";

const agree = (): boolean => true;

export function prices(client: Client, quote: DeltaQuote): void {
  const accepted: StatedPrice[] = [{ slippageBps: 50 }, { limitPrice: "1.5" }, { limitAmount: 1n }, { maxSrcAmount: "7" }];
  for (const price of accepted) void client.build(quote, price);
  // @ts-expect-error: no price
  void client.build(quote, {});
  // @ts-expect-error: a limit is the bound itself
  void client.build(quote, { slippageBps: 50, limitPrice: "1.5" });
  // @ts-expect-error: a limit is the bound itself
  void client.build(quote, { slippageBps: 50, limitAmount: 1n });
  // @ts-expect-error: one limit
  void client.build(quote, { limitPrice: "1.5", limitAmount: 1n });
  // @ts-expect-error: what is spent at most is the bound itself
  void client.build(quote, { slippageBps: 50, maxSrcAmount: 7n });
  // @ts-expect-error: no limit beside what is spent at most
  void client.build(quote, { limitAmount: 1n, maxSrcAmount: 7n });
}

export function times(client: Client, quote: DeltaQuote, market: MarketQuote): void {
  const accepted: StatedTime[] = [{}, { validForSecs: 60 }, { deadline: 1_800_000_000 }];
  for (const time of accepted) void [client.build(quote, { slippageBps: 50, ...time }), client.build(market, { slippageBps: 50, ...time })];
  // @ts-expect-error: one time
  void client.build(quote, { slippageBps: 50, validForSecs: 60, deadline: 1_800_000_000 });
  // @ts-expect-error: one time
  void client.build(market, { slippageBps: 50, validForSecs: 60, deadline: 1_800_000_000 });
}

export async function trades(client: Client, request: QuoteRequest | TwapRequest): Promise<void> {
  client.trade(request, { slippageBps: 50, onReview: agree });
  client.trade(request, { limitPrice: "1.5", validForSecs: 60, onPrompt: agree });
  client.trade(request, { slippageBps: 50, onReview: undefined });
  // @ts-expect-error: nothing asks the user
  client.trade(request, { slippageBps: 50 });
  // @ts-expect-error: no price
  client.trade(request, { onReview: agree });
  // @ts-expect-error: two prices
  client.trade(request, { slippageBps: 50, limitPrice: "1.5", onReview: agree });
  // @ts-expect-error: two times
  client.trade(request, { slippageBps: 50, validForSecs: 60, deadline: 1_800_000_000, onReview: agree });
  const asking = await createClient({ baseUrl: "https://service.example", onPrompt: agree });
  asking.trade(request, { slippageBps: 50 });
  // @ts-expect-error: no price
  asking.trade(request, {});
  const silent = await createClient({ baseUrl: "https://service.example" });
  // @ts-expect-error: nothing asks the user
  silent.trade(request, { slippageBps: 50 });
}

export function others(client: Client, request: QuoteRequest, build: DeltaBuild, account: `0x${string}`): void {
  void client.quote({ ...request, advanced: { srcPriceUsd: "1", destPriceUsd: "2500" } });
  // @ts-expect-error: both prices, or neither
  void client.quote({ ...request, advanced: { srcPriceUsd: "1" } });
  void [client.submit(build, { signature: "0x", preSign: false }), client.submit(build, { preSign: true })];
  // @ts-expect-error: a signature, or a transaction in its place
  void client.submit(build, { signature: "0x", preSign: true });
  void [client.otc.orders({ chainId: 1 }), client.otc.orders({ chainId: 1, maker: account }), client.otc.orders({ chainId: 1, taker: account })];
  // @ts-expect-error: a maker's, or those for a taker
  void client.otc.orders({ chainId: 1, maker: account, taker: account });
  const order = { ...request, account };
  verifyOrder({ request: { ...order, slippageBps: 50 }, quote: {}, toSign: "{}" });
  // @ts-expect-error: a limit is the bound itself
  verifyOrder({ request: { ...order, slippageBps: 50, limitAmount: 1n }, quote: {}, toSign: "{}" });
}

export function interfaces(client: Client, token: SwapToken, element: VerifiedSwapElement): void {
  const swap = createSwap({ client, form: { src: token, dest: token } });
  // @ts-expect-error: no token that is received
  createSwap({ client, form: { src: token } });
  // @ts-expect-error: no client, but its options
  createSwap({ client: { baseUrl: "https://service.example" }, form: { src: token, dest: token } });
  // @ts-expect-error: an amount is text
  swap.change({ amount: 100 });
  // @ts-expect-error: replaced, never changed
  swap.state = swap.state;
  element.client = { baseUrl: "https://service.example" };
  // @ts-expect-error: no URL of a service
  element.client = { partner: "my-dapp" };
  // @ts-expect-error: a provider, and no account
  element.wallet = "0x0000000000000000000000000000000000000001";
}
