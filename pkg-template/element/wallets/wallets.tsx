import type { VNode } from "preact";
import { shortAddress } from "../format.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { useScene } from "../scene.ts";
import type { Wallets } from "./store.ts";

/** The wallet and its account, or the invitation to connect one. Opens the choice of wallets. */
export function WalletButton(): VNode {
  const { state, words, wallet, openWallets } = useScene();
  const account = state.account && shortAddress(state.account);
  const label = account ? words.wallets.change(wallet ?? words.wallets.ownWallet, account) : undefined;
  return (
    <button type="button" class="wallets-button" aria-label={label} onClick={openWallets}>
      <Icon name="wallet" /> <span class={account ? "mono" : undefined}>{account ?? words.wallets.connect}</span>
    </button>
  );
}

/** The choice of wallets. */
export function WalletDialog({ onClose }: { wallets: Wallets; onClose: () => void }): VNode {
  const { words } = useScene();
  return <Dialog title={words.wallets.title} onClose={onClose}>{words.wallets.none}</Dialog>;
}
