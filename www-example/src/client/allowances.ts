import type { Allowance, Allowances, Client } from "verified-swap";
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
      .allowances({ chainId: chain.chainId, account })
      .catch(() => "failed" as const);
    if (store.get().account === account) store.set({ allowances: found });
  }

  async function revoke(allowance: Allowance): Promise<void> {
    const token = tokenAt(store.get().chains, allowance.chainId, allowance.token);
    await swap.reviewThis((trader) => trader.buildRevoke(allowance), { src: token, dest: token });
  }

  let { sent, account } = store.get();
  store.subscribe((state) => {
    if (state.account !== account) {
      account = state.account;
      store.set({ allowances: null });
    }
    const ended = state.sent?.purpose === "revoke" && state.sent.endedAt !== null && sent?.endedAt === null;
    sent = state.sent;
    if (ended && state.allowances !== null) void read();
  });
  return { read, revoke };
}
