// The wallets of this browser, and the one that is connected.
import { discoverWallets } from "../../src/discover.ts";
import { observed, type Observed } from "../../src/observed.ts";
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

/** The wallets of this browser; `state` is replaced as a whole. */
export interface Wallets extends Pick<Observed<WalletsState>, "state" | "subscribe"> {
  /** Asks a wallet for its account. Rejects if it gives none. */
  connect(wallet: FoundWallet): Promise<void>;
  /** Trades by no wallet any more. */
  disconnect(): void;
  close(): void;
}

interface WalletsState {
  found: readonly FoundWallet[];
  /** The one that was connected last; it may have gone since (`state.account`). */
  connected: FoundWallet | null;
}

/** Where the last connected wallet is kept, so that a reload connects it again without a question. */
const KEPT = "verified-swap-wallet";

/** The app's own wallet, or those that announce themselves. One that knows the page is connected without a question. */
export function openWallets(swap: Swap, own: Eip1193Provider | null): Wallets {
  const store = observed<WalletsState>({ found: own ? [ofApp(own)] : [], connected: null });
  let turn = 0;
  /** False: another wallet was chosen before this one answered. */
  const use = async (wallet: FoundWallet | null): Promise<boolean> => {
    const mine = ++turn;
    await swap.connect(wallet && { wallet: wallet.provider, switchChain: true });
    if (mine === turn) store.set({ connected: wallet });
    return mine === turn;
  };
  const greet = async (wallet: FoundWallet): Promise<void> => {
    const begun = turn;
    const accounts = await wallet.provider.request({ method: "eth_accounts" });
    // The user may have chosen another one meanwhile.
    if (turn === begun && !store.state.connected && Array.isArray(accounts) && accounts.length > 0) await use(wallet);
  };
  const announced = own ? null : discoverWallets((all) => {
    store.set({ found: all.map(found) });
    const known = store.state.found.find(({ rdns }) => rdns === kept());
    if (known) void greet(known).catch(() => {});
  });
  if (own) void greet(ofApp(own)).catch(() => {});
  return {
    get state() { return store.state; },
    subscribe: store.subscribe,
    async connect(wallet) {
      if (await use(wallet)) keep(wallet.rdns);
    },
    disconnect() {
      keep(null);
      void use(null).catch(() => {});
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
