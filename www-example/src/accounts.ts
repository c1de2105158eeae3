import { parseAddress, type Client } from "verified-swap";
import type { Store } from "./store.ts";
import { mint } from "./sandbox.ts";
import { isSellable, type State } from "./state.ts";
import type { WalletChoice } from "./wallet/announced.ts";

/* Who is connected, what they hold, and which orders they have. */

export interface Accounts {
  /** Asks the wallet for its account and trades with it from now on. */
  connect(wallet: WalletChoice): Promise<void>;
  /** Takes whatever account the connected wallet is on now. */
  adopt(): Promise<void>;
  /** Asks the wallet to move to the page's chain. */
  switchChain(): Promise<void>;
  /** Reads balances and orders again. */
  refresh(): Promise<void>;
}

/** Whole units of every token that an empty account gets. */
const TEST_TOKENS = 1_000n;

/** `use` gets the client of every newly connected account; `moved` is called when the wallet changed it by itself. */
export function createAccounts(store: Store<State>, base: Client, use: (client: Client) => void, moved: () => void): Accounts {
  const listening = new Set<string>();

  async function connect(wallet: WalletChoice): Promise<void> {
    const [first] = (await wallet.provider.request({ method: "eth_requestAccounts" })) as string[];
    if (!first) throw new Error(`${wallet.name} gave no account.`);
    const account = parseAddress(first);
    use(base.withWallet({ wallet: wallet.provider, account }));
    // A price is for an owner: the one on the page was somebody else's.
    store.set({ wallet, account, quote: null, balances: {}, orders: null });
    if (!listening.has(wallet.id)) {
      listening.add(wallet.id);
      wallet.provider.on?.("accountsChanged", () => {
        if (store.get().wallet?.id === wallet.id && !store.get().busy) void connect(wallet).then(moved);
      });
    }
    await refresh();
    if (await fund(store.get())) await readBalances();
  }

  async function adopt(): Promise<void> {
    const { wallet } = store.get();
    if (wallet) await connect(wallet);
  }

  async function switchChain(): Promise<void> {
    const { wallet, chain } = store.get();
    const chainId = `0x${chain.chainId.toString(16)}`;
    await wallet?.provider.request({ method: "wallet_switchEthereumChain", params: [{ chainId }] });
  }

  async function refresh(): Promise<void> {
    await Promise.all([readBalances(), readOrders()]);
  }

  async function readBalances(): Promise<void> {
    const { chain, account } = store.get();
    if (!account) return;
    const { tokens } = chain;
    const read = await Promise.all(
      tokens.map(({ address }) => base.balance({ chainId: chain.chainId, token: address, account }).catch(() => null)),
    );
    if (store.get().account !== account) return;
    const balances: Record<string, string> = { ...store.get().balances };
    tokens.forEach(({ address }, position) => {
      const balance = read[position];
      if (balance) balances[address] = balance;
    });
    store.set({ balances });
  }

  async function readOrders(): Promise<void> {
    const { chain, account } = store.get();
    if (!account) return;
    try {
      const page = await base.orders({ account, chainId: chain.chainId, limit: 20 });
      const orders = page.data.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
      if (store.get().account === account) store.set({ orders });
    } catch {
      // The list stays as it was; the next refresh reads it again.
    }
  }

  return { connect, adopt, switchChain, refresh };
}

/** Gives an account that has nothing at all test tokens, and coins for its approvals. */
async function fund({ chain, account, balances }: State): Promise<boolean> {
  const held = chain.tokens.filter(isSellable).map(({ address }) => balances[address]);
  if (!account || held.some((balance) => balance !== "0")) return false;
  for (const { address, decimals } of chain.tokens) {
    await mint(chain.chainId, account, address, (TEST_TOKENS * 10n ** BigInt(decimals)).toString());
  }
  return true;
}
