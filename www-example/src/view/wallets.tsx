import type { VNode } from "preact";
import type { WalletChoice } from "../state/parts.ts";
import { messages } from "../messages/en.ts";
import { KINDS, type AccountChoice } from "../sandbox/smart-accounts.ts";
import { short, waitsFor, type State } from "../state/state.ts";
import { busyWords } from "./busy.ts";
import { useScene } from "./context.ts";
import { Selection } from "./parts/choice.tsx";
import { Dialog } from "./parts/dialog.tsx";
import { Icon } from "./parts/icon.tsx";

const words = messages.start.wallet;
const { buttons, walletDid } = messages.failures;

/** The wallets of this browser beside the sandbox's own, whose account and network can be changed here too. */
export function WalletSheet({ onClose }: { onClose: () => void }): VNode {
  const { state, store, accounts } = useScene();
  const busy = waitsFor(state);

  async function connect(wallet: WalletChoice): Promise<void> {
    onClose();
    try {
      await accounts.connect(wallet);
    } catch {
      fail(walletDid.notConnect(wallet.name));
    }
  }

  function fail(message: string): void {
    store.set({ failure: { message, button: buttons.chooseWallet, remedy: "connect" } });
  }

  return (
    <Dialog title={words.title} onClose={onClose}>
      {busy && <p class="quiet">{words.inUse(busyWords(busy))}</p>}
      <fieldset class="wallets" disabled={busy !== null}>
        <ul class="choices">
          {state.wallets.map((wallet) => (
            <li key={wallet.id}>
              <Choice wallet={wallet} isCurrent={wallet.id === state.wallet?.id} onChoose={() => void connect(wallet)} />
            </li>
          ))}
        </ul>
        {state.sandbox && (
          <SandboxChoices
            sandbox={state.sandbox}
            chains={state.chains}
            onFail={() => fail(walletDid.notMake)}
          />
        )}
      </fieldset>
    </Dialog>
  );
}

function Choice({
  wallet,
  isCurrent,
  onChoose,
}: {
  wallet: WalletChoice;
  isCurrent: boolean;
  onChoose: () => void;
}): VNode {
  return (
    <button type="button" class="choice" aria-current={isCurrent ? "true" : undefined} onClick={onChoose}>
      {wallet.icon ? (
        <img src={wallet.icon} alt="" width={28} height={28} />
      ) : (
        <span class="mark">
          <Icon name="tick" />
        </span>
      )}
      <span class="choice-name">
        {wallet.name}
        <small>{isCurrent ? words.connected : words.notConnected}</small>
      </span>
    </button>
  );
}

function SandboxChoices({
  sandbox: { wallet, unlocked },
  chains,
  onFail,
}: Pick<State, "chains"> & { sandbox: NonNullable<State["sandbox"]>; onFail: () => void }): VNode {
  const keys = unlocked.map((address): [AccountChoice, string] => [address, short(address)]);
  const smart = KINDS.map((kind): [AccountChoice, string] => [kind, words.smart[kind]]);
  return (
    <>
      <h3>{words.inSandbox}</h3>
      <Selection
        name={words.account}
        options={[...keys, ...smart]}
        value={wallet.account.kind === "key" ? wallet.account.address : wallet.account.kind}
        onChoose={(choice) => void wallet.selectAccount(choice).catch(onFail)}
      />
      <Selection
        name={words.network}
        options={chains.map(({ chainId, name }) => [chainId, name] as const)}
        value={wallet.chainId}
        onChoose={(chainId) => wallet.selectChain(chainId)}
      />
    </>
  );
}
