import type { Eip1193Provider } from "verified-swap";
import { discoverWallets } from "verified-swap/viem";

/** A wallet that can be connected: the sandbox's own, or an injected one. */
export interface WalletChoice {
  /** Unique for this page load. */
  id: string;
  name: string;
  /** A `data:` image, or null. */
  icon: string | null;
  provider: Eip1193Provider & { on?: (event: string, listener: (value: unknown) => void) => void };
}

/** Calls `found` with the wallets that have announced themselves (EIP-6963), now and whenever there is another one. */
export function watchWallets(found: (wallets: WalletChoice[]) => void): void {
  discoverWallets((wallets) =>
    found(wallets.map(({ info: { uuid, name, icon }, provider }) => ({ id: uuid, name, icon, provider }))),
  );
}
