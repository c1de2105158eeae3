import type { VNode } from "preact";
import { useState } from "preact/hooks";
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
  const texts = words.wallets;
  const { found, connected } = wallets.state;
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

  const isCurrent = (wallet: FoundWallet): boolean => state.account !== null && wallet.provider === connected?.provider;
  return (
    <Dialog title={texts.title} onClose={onClose}>
      {found.length === 0 && <p class="quiet">{texts.none}</p>}
      <ul class="wallets-list">
        {found.map((wallet) => {
          const note = wallet === waiting ? texts.connecting : isCurrent(wallet) ? texts.connected : "";
          const choose = trusted(() => void connect(wallet));
          const looks = { name: nameOf(wallet), isDisabled: waiting !== null, isCurrent: isCurrent(wallet) };
          return <Choice key={wallet.rdns + wallet.name} {...{ wallet, note, choose, ...looks }} />;
        })}
      </ul>
      {problem && <p class="note note-stop" role="alert"><Icon name="warning" />{problem}</p>}
      {state.account && <Connected onLeave={() => wallets.disconnect()} />}
    </Dialog>
  );
}

interface ChoiceProps {
  wallet: FoundWallet;
  name: string;
  note: string;
  isDisabled: boolean;
  isCurrent: boolean;
  choose(event: Event): void;
}

function Choice({ wallet, name, note, isDisabled, isCurrent, choose }: ChoiceProps): VNode {
  return (
    <li>
      <button type="button" class="wallets-choice" disabled={isDisabled} aria-current={isCurrent || undefined} onClick={choose}>
        {wallet.icon ? <img src={wallet.icon} alt="" width={28} height={28} /> : <Icon name="wallet" />}
        <bdi>{name}</bdi>
        <small>{note}</small>
      </button>
    </li>
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
