/** Names of an app, which the documentation's snippets take for granted. `sandboxed.mjs` has their values. */
import type * as swap from "verified-swap";

declare global {
  interface Window {
    ethereum: swap.Eip1193Provider;
  }

  // Where and who.
  const url: string;
  const baseUrl: string;
  const partner: string;
  const options: swap.ClientOptions;
  const wallet: swap.Eip1193Provider;
  const account: swap.Address;
  const taker: swap.Address;

  // The trade.
  const USDC: swap.Address;
  const WETH: swap.Address;
  const chainId: number;
  const srcToken: swap.Address;
  const srcDecimals: number;
  const destToken: swap.Address;
  const destDecimals: number;
  const request: swap.QuoteRequest & { mode?: "DELTA" };
  const offer: swap.OtcRequest;
  const hash: swap.Hex;

  // Made before.
  const client: swap.Client;
  const quote: swap.DeltaQuote;
  const build: swap.DeltaBuild;
  const order: swap.Order;
  const error: unknown;
  /** Another SDK's answers: a price, and what it built of it. */
  const price: unknown;
  const built: { toSign: { domain: object; types: object; value: Record<string, unknown> }; orderHash: swap.Hex };

  // The app's use of it.
  function show(...what: unknown[]): void;
  function render(...what: unknown[]): void;
  function showUnfinished(trade: swap.Trade | swap.UnreadableTrade): void;
  function keep(order: swap.SignedOrder | swap.SignedOtcOrder): void;

  // Imported on the same page before.
  const createClient: typeof swap.createClient;
  const init: typeof swap.init;
  const isTradeError: typeof swap.isTradeError;
  const minReceived: typeof swap.minReceived;
  const maxSpent: typeof swap.maxSpent;
  const summarizeOrder: typeof swap.summarizeOrder;
  const parseUnits: typeof swap.parseUnits;
  const formatUnits: typeof swap.formatUnits;
}
