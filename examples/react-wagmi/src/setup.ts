import { VELORA_BASE_URL, type ClientOptions } from "verified-swap";
import { defineChain, type Chain } from "viem";
import { http, createConfig } from "wagmi";
import { base } from "wagmi/chains";

// The live service on Base; with ?sandbox=URL the one of `cargo xtask sandbox`.
const sandbox = new URLSearchParams(location.search).get("sandbox");

export const { chain, options } = sandbox ? await ofSandbox(sandbox) : ofBase();

/** Wallets that announce themselves (EIP-6963); connectors for others go into `connectors`. */
export const config = createConfig({ chains: [chain], transports: { [chain.id]: http() } });

declare module "wagmi" {
  interface Register {
    config: typeof config;
  }
}

function ofBase(): { chain: Chain; options: ClientOptions } {
  return { chain: base, options: { baseUrl: VELORA_BASE_URL, rpc: { [base.id]: base.rpcUrls.default.http[0] }, switchChain: true } };
}

async function ofSandbox(baseUrl: string): Promise<{ chain: Chain; options: ClientOptions }> {
  const { chains: [{ chainId: id, name }], clientOptions } = await (await fetch(`${baseUrl}/sandbox/config`)).json();
  const nativeCurrency = { name: "Ether", symbol: "ETH", decimals: 18 };
  return {
    chain: defineChain({ id, name, nativeCurrency, rpcUrls: { default: { http: [clientOptions.rpc[id]] } } }),
    options: { ...clientOptions, switchChain: true },
  };
}
