import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { shortAddress } from "../format.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { AddressText } from "../parts/text.tsx";
import { trusted, useScene } from "../scene.ts";
import type { FoundWallet, Wallets } from "./store.ts";

/** The wallet and its account, or the invitation to connect one. Opens the choice of wallets. */
export function WalletButton(): VNode {
  const { state, words, wallet, openWallets } = useScene();
  const account = state.account && shortAddress(state.account);
  const label = account ? words.wallets.change(wallet ?? words.wallets.ownWallet, account) : words.wallets.connect;
  return (
    <button type="button" class="wallets-button" aria-label={label} onClick={openWallets}>
      <Icon name="wallet" />
      <bdi class={account ? "mono" : ""}>{account ?? words.wallets.connectShort}</bdi>
    </button>
  );
}

/** The choice of wallets, and the account of the connected one. */
export function WalletDialog({ wallets, onClose }: { wallets: Wallets; onClose: () => void }): VNode {
  const { words, announce, state } = useScene();
  const [problem, setProblem] = useState<string | null>(null);
  const [waiting, setWaiting] = useState<FoundWallet | null>(null);
  const [found, setFound] = useState(wallets.found);
  useEffect(() => wallets.subscribe(() => setFound(wallets.found)), [wallets]);
  const texts = words.wallets;
  const nameOf = (wallet: FoundWallet): string => wallet.name || texts.ownWallet;

  async function connect(wallet: FoundWallet): Promise<void> {
    setProblem(null);
    setWaiting(wallet);
    try {
      await wallets.connect(wallet);
      announce(`${nameOf(wallet)}: ${texts.connected}`);
      onClose();
    } catch {
      setProblem(texts.rejected(nameOf(wallet)));
      setWaiting(null);
    }
  }

  const isCurrent = (wallet: FoundWallet): boolean => state.account !== null && wallet.provider === wallets.connected?.provider;
  return (
    <Dialog title={texts.title} onClose={onClose}>
      {found.length === 0 && <p class="quiet">{texts.none}</p>}
      <ul class="wallets-list">
        {found.map((wallet) => (
          <li key={wallet.rdns + wallet.name}>
            <button type="button" class="wallets-choice" disabled={waiting !== null} aria-current={isCurrent(wallet) || undefined}
              onClick={trusted(() => void connect(wallet))}>
              {wallet.icon ? <img src={wallet.icon} alt="" width={28} height={28} /> : <Icon name="wallet" />}
              <bdi>{nameOf(wallet)}</bdi>
              <small>{wallet === waiting ? texts.connecting : isCurrent(wallet) ? texts.connected : ""}</small>
            </button>
          </li>
        ))}
      </ul>
      {problem && <p class="note note-stop" role="alert"><Icon name="warning" />{problem}</p>}
      {state.account && <Connected onLeave={() => wallets.disconnect()} />}
    </Dialog>
  );
}

function Connected({ onLeave }: { onLeave: () => void }): VNode {
  const { state: { account, walletChainId, form }, words, chainName } = useScene();
  return (
    <div class="wallets-account">
      {account && <AddressText address={account} />}
      <button type="button" class="link" onClick={onLeave}>{words.wallets.disconnect}</button>
      {walletChainId !== null && walletChainId !== form.src.chainId && (
        <p class="quiet">{words.wallets.otherChain(chainName(walletChainId), chainName(form.src.chainId))}</p>
      )}
    </div>
  );
}
