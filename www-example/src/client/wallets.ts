import { discoverWallets } from "verified-swap/viem";
import type { WalletChoice } from "../state/parts.ts";

/** Calls `found` with the wallets that have announced themselves (EIP-6963), now and whenever there is another one. */
export function watchWallets(found: (wallets: WalletChoice[]) => void): void {
  discoverWallets((wallets) =>
    found(wallets.map(({ info: { uuid, name, icon }, provider }) => ({ id: uuid, name, icon, provider }))),
  );
}
