// The wallets of this browser, and the one that is connected.
import type { Eip1193Provider } from "../../src/types/prompt.ts";

/** A wallet that can be connected. */
export interface FoundWallet {
  id: string;
  name: string;
  /** A data URL. */
  icon: string | null;
  provider: Eip1193Provider;
}

/** The wallets of this browser. */
export interface Wallets {
  readonly found: readonly FoundWallet[];
  readonly connected: FoundWallet | null;
  /** Asks a wallet for its account. Rejects if it gives none. */
  connect(wallet: FoundWallet): Promise<void>;
  /** Trades by no wallet any more. */
  disconnect(): void;
  /** Calls `listener` whenever one of the above changes. */
  subscribe(listener: () => void): () => void;
  close(): void;
}
