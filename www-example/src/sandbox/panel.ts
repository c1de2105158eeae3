import type { Address } from "verified-swap";
import { fund, type SandboxChain } from "./control.ts";
import { byId, el } from "../dom.ts";
import { SMART } from "./smart-accounts.ts";
import type { SandboxWallet } from "./wallet.ts";

/** Shows the settings of the sandbox wallet, and its faucet. `busy` is called while an account is being made ready. */
export function showPanel(wallet: SandboxWallet, chains: SandboxChain[], keys: Address[], busy: (isBusy: boolean) => void): void {
  const [account, network] = [byId("sandbox-account", HTMLSelectElement), byId("sandbox-network", HTMLSelectElement)];
  const note = byId("sandbox-note", HTMLElement);
  const option = (value: string | number, text: string): Node => el("option", { value: String(value) }, text);
  const short = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`;
  account.append(...keys.map((key) => option(key, short(key))), ...Object.entries(SMART).map(([kind, name]) => option(kind, name)));
  network.append(...chains.map(({ chainId, name }) => option(chainId, name)));
  const show = (): void => {
    account.value = wallet.account.kind === "key" ? wallet.account.address : wallet.account.kind;
    network.value = String(wallet.chainId);
  };
  const attempt = async (work: () => Promise<void> | void, done: string): Promise<void> => {
    busy(true);
    try {
      await work();
      note.textContent = done;
    } catch (error) {
      note.textContent = `That did not work: ${error instanceof Error ? error.message : error}`;
    }
    busy(false);
    show();
  };
  account.addEventListener("change", () => void attempt(() => wallet.selectAccount(account.value), ""));
  network.addEventListener("change", () => void attempt(() => wallet.selectChain(Number(network.value)), ""));
  wallet.on("chainChanged", show);
  const [faucet, to] = [byId("faucet", HTMLFormElement), byId("faucet-to", HTMLInputElement)];
  faucet.addEventListener("submit", (event) => {
    event.preventDefault();
    const [chain] = chains;
    if (chain) void attempt(() => fund(chain, to.value.trim()), "Done: an account that had nothing has test tokens now.");
  });
  show();
}
