import type { Allowance, Allowances, Client } from "verified-swap";
import type { Errand } from "../state/parts.ts";
import { tokenAt, type State } from "../state/state.ts";
import type { Store } from "../state/store.ts";
import type { Swap } from "./swap.ts";

/* What the account has approved for the service's contracts, old ones too. Read when somebody wants to know, and again
   after one was taken back. */

export interface AllowancesBook {
  read(): Promise<void>;
  /** Takes one back: a transaction, reviewed before it is sent. */
  revoke(allowance: Allowance): Promise<void>;
}

export function createAllowancesBook(store: Store<State>, client: () => Client, swap: Swap): AllowancesBook {
  async function read(): Promise<void> {
    const { account, chain, allowances } = store.get();
    if (!account || allowances === "reading") return;
    store.set({ allowances: "reading" });
    const found: Allowances | "failed" = await client()
      .approvals.list({ chainId: chain.chainId, account })
      .catch(() => "failed" as const);
    if (store.get().account === account) store.set({ allowances: found });
  }

  async function revoke(allowance: Allowance): Promise<void> {
    const token = tokenAt(store.get().chains, allowance.chainId, allowance.token);
    await swap.reviewThis((trader) => trader.approvals.buildRevoke(allowance), { src: token, dest: token });
  }

  let { account } = store.get();
  let ended = 0;
  store.subscribe((state) => {
    if (state.account !== account) {
      account = state.account;
      store.set({ allowances: null });
    }
    const before = ended;
    ended = state.errands.filter(isTakenBack).length;
    if (ended > before && state.allowances !== null) void read();
  });
  return { read, revoke };
}

function isTakenBack(errand: Errand): boolean {
  return errand.kind === "transaction" && errand.sent.purpose === "revoke" && errand.sent.endedAt !== null;
}
