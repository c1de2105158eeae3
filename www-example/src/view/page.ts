import type { Accounts } from "../client/accounts.ts";
import type { Attacks } from "../sandbox/attack.ts";
import type { Errands } from "../client/errands.ts";
import type { Following } from "../client/following.ts";
import type { Orders } from "../client/orders.ts";
import type { Pricing } from "../client/pricing.ts";
import type { State } from "../state/state.ts";
import type { Store } from "../state/store.ts";
import type { Swap } from "../client/swap.ts";
import type { Tokens } from "../client/tokens.ts";
import type { Unfinished } from "../client/unfinished.ts";

/** What the views read and what they may do. */
export interface Page {
  store: Store<State>;
  /** Reads where everything is, loads the module, connects the wallet. Once more after it failed. */
  start(): Promise<void>;
  pricing: Pricing;
  tokens: Tokens;
  swap: Swap;
  accounts: Accounts;
  orders: Orders;
  following: Following;
  errands: Errands;
  attacks: Attacks;
  unfinished: Unfinished;
}
