import type { Accounts } from "./accounts.ts";
import type { AllowancesBook } from "./allowances.ts";
import type { Following } from "./following.ts";
import type { Offering } from "./offering.ts";
import type { OffersBook } from "./offers.ts";
import type { Orders } from "./orders.ts";
import type { Pricing } from "./pricing.ts";
import type { State } from "./state.ts";
import type { Store } from "./store.ts";
import type { Swap } from "./swap.ts";
import type { Unfinished } from "./unfinished.ts";
import type { SandboxWallet } from "./wallet/sandbox-wallet.ts";

/** What the views read and what they may do. */
export interface Page {
  store: Store<State>;
  pricing: Pricing;
  swap: Swap;
  accounts: Accounts;
  orders: Orders;
  following: Following;
  offering: Offering;
  offersBook: OffersBook;
  allowancesBook: AllowancesBook;
  unfinished: Unfinished;
  sandboxWallet: SandboxWallet;
  unlocked: readonly string[];
}
