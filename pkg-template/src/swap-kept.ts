// The controller that `useSwap` keeps for a component: from before there is a client, and through the effects that StrictMode
// runs twice.
import { NO_QUOTE } from "./live-quotes.ts";
import { observed } from "./observed.ts";
import { createSwap } from "./swap.ts";
import { accountsOf, providerOf } from "./swap-account.ts";
import type { Client, LiveQuote, TradeError, WalletBinding } from "./types.ts";
import type { SwapHookOptions } from "./types/react.ts";
import type { OpeningClient } from "./types/setup.ts";
import type { Swap } from "./types/swap.ts";

const nothing = () => {};
const never = () => new Promise<never>(nothing);

/** The price of a form without a client: none, and it holds nothing that would have to end. */
const NO_PRICE: LiveQuote = {
  state: NO_QUOTE, subscribe: () => nothing, update: nothing, refresh: nothing, touch: nothing, pause: nothing, resume: nothing,
  close: nothing, next: never, [Symbol.asyncIterator]: () => NO_PRICE,
};

/** In the place of a client that is not there, or that could not be made. */
const noClient = (error: TradeError | null): OpeningClient =>
  Object.assign(error ? Promise.reject<Client>(error) : never(), { quote: never, watchQuotes: () => NO_PRICE });

/** The controller of one component, whose listeners and wallet outlive a change of the client. */
export function keptSwap({ form, tokens }: SwapHookOptions) {
  const make = (client: Client | null, error: TradeError | null = null, now = form) =>
    createSwap({ client: client ?? noClient(error), form: now, tokens });
  let swap = make(null);
  const first: Swap = { ...swap };
  const shown = observed(first);
  const tell = () => shown.set({ ...swap });
  let leave = swap.subscribe(tell);
  let ending: ReturnType<typeof setTimeout> | undefined;
  let wallet: WalletBinding | null = null;
  let served: Client | TradeError | null = null;

  /** Goes on with another client, or without one, in the same form. */
  function take(client: Client | null, error: TradeError | null): void {
    served = client ?? error;
    leave();
    void swap.close();
    swap = make(client, error, swap.state.form);
    leave = swap.subscribe(tell);
    tell();
    if (served && wallet) void join(swap, wallet);
  }

  return {
    get: () => shown.state,
    getFirst: () => first,
    subscribe: (listener: () => void) => shown.subscribe(listener),
    /** Takes a client, or the reason why there is none. It is not left at once: StrictMode looks away and back. */
    serve(client: Client | null, error: TradeError | null) {
      clearTimeout(ending);
      if ((client ?? error) !== served) take(client, error);
      return () => {
        ending = setTimeout(take, 0, null, null);
      };
    },
    /** Trades by that wallet. */
    connect(next: WalletBinding | null) {
      if (next === wallet) return;
      wallet = next;
      void (next ? join(swap, next) : swap.connect(null).catch(nothing));
    },
  };
}

/** Connects a wallet that is connected: a render opens none of its windows. */
async function join(swap: Swap, wallet: WalletBinding): Promise<void> {
  try {
    const provider = providerOf(wallet);
    const isConnected = wallet.account || !provider || (await accountsOf(provider, "eth_accounts")).length > 0;
    await swap.connect(isConnected ? wallet : null);
  } catch {
    // The state has no account then.
  }
}
