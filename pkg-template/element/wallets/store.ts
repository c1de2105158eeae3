// The wallets of this browser, and the one that is connected.
import { discoverWallets } from "../../src/discover.ts";
import type { Eip1193Provider } from "../../src/types/prompt.ts";
import type { Swap } from "../../src/types/swap.ts";

/** A wallet that can be connected. */
export interface FoundWallet {
  /** Its reverse domain name (EIP-6963); empty for the app's own. */
  rdns: string;
  /** Its name; empty for the app's own. */
  name: string;
  /** A data URL. */
  icon: string | null;
  provider: Eip1193Provider;
}

/** The wallets of this browser. */
export interface Wallets {
  readonly found: readonly FoundWallet[];
  /** The one that was connected last; it may have gone since (`state.account`). */
  readonly connected: FoundWallet | null;
  /** Asks a wallet for its account. Rejects if it gives none. */
  connect(wallet: FoundWallet): Promise<void>;
  /** Trades by no wallet any more. */
  disconnect(): void;
  /** Calls `listener` whenever one of the above changes. */
  subscribe(listener: () => void): () => void;
  close(): void;
}

/** Where the last connected wallet is kept, so that a reload connects it again without a question. */
const KEPT = "verified-swap-wallet";

/** The app's own wallet, or those that announce themselves. One that knows the page is connected without a question. */
export function openWallets(swap: Swap, own: Eip1193Provider | null): Wallets {
  const listeners = new Set<() => void>();
  const tell = (): void => listeners.forEach((listener) => listener());
  let connected: FoundWallet | null = null;

  const use = async (wallet: FoundWallet | null): Promise<void> => {
    await swap.connect(wallet && { wallet: wallet.provider, switchChain: true });
    connected = wallet;
    tell();
  };
  const greet = async (wallet: FoundWallet): Promise<void> => {
    const accounts = await wallet.provider.request({ method: "eth_accounts" });
    if (!connected && Array.isArray(accounts) && accounts.length > 0) await use(wallet);
  };
  const returning = (wallets: readonly FoundWallet[]): void => {
    const wallet = wallets.find(({ rdns }) => !own && rdns === kept());
    if (wallet && !connected) void greet(wallet).catch(() => {});
  };
  const announced = own ? null : discoverWallets((all) => {
    returning(all.map(found));
    tell();
  });
  if (own) void greet(ofApp(own)).catch(() => {});
  return {
    get found() {
      return own ? [ofApp(own)] : (announced?.wallets ?? []).map(found);
    },
    get connected() {
      return connected;
    },
    async connect(wallet) {
      await use(wallet);
      keep(wallet.rdns);
    },
    disconnect() {
      keep(null);
      void use(null).catch(() => {});
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => announced?.close(),
  };
}

type Discovered = ReturnType<typeof discoverWallets>["wallets"][number];
const found = ({ info: { rdns, name, icon }, provider }: Discovered): FoundWallet => ({ rdns, name, icon, provider });
const ofApp = (provider: Eip1193Provider): FoundWallet => ({ rdns: "", name: "", icon: null, provider });

function kept(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

function keep(rdns: string | null): void {
  try {
    if (rdns) localStorage.setItem(KEPT, rdns);
    else localStorage.removeItem(KEPT);
  } catch {
    // Without storage, a reload asks again.
  }
}
