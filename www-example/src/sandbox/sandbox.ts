import dai from "cryptocurrency-icons/svg/color/dai.svg";
import eth from "cryptocurrency-icons/svg/color/eth.svg";
import usdc from "cryptocurrency-icons/svg/color/usdc.svg";
import usdt from "cryptocurrency-icons/svg/color/usdt.svg";
import type { ClientEvent, ClientOptions } from "verified-swap";
import type { SwapChain } from "verified-swap/element";
import type { SwapToken } from "verified-swap/swap";
import { readConfig, type SandboxConfig } from "./control.ts";
import { byId } from "../dom.ts";
import { beHonest } from "./lies.ts";
import { createSandboxWallet, type SandboxWallet } from "./wallet.ts";
import { showPanel } from "./panel.ts";

/** The sandbox, as an element takes it. */
export interface Sandbox {
  client: ClientOptions;
  chains: SwapChain[];
  tokens: SwapToken[];
  wallet: SandboxWallet;
}

const LOGOS: Record<string, string> = { DAI: dai, ETH: eth, WETH: eth, USDC: usdc, USDT: usdt };
const AGAIN_MS = 5_000;

/** Opens the sandbox: its service, chains and wallet. `onEvent` is that of the client; `busy` says that an account is made ready. */
export async function openSandbox(onEvent: (event: ClientEvent) => void, busy: (isBusy: boolean) => void): Promise<Sandbox> {
  const { chains, accounts, clientOptions } = await configured();
  // A page that crashed did not end its lie. Without an answer to that the next one does it.
  void beHonest().catch(() => {});
  const wallet = await createSandboxWallet(chains, accounts);
  showPanel(wallet, chains, accounts, busy);
  return {
    client: { ...clientOptions, onEvent },
    chains: chains.map(({ chainId, name }) => ({ chainId, name })),
    tokens: chains.flatMap(({ chainId, tokens }) =>
      tokens.map(({ kind, ...token }) => ({ ...token, chainId, logoURI: LOGOS[token.symbol] })),
    ),
    wallet,
  };
}

/** The configuration, requested until there is one; meanwhile the page has the reason. */
async function configured(): Promise<SandboxConfig> {
  const trouble = byId("trouble", HTMLElement);
  for (;;) {
    try {
      const config = await readConfig();
      trouble.hidden = true;
      return config;
    } catch {
      trouble.hidden = false;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}
