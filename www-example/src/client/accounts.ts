import { parseAddress, type Address, type Amount, type Client } from "verified-swap";
import type { Store } from "../state/store.ts";
import { insist } from "./pause.ts";
import { isInPermit2 } from "./permits.ts";
import { mint, type Token } from "../sandbox/sandbox.ts";
import { balanceKey, isNative, tokenAt, waitsFor, type State } from "../state/state.ts";
import type { WalletChoice } from "../state/parts.ts";

/* Who is connected, what they hold, and which orders they have. */

export interface Accounts {
  /** Asks the wallet for its account and trades with it from now on. Where there was another, the form starts over. */
  connect(wallet: WalletChoice): Promise<void>;
  /** Takes whatever account the connected wallet is on now. */
  adopt(): Promise<void>;
  /** Asks the wallet to move to the page's chain. */
  switchChain(): Promise<void>;
  /** Reads balances and orders again. */
  refresh(): Promise<void>;
  /** What an account holds of two tokens now, read until a node tells; null once `signal` has aborted. */
  holdings(account: Address, src: Token, dest: Token, signal: AbortSignal): Promise<{ src: Amount; dest: Amount } | null>;
}

/** Whole units of every token that an empty account gets. */
const TEST_TOKENS = 1_000n;
const REFRESH_MS = 4_000;

/** Of an account that nothing was read of. */
const UNREAD = {
  hasCode: false,
  consent: null,
  quote: null,
  comparison: null,
  balances: {},
  orders: null,
} satisfies Partial<State>;

/**
 * `bind` has the client trade by that wallet. `moved` is called when the account changes: prices and builds on the page
 * were for the old one.
 */
export function createAccounts(
  store: Store<State>,
  client: () => Client,
  bind: (wallet: WalletChoice, account: Address) => void,
  moved: () => void,
): Accounts {
  const listening = new Set<string>();
  let watching = new AbortController();
  /** Tells a change from a later one, while it waits. */
  let turn = 0;
  /** What a wallet has said of its accounts: taken up when no prompt is open any more. */
  let told: { wallet: WalletChoice; accounts: string[] } | null = null;

  async function connect(wallet: WalletChoice): Promise<void> {
    const mine = ++turn;
    const [first] = (await wallet.provider.request({ method: "eth_requestAccounts" })) as string[];
    if (!first) throw new Error(`${wallet.name} gave no account.`);
    if (mine === turn) await use(wallet, parseAddress(first));
  }

  async function use(wallet: WalletChoice, account: Address): Promise<void> {
    const mine = ++turn;
    const walletChainId = await chainOf(wallet);
    if (mine !== turn) return;
    const hasMoved = account !== store.get().account;
    // Both at once: the client is never on another account than the page.
    bind(wallet, account);
    store.set({ wallet, account, walletChainId });
    // A price is for one owner: the price on the page was for another.
    if (hasMoved) store.set(UNREAD);
    if (!listening.has(wallet.id)) {
      listening.add(wallet.id);
      wallet.provider.on?.("accountsChanged", (accounts) => {
        told = { wallet, accounts: accounts as string[] };
        takeUp(store.get());
      });
      wallet.provider.on?.("chainChanged", () => {
        if (isConnected(wallet)) void readChain();
      });
    }
    watching.abort();
    watching = new AbortController();
    void watchOrders(account, watching.signal);
    try {
      await fund(account);
    } finally {
      // Starting over reads everything too.
      if (hasMoved) moved();
      else await refresh();
    }
  }

  function isConnected({ id }: WalletChoice): boolean {
    return store.get().wallet?.id === id;
  }

  function takeUp(state: State): void {
    if (!told || waitsFor(state)) return;
    const { wallet, accounts } = told;
    told = null;
    if (!isConnected(wallet)) return;
    if (accounts[0]) void use(wallet, parseAddress(accounts[0]));
    else disconnect();
  }

  function disconnect(): void {
    turn++;
    watching.abort();
    store.set({ ...UNREAD, orders: [], trades: [], unreadable: [], wallet: null, account: null, walletChainId: null });
    moved();
  }

  /** All orders of the account by one watcher. What changes one of them changes balances too. */
  async function watchOrders(owner: Address, signal: AbortSignal): Promise<void> {
    const { chainId } = store.get().chain;
    const pace = { signal, intervalMs: 1_000, maxIntervalMs: REFRESH_MS };
    await insist(async () => {
      for await (const order of client().watch({ account: owner, chainId }, pace)) {
        const known = store.get().orders?.find(({ id }) => id === order.id);
        if (JSON.stringify(known) !== JSON.stringify(order)) await refresh();
      }
    }, signal);
  }

  async function adopt(): Promise<void> {
    const { wallet } = store.get();
    if (wallet) await connect(wallet);
  }

  async function switchChain(): Promise<void> {
    const { wallet, chain } = store.get();
    const chainId = `0x${chain.chainId.toString(16)}`;
    await wallet?.provider.request({ method: "wallet_switchEthereumChain", params: [{ chainId }] });
    await readChain();
  }

  async function refresh(): Promise<void> {
    await Promise.all([readBalances(), readOrders(), readPermit2(), readCode(), readChain()]);
  }

  async function readBalances(): Promise<void> {
    const { chain, chains, account, dest, errands } = store.get();
    if (!account) return;
    const arriving = errands.flatMap((errand) =>
      errand.kind === "order" ? tokenAt(chains, errand.inFlight.destChainId, errand.inFlight.destToken) : [],
    );
    const deposit = tokenAt(chains, chain.chainId, chain.wrappedNative);
    const tokens = [...chain.tokens, deposit, ...[dest, ...arriving].filter(({ chainId }) => chainId !== chain.chainId)];
    const read = await Promise.all(
      tokens.map(({ chainId, address }) => client().info.balance({ chainId, token: address, account }).catch(() => null)),
    );
    if (store.get().account !== account) return;
    const balances: Record<string, string> = { ...store.get().balances };
    tokens.forEach((token, position) => {
      const balance = read[position];
      if (balance) balances[balanceKey(token)] = balance;
    });
    store.set({ balances });
  }

  function holdings(account: Address, src: Token, dest: Token, signal: AbortSignal): ReturnType<Accounts["holdings"]> {
    const read = ({ chainId, address }: Token): Promise<Amount> => client().info.balance({ chainId, token: address, account });
    return insist(async () => {
      const [paid, got] = await Promise.all([read(src), read(dest)]);
      return { src: paid, dest: got };
    }, signal);
  }

  async function readOrders(): Promise<void> {
    const { chain, account } = store.get();
    if (!account) return;
    try {
      const page = await client().orders({ account, chainId: chain.chainId, limit: 20 });
      const orders = page.orders.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
      if (store.get().account === account) store.set({ orders });
    } catch {
      // The list stays as it was; the next refresh reads it again.
    }
  }

  /** Whether the token to be sold was approved for Permit2. */
  async function readPermit2(): Promise<void> {
    const { chain, account, src, permit2 } = store.get();
    const approved = await isInPermit2(client(), chain, account, src).catch(() => false);
    if (store.get().src === src && approved !== (permit2 === src)) store.set({ permit2: approved ? src : null });
  }

  /** Whether the account has code. If the wallet does not say, it counts as none. */
  async function readCode(): Promise<void> {
    const { wallet, account, hasCode } = store.get();
    const code = await wallet?.provider
      .request({ method: "eth_getCode", params: [account, "latest"] })
      .catch(() => "0x");
    const has = typeof code === "string" && code.length > 2;
    if (store.get().account === account && has !== hasCode) store.set({ hasCode: has });
  }

  async function readChain(): Promise<void> {
    const { wallet, walletChainId } = store.get();
    const now = wallet && (await chainOf(wallet));
    if (store.get().wallet === wallet && now !== walletChainId) store.set({ walletChainId: now });
  }

  /** Gives an empty account test tokens, and the native token for its approvals. */
  async function fund(account: Address): Promise<void> {
    const { chainId, tokens: all } = store.get().chain;
    // The sandbox mints no tokens of others.
    const tokens = all.filter(({ kind }) => kind !== "unknown");
    const held = await Promise.all(
      tokens
        .filter((token) => !isNative(token))
        .map(({ address: token }) => client().info.balance({ chainId, token, account }).catch(() => null)),
    );
    if (held.some((balance) => balance !== "0")) return;
    for (const { address, decimals } of tokens) {
      await mint(chainId, account, address, (TEST_TOKENS * 10n ** BigInt(decimals)).toString());
    }
  }

  store.subscribe(takeUp);
  return { connect, adopt, switchChain, refresh, holdings };
}

/** The chain that a wallet is on; null if it does not say. */
async function chainOf({ provider }: WalletChoice): Promise<number | null> {
  const chainId = await provider.request({ method: "eth_chainId" }).catch(() => null);
  return typeof chainId === "string" ? Number(chainId) : null;
}
