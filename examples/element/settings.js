/** USDC for WETH on Base at the live service; with `?sandbox=URL`, on the own machine, at that of `cargo xtask sandbox`. */
export async function settings() {
  // Links are passed around: one chooses a sandbox only where the page is served on the own machine.
  const sandbox = ["127.0.0.1", "localhost"].includes(location.hostname) && new URLSearchParams(location.search).get("sandbox");
  if (!sandbox) {
    return {
      src: "8453:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      dest: "8453:0x4200000000000000000000000000000000000006",
      client: { baseUrl: "https://api.velora.xyz", partner: "my-dapp", rpc: { 8453: "https://mainnet.base.org" } },
    };
  }
  const { chains: [{ chainId, tokens }], clientOptions: client } = await (await fetch(`${sandbox}/sandbox/config`)).json();
  const [src, dest] = ["USDC", "WETH"].map((name) => `${chainId}:${tokens.find(({ symbol }) => symbol === name).address}`);
  return { src, dest, client };
}
