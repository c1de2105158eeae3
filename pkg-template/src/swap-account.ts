// The wallet of the form: its account and chain, and the balances of the form's tokens. The wallet is asked for its accounts
// when the user connects it, and for nothing that is signed.
import { foreign } from "./module.ts";
import { tradeError } from "./reading.ts";
import { balanceKey, checked, isNative, isSame } from "./swap-form.ts";
import type { Store } from "./swap-parts.ts";
import type { Address, Amount, Client, Eip1193Provider, WalletBinding } from "./types.ts";
import type { SwapToken } from "./types/swap.ts";

/** The part of the controller that knows the wallet. */
export interface Account {
  /** The client of the account; without one the app's own. Null until it is made. */
  client(): Client | null;
  /** The wallet, if it is a provider. */
  provider(): Eip1193Provider | null;
  connect(wallet: WalletBinding | null): Promise<void>;
  /** The wallet's account takes the place of the one in use. */
  adopt(): Promise<void>;
  switchChain(chainId: number): Promise<void>;
  /** The raw units that stay for gas if the native token is sold: as much as a deposit takes, with room. */
  reserve(token: SwapToken, held: Amount): Promise<bigint>;
  readBalances(): void;
  close(): void;
}

interface Emitter {
  on?(event: string, listener: (value: unknown) => void): unknown;
  removeListener?(event: string, listener: (value: unknown) => void): unknown;
}

/** Gas of a deposit or swap, twice. */
const RESERVED_GAS = 1_000_000n;
/** The share of the native token that stays where the price of gas is not known: one of so many. */
const RESERVED_SHARE = 100n;

const isHex = (value: unknown): value is Address => typeof value === "string" && /^0x[\da-f]{40}$/i.test(value);

/** `base`: the app's client. `moved`: another account, or wallet, is in use from now on. */
export function createAccount(store: Store, base: () => Client | null, tokens: readonly SwapToken[], moved: () => void): Account {
  let binding: WalletBinding | null = null;
  let provider: Eip1193Provider | null = null;
  let bound: Client | null = null;
  let leave = () => {};
  /** The last call of `connect`: an earlier one that is answered later changes nothing. */
  let turn = 0;
  let reading = 0;

  function client(): Client | null {
    const opened = base();
    const { account } = store.state;
    if (!opened || !binding || !account) return opened;
    const { switchChain } = "switchChain" in binding ? binding : {};
    return (bound ??= opened.withWallet(provider ? { wallet: provider, account, switchChain } : binding));
  }

  function use(account: Address | null, isOtherWallet = false): void {
    if (account === store.state.account && !isOtherWallet) return;
    // The client of the other account ends with the app's: what its wallet signs meanwhile is still posted.
    bound = null;
    store.set({ account, balances: {}, hasCode: null });
    moved();
    void readCode();
    readBalances();
  }

  async function connect(wallet: WalletBinding | null): Promise<void> {
    const mine = ++turn;
    const next = providerOf(wallet);
    const account = wallet && (await accountOf(wallet, next));
    const walletChainId = next && (await chainOf(next));
    if (mine !== turn) return;
    leave();
    leave = () => {};
    // The same account in another wallet: what was begun would still ask the one before.
    const isOther = (next ?? wallet) !== (provider ?? binding);
    [binding, provider, bound] = [wallet, next, null];
    store.set({ walletChainId });
    use(account, isOther);
    if (next && wallet) listen(next, statedBy(wallet));
  }

  /** The account that the app states stays in use for as long as the wallet has it. */
  function listen(wallet: Eip1193Provider, stated: string | undefined): void {
    const onAccounts = (accounts: unknown) => {
      const offered = Array.isArray(accounts) ? accounts.filter(isHex) : [];
      const account = offered.find((one) => stated && isSame(one, stated)) ?? offered[0];
      if (account) use(checked(account));
      else void connect(null);
    };
    const onChain = (chainId: unknown) => {
      store.set({ walletChainId: Number(chainId) || null, hasCode: null });
      void readCode();
    };
    const emits = foreign<Emitter>(wallet);
    emits.on?.("accountsChanged", onAccounts);
    emits.on?.("chainChanged", onChain);
    leave = () => {
      emits.removeListener?.("accountsChanged", onAccounts);
      emits.removeListener?.("chainChanged", onChain);
    };
  }

  async function adopt(): Promise<void> {
    const [account] = await accountsOf(provider, "eth_accounts");
    if (account) use(checked(account));
    else if (provider) await connect({ wallet: provider });
  }

  async function switchChain(chainId: number): Promise<void> {
    const hex = `0x${chainId.toString(16)}`;
    const wallet = provider;
    await wallet?.request({ method: "wallet_switchEthereumChain", params: [{ chainId: hex }] });
    if (wallet && wallet === provider) store.set({ walletChainId: await chainOf(wallet) });
  }

  /** Whether the account has code: only the wallet is asked, and null stays where it gives no answer. */
  async function readCode(): Promise<void> {
    const { account, walletChainId } = store.state;
    const code = await provider?.request({ method: "eth_getCode", params: [account, "latest"] }).catch(() => null);
    const isCurrent = account === store.state.account && walletChainId === store.state.walletChainId;
    if (account && isCurrent && typeof code === "string") store.set({ hasCode: code.length > 2 });
  }

  async function readAll(): Promise<void> {
    const mine = ++reading;
    const { account, form: { src, dest } } = store.state;
    const reader = client();
    if (!account || !reader) return;
    const all = new Map([src, dest, ...tokens].map((token) => [balanceKey(token), token]));
    const read = await Promise.all([...all].map(async ([key, { chainId, address: token }]): Promise<[string, Amount][]> => {
      const amount = await reader.info.balance({ chainId, token, account }).catch(() => null);
      return amount === null ? [] : [[key, amount]];
    }));
    if (mine === reading && account === store.state.account) store.set({ balances: Object.fromEntries(read.flat()) });
  }
  const readBalances = () => void readAll();

  async function reserve(token: SwapToken, held: Amount): Promise<bigint> {
    if (!isNative(token)) return 0n;
    const isThere = store.state.walletChainId === token.chainId;
    const price = isThere && (await provider?.request({ method: "eth_gasPrice" }).catch(() => null));
    return typeof price === "string" && /^0x[\da-f]+$/i.test(price) ? BigInt(price) * RESERVED_GAS : BigInt(held) / RESERVED_SHARE;
  }

  function close(): void {
    turn++;
    reading++;
    leave();
  }

  return { client, provider: () => provider, connect, adopt, switchChain, reserve, readBalances, close };
}

/** The wallet of a binding, if it is a provider. */
export function providerOf(wallet: WalletBinding | null): Eip1193Provider | null {
  if (!wallet) return null;
  return "wallet" in wallet ? wallet.wallet : "request" in wallet ? wallet : null;
}

const statedBy = ({ account }: WalletBinding) => (typeof account === "object" ? account.address : account);

/** The account of a wallet: the binding's own, else its first one, for which it may have to be connected. */
async function accountOf(wallet: WalletBinding, provider: Eip1193Provider | null): Promise<Address> {
  const stated = statedBy(wallet);
  const offered = provider ? [...(await accountsOf(provider, "eth_accounts"))] : [];
  if (provider && !stated && offered.length === 0) offered.push(...(await accountsOf(provider, "eth_requestAccounts")));
  const account = stated ?? offered[0];
  if (isHex(account)) return checked(account);
  throw tradeError("the wallet gave no account", { code: "WRONG_ACCOUNT", action: "retry" });
}

/** The accounts that a wallet gives for that method. */
export async function accountsOf(provider: Eip1193Provider | null, method: string): Promise<Address[]> {
  const accounts = await provider?.request({ method });
  return Array.isArray(accounts) ? accounts.filter(isHex) : [];
}

async function chainOf(provider: Eip1193Provider): Promise<number | null> {
  const chainId = await provider.request({ method: "eth_chainId" }).catch(() => null);
  return Number(chainId) || null;
}
