// Sells a token in slices (TWAP) with a key of this server's. Started again, it goes on with the order that is open.
import { readFile, rename, writeFile } from "node:fs/promises";
import { createClient, formatUnits, isTerminal, parseUnits, summarizeOrder, VELORA_BASE_URL } from "verified-swap";
import { fromWalletClient } from "verified-swap/viem";
import { createWalletClient, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";

const { PRIVATE_KEY, API_KEY, SANDBOX, STATE = "state.json" } = process.env;
const { MIN_RECEIVED, AMOUNT = "100", SLICES = "12", INTERVAL_SECS = "3600" } = process.env;
const { RPC_URLS = "https://mainnet.base.org,https://base-rpc.publicnode.com" } = process.env;
if (!PRIVATE_KEY) throw new Error("PRIVATE_KEY is not set");
// Nobody is here to be asked what a price is worth: the bound is the operator's, and never taken from a quote.
if (!MIN_RECEIVED) throw new Error("MIN_RECEIVED is not set: the least that all of AMOUNT may bring");

/** The token to sell, and the one to buy. */
const BASE = {
  pair: {
    chainId: 8453,
    srcToken: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", srcDecimals: 6, srcSymbol: "USDC",
    destToken: "0x4200000000000000000000000000000000000006", destDecimals: 18, destSymbol: "WETH",
  },
  options: {
    baseUrl: VELORA_BASE_URL,
    ...(API_KEY && { apiKey: API_KEY }),
    // The service's limits without a key; with one, state what was agreed on.
    advanced: {
      rateLimit: { perSecond: 1, burst: 3, perDay: 3_000 },
      // Reads on which a signature rests go to two nodes, where there are two.
      rpcQuorum: Math.min(2, RPC_URLS.split(",").length),
    },
    rpc: { 8453: RPC_URLS.split(",") },
  },
};

/** The texts of a file, which is replaced as a whole: a crash leaves the old one or the new one. */
async function fileStorage(path) {
  const texts = new Map(JSON.parse(await readFile(path, "utf8").catch(({ code }) => (code === "ENOENT" ? "[]" : Promise.reject(code)))));
  let writing = Promise.resolve();
  const write = () => {
    const text = JSON.stringify([...texts]);
    writing = writing.catch(() => {}).then(async () => {
      await writeFile(`${path}.new`, text, { mode: 0o600, flush: true });
      await rename(`${path}.new`, path);
    });
    return writing;
  };
  return {
    get: (name) => texts.get(name),
    set: (name, text) => (texts.set(name, text), write()),
    delete: (name) => (texts.delete(name), write()),
    keys: () => [...texts.keys()],
  };
}

/** The same in a sandbox: its URL, or a checkout. */
async function inSandbox(checkout) {
  const { startSandbox } = await import("verified-swap/testing");
  const sandbox = await startSandbox({ checkout });
  const { amount, ...pair } = sandbox.request("USDC", "WETH", AMOUNT);
  return { pair, options: sandbox.clientOptions };
}

const { pair, options } = SANDBOX ? await inSandbox(SANDBOX) : BASE;
const [node] = [options.rpc[pair.chainId]].flat();
const wallet = fromWalletClient(createWalletClient({ account: privateKeyToAccount(PRIVATE_KEY), transport: http(node) }));

const ending = new AbortController();
const { signal } = ending;
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => ending.abort());

const client = await createClient({ ...options, wallet, storage: await fileStorage(STATE), resume: true });
try {
  const [left] = (await client.resumed).filter(({ kind }) => kind === "delta");
  const order = left ? await follow(left) : await place();
  console.log(`The order ended: ${order.status}.`);
  process.exitCode = order.status === "COMPLETED" ? 0 : 1;
} catch (error) {
  if (!signal.aborted) throw error;
  console.log("Stopped. What is posted goes on at the service; start again to follow it.");
} finally {
  client.close();
}

/** Approves exactly what is sold, signs, posts, and follows the order to its end. */
async function place() {
  const amount = parseUnits(AMOUNT, pair.srcDecimals);
  const request = { ...pair, amount, numSlices: Number(SLICES), intervalSecs: Number(INTERVAL_SECS) };
  const trade = client.trade(request, {
    slippageBps: 100,
    minReceived: parseUnits(MIN_RECEIVED, pair.destDecimals),
    // The sentence is bounded by the request and `minReceived`. A question would not be answered by this.
    onReview: ({ sentence }) => (console.log(sentence), true),
    onProgress: ({ order }) => order && tell(order),
    signal,
  });
  return (await trade).order;
}

/** Goes on with the order that an earlier run left. */
async function follow({ id, needs, orderHash, signedOrder }) {
  console.log(`Going on with order ${orderHash}.`);
  // It was not signed before the end.
  if (needs === "signature") return client.trades.abandon(id).then(place);
  // Signed, and the service does not have it.
  let order = needs === "decision" ? await client.submit(signedOrder, { signal }) : await client.order(orderHash, { signal });
  if (isTerminal(order)) return order;
  for await (order of client.watch(order, { signal })) tell(order);
  return order;
}

/** One line for each change. */
function tell(order) {
  const { spent, received, slices } = summarizeOrder(order);
  const amounts = `${formatUnits(spent, pair.srcDecimals)} ${pair.srcSymbol} for ${formatUnits(received, pair.destDecimals)} ${pair.destSymbol}`;
  const line = `${order.status}: ${slices.done}/${slices.total} slices, ${amounts}`;
  if (line !== tell.last) console.log((tell.last = line));
}
