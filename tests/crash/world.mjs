/** The world of the page: a browser, the sandbox, and a wallet that outlives the page. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { startWorld } from "../coverage/world.mjs";
import { MODULES, ROOT } from "../package/locations.mjs";
import { serve, startBrowser } from "../package/page.mjs";
import { openWallet, ownKey } from "../shared/batching-wallet.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const INDEX = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>`;

export const SIGN = "eth_signTypedData_v4";
export const SENDS = ["eth_sendTransaction", "wallet_sendCalls"];

export async function start() {
  const folder = join(ROOT, "target/crash-page");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "index.html"), INDEX);
  for (const name of MODULES) cpSync(join(ROOT, "target/pkg", name), join(folder, name));
  // One file: pages are opened a thousand times.
  await build({ entryPoints: [join(HERE, "page.js")], outfile: join(folder, "page.js"), bundle: true, format: "esm" });
  const [world, browser, server] = await Promise.all([startWorld(), startBrowser(), serve(folder)]);
  // An order that is filled is over: then the same trade is another one.
  await world.settings({ solving: false });
  const stop = () => Promise.all([browser.close(), server.stop(), world.sandbox.stop()]);
  // One window for all: it takes longer to open than a tab. It has one tab that stays.
  const context = await browser.newContext();
  await context.newPage();
  return { ...world, context, pageUrl: server.url, stop, tenants: 0 };
}

/**
 * The account of one trade, with a wallet, and the requests of its own tenant of the sandbox. For `Batch` it is a
 * smart account that has approved nothing: its wallet sends approval and swap together.
 */
export async function userOf(world, trade) {
  const { sandbox, chain, contracts, references, token, units, fund, pair } = world;
  const { chainId } = chain;
  const tenant = `crash${world.tenants++}`;
  const key = ownKey(sandbox, chainId, privateKeyToAccount(generatePrivateKey()));
  const [usdc, dai, eth] = ["USDC", "DAI", "ETH"].map((symbol) => token(symbol));
  const make = () => sandbox.control("POST", "wallet", { chainId, owner: key.address, kind: "contract" });
  const account = trade === "Batch" ? (await make()).address : key.address;
  await Promise.all([fund(account, usdc, units(1_000, usdc)), fund(key.address, eth, units(10, eth))]);
  const spender = { Delta: chain.delta, OTC: chain.rfq, Market: chain.router }[trade];
  const allowance = { chainId, token: usdc.address, owner: account, spender, amount: units(1_000, usdc).toString() };
  if (spender) await sandbox.control("POST", "approve", allowance);
  const [amount, minReceived] = [units(10, usdc).toString(), units(9, dai).toString()];
  const { srcSymbol, destSymbol, ...request } = pair(usdc, dai, { amount });
  return {
    wallet: openWallet({ sandbox, chain, key, account }),
    pageUrl: world.pageUrl.replace("127.0.0.1", `${tenant}.localhost`),
    options: {
      baseUrl: `${sandbox.url}/as/${tenant}`, rpc: { [chainId]: `${sandbox.url}/as/${tenant}${chain.rpc}` }, account, contracts,
      advanced: { references, rateLimit: { perSecond: 1_000, burst: 1_000, perDay: 1_000_000 } }, resume: true,
    },
    terms: {
      request, bounds: { minReceived },
      offer: {
        chainId, makerAsset: usdc.address, takerAsset: dai.address, makerAmount: amount, takerAmount: minReceived,
        makerDecimals: usdc.decimals, takerDecimals: dai.decimals, expiry: Math.floor(Date.now() / 1000) + 86_400,
      },
    },
    fault: (fault) => sandbox.control("POST", "fault", { tenant, ...fault }),
    /** How many requests the sandbox holds. */
    held: async () => (await sandbox.control("GET", "held")).filter((request) => request.tenant === tenant).length,
    release: () => sandbox.control("POST", "release", { tenant }),
    /** This trade as service and chain have it, whatever they answered. */
    async owned() {
      const owned = await sandbox.control("GET", `owner/${key.address}`);
      // An allowance was set in its name, by the sandbox.
      const sent = owned.transactions.filter(({ to }) => to?.toLowerCase() !== usdc.address.toLowerCase());
      return { Delta: owned.delta, OTC: owned.otc, Market: sent, Batch: sent }[trade];
    },
  };
}
