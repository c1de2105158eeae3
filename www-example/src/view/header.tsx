import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { messages } from "../messages/en.ts";
import { chainName, isOnOtherChain, short } from "../state/state.ts";
import { useScene } from "./context.ts";
import { Icon } from "./parts/icon.tsx";
import { Seal } from "./parts/seal.tsx";
import { WalletSheet } from "./wallets.tsx";

const words = messages.start.wallet;

/** Where the page trades, and for whom. What stands in the way of a signature is said here, before anything is built. */
export function Header(): VNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <header>
      <div class="bar">
        <p class="brand">
          <Seal isNew={false} />
          <span class="brand-name">{messages.brand}</span>
        </p>
        <p class="test-money">{messages.start.sandbox}</p>
        <Chain />
        <WalletButton onOpen={() => setOpen(true)} />
      </div>
      <Obstacle onConnect={() => setOpen(true)} />
      {isOpen && <WalletSheet onClose={() => setOpen(false)} />}
    </header>
  );
}

/** Where a trade would go: the page's chain, or another one on which the wallet is. */
function Chain(): VNode {
  const { state } = useScene();
  const { walletChainId, chain } = state;
  const isOther = isOnOtherChain(state) && walletChainId !== null;
  const name = isOther ? chainName(state, walletChainId) : chain.name;
  return (
    <p class={isOther ? "chain other" : "chain"} title={(isOther ? words.walletChain : words.chain)(name)}>
      <span class="chain-dot" />
      <span>{name}</span>
    </p>
  );
}

function WalletButton({ onOpen }: { onOpen: () => void }): VNode {
  const { account, wallet, starting } = useScene().state;
  const isConnected = account && wallet;
  return (
    <button
      id="wallet-button"
      type="button"
      class="wallet-button"
      aria-haspopup="dialog"
      aria-label={isConnected ? words.change(wallet.name, short(account)) : undefined}
      title={isConnected ? `${wallet.name}: ${account}` : ""}
      onClick={onOpen}
    >
      {account ? short(account) : starting ? words.connecting : words.connect}
    </button>
  );
}

/** What a trade would fail for, and the one button that helps. */
function Obstacle({ onConnect }: { onConnect: () => void }): VNode | null {
  const { state, swap } = useScene();
  const { account, starting, walletChainId, chain } = state;
  if (starting) return null;
  if (!account)
    return (
      <div class="obstacle">
        <Icon name="warning" />
        <p>{words.none}</p>
        <button type="button" class="secondary" onClick={onConnect}>
          {words.connect}
        </button>
      </div>
    );
  if (!isOnOtherChain(state) || walletChainId === null) return null;
  return (
    <div class="obstacle">
      <Icon name="warning" />
      <p>{words.otherChain(chainName(state, walletChainId), chain.name)}</p>
      <button type="button" class="secondary" onClick={() => void swap.switchChain()}>
        {words.switchTo(chain.name)}
      </button>
    </div>
  );
}
