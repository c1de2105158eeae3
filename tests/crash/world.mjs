/** The world of the page: a browser, the sandbox, and a wallet that outlives the page. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { startWorld } from "../coverage/world.mjs";
import { ROOT } from "../package/locations.mjs";
import { serve, startBrowser } from "../package/page.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const INDEX = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>`;

export const SIGN = "eth_signTypedData_v4";
export const SEND = "eth_sendTransaction";

export async function start() {
  const folder = join(ROOT, "target/crash-page");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "index.html"), INDEX);
  cpSync(join(ROOT, "target/pkg/verified_swap_bg.wasm"), join(folder, "verified_swap_bg.wasm"));
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

/** A wallet with a key of its own. While `holds`, its prompts stay open until `answer()`. */
function walletOf(key, { sandbox, chain: { chainId } }) {
  const wallet = { prompts: [], holds: false };
  const open = [];
  const send = async ({ to, data, value }) => {
    const nonce = Number(await sandbox.rpc(chainId, "eth_getTransactionCount", [key.address, "pending"]));
    const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n, gas: 2_000_000n };
    const signed = await key.signTransaction({ chainId, to, data, value: BigInt(value ?? 0), nonce, ...fees });
    const hash = await sandbox.rpc(chainId, "eth_sendRawTransaction", [signed]);
    while (!(await sandbox.rpc(chainId, "eth_getTransactionReceipt", [hash]))) await sleep(10);
    return hash;
  };
  wallet.request = async (method, params) => {
    if (method === "eth_accounts" || method === "eth_requestAccounts") return [key.address];
    if (method === "eth_chainId") return `0x${chainId.toString(16)}`;
    if (![SIGN, SEND].includes(method)) throw new Error(method);
    const text = method === SIGN ? params[1] : params[0].data;
    const prompt = { method, text, isAnswered: false };
    wallet.prompts.push(prompt);
    if (wallet.holds) await new Promise((resolve) => open.push(resolve));
    const answer = method === SIGN ? await key.signTypedData(JSON.parse(text)) : await send(params[0]);
    prompt.isAnswered = true;
    return answer;
  };
  /** The user confirms every prompt that is open. */
  wallet.answer = async () => {
    wallet.holds = false;
    for (const confirm of open.splice(0)) confirm();
    while (!wallet.prompts.every(({ isAnswered }) => isAnswered)) await sleep(10);
  };
  return wallet;
}

/** Who makes one trade: an account with a wallet, and the requests of its own tenant of the sandbox. */
export async function userOf(world, trade) {
  const { sandbox, chain, contracts, token, units, fund, pair } = world;
  const tenant = `crash${world.tenants++}`;
  const key = privateKeyToAccount(generatePrivateKey());
  const [usdc, dai, eth] = ["USDC", "DAI", "ETH"].map((symbol) => token(symbol));
  const spender = { Delta: chain.delta, OTC: chain.rfq, Market: chain.router }[trade];
  await Promise.all([fund(key.address, usdc, units(1_000, usdc)), fund(key.address, eth, units(10, eth))]);
  const allowance = { chainId: chain.chainId, token: usdc.address, owner: key.address, spender, amount: units(1_000, usdc).toString() };
  await sandbox.control("POST", "approve", allowance);
  const [amount, minReceived] = [units(10, usdc).toString(), units(9, dai).toString()];
  const { srcSymbol, destSymbol, ...request } = pair(usdc, dai, { amount });
  return {
    account: key.address,
    wallet: walletOf(key, world),
    pageUrl: world.pageUrl.replace("127.0.0.1", `${tenant}.localhost`),
    options: {
      baseUrl: `${sandbox.url}/as/${tenant}`, rpc: { [chain.chainId]: `${sandbox.url}/as/${tenant}${chain.rpc}` }, account: key.address,
      contracts, rateLimit: { perSecond: 1_000, burst: 1_000, perDay: 1_000_000 }, resume: true,
    },
    terms: {
      request, bounds: { minReceived },
      offer: {
        chainId: chain.chainId, makerAsset: usdc.address, takerAsset: dai.address, makerAmount: amount, takerAmount: minReceived,
        makerDecimals: usdc.decimals, takerDecimals: dai.decimals, expiry: Math.floor(Date.now() / 1000) + 86_400,
      },
    },
    fault: (fault) => sandbox.control("POST", "fault", { tenant, ...fault }),
    /** How many requests the sandbox holds. */
    held: async () => (await sandbox.control("GET", "held")).filter((request) => request.tenant === tenant).length,
    release: () => sandbox.control("POST", "release", { tenant }),
    /** What service and chain have of this trade, whatever they said. */
    async owned() {
      const owned = await sandbox.control("GET", `owner/${key.address}`);
      // An allowance was set in its name, by the sandbox.
      const sent = owned.transactions.filter(({ to }) => to?.toLowerCase() !== usdc.address.toLowerCase());
      return { Delta: owned.delta, OTC: owned.otc, Market: sent }[trade];
    },
  };
}
