// node live.mjs --base-url URL --rpc URL --key-file FILE [--chain ID] [--usdc AMOUNT] [--until STEP] [--no-probe]
//
// One small trade with a key, against a live service: each step is shown, and each prompt opens after a typed "yes". Then
// the questions that docs/sandbox.md leaves open and that only signed orders answer. `--until` ends after a step.
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isTerminal, isTradeError, createClient, parseUnits, summarizeOrder } from "verified-swap";
import { fromWalletClient } from "verified-swap/viem";
import { createPublicClient, createWalletClient, hashTypedData, http, isHash } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { openService } from "../probe/service.mjs";
import { checkHoldings, readBalances } from "./holdings.mjs";
import { fileStorage } from "./journal.mjs";
import { probed } from "./probed.mjs";
import { openPosts } from "./posts.mjs";
import { cancelled, nonceAfterFill, refusedAllowance, readingsOfOrders } from "./readings.mjs";
import { openTerminal } from "./terminal.mjs";
import { worldOf } from "./world.mjs";

const STEPS = ["probe", "quote", "build", "approve", "sign", "post", "follow", "readings", "revoke"];
const USAGE = `usage: cargo xtask live --base-url URL --rpc URL --key-file FILE [--chain ID] [--usdc AMOUNT] [--until ${STEPS.join(" | ")}] [--no-probe]`;
const FOLDER = "target/live";

/** The end of a run, with its exit code. */
class Ended extends Error {
  constructor(message, code = 1) {
    super(message);
    this.code = code;
  }
}

const given = parse(process.argv.slice(2));
const signer = privateKeyToAccount(keyOf(given.keyFile));
const account = signer.address;
const ending = new AbortController();
const { signal } = ending;
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => ending.abort());

const { chainId } = given;
const record = { at: new Date().toISOString(), baseUrl: given.baseUrl, node: new URL(given.rpc).origin, chainId, account, until: given.until };
Object.assign(record, { steps: [], findings: [], left: [], ended: "" });
const terminal = openTerminal(signal);
const service = openService(given.baseUrl);
const posts = openPosts();
const node = createPublicClient({ transport: http(given.rpc) });
let client;
let world;

/** Writes a step down; the last one that was asked for ends the run. */
function done(step, what) {
  record.steps.push({ step, ...what });
  if (step === given.until) throw new Ended(`Ended after the step "${step}", as asked for.`, 0);
}

function note(topic, reading) {
  record.findings.push({ topic, reading });
  terminal.say(`  ${topic.padEnd(48)} ${reading}`);
}

try {
  world = await worldOf(given, service.ask);
  if ((await node.getChainId()) !== chainId) throw new Ended(`The node is not one of chain ${chainId}.`);
  mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
  const wallet = fromWalletClient(createWalletClient({ account: signer, transport: http(given.rpc) }));
  const storage = fileStorage(join(FOLDER, `journal-${chainId}-${account}.json`));
  client = await createClient({ ...world.options, rpc: { [chainId]: given.rpc }, wallet, storage, onPrompt: terminal.onPrompt });
  terminal.say(`${given.baseUrl}, chain ${chainId}, account ${account}`);
  await run(world).finally(() => tidy(world.request).catch(() => {}));
} catch (error) {
  const isEnd = error instanceof Ended;
  record.ended = signal.aborted ? "Interrupted." : isEnd ? error.message : `Failed: ${said(error)}`;
  process.exitCode = signal.aborted ? 130 : isEnd ? error.code : 1;
} finally {
  await tellLeft().catch((error) => record.left.push(`what is left could not be read: ${said(error)}`));
  client?.close();
  terminal.close();
  for (const line of [record.ended, ...record.left.map((left) => `Left: ${left}`)]) console.log(line);
  if (statSync(FOLDER, { throwIfNoEntry: false })) {
    const file = join(FOLDER, `live-${record.at.replaceAll(":", "-")}.json`);
    // A node's URL may have a key of its own.
    writeFileSync(file, `${JSON.stringify(record, null, 2).replaceAll(given.rpc, record.node)}\n`, { mode: 0o600, flag: "wx" });
    console.log(`Written to ${file}.`);
  }
}

async function run(world) {
  const { request } = world;
  request.amount = parseUnits(given.usdc, request.srcDecimals);
  const context = { ...world, chainId, account, client, node, posts, signal, say: terminal.say };
  const balances = await readBalances(node, world, account);
  if (await finishLeft(world)) throw new Ended("What an earlier run left is done. Start again for a trade.", 0);
  if (given.probes && !(await probed(given))) throw new Ended("The probe found what this package refuses: no trade.");
  done("probe");
  const quote = await client.quote(request, { signal });
  terminal.say(`Priced: ${quote.srcAmount} for ${quote.destAmount} raw units, fee ${quote.feeBps} bps`);
  done("quote", { srcAmount: quote.srcAmount, destAmount: quote.destAmount });
  const build = await client.build(quote, { slippageBps: 100, signal, advanced: { requireBalance: true } });
  show(build);
  const dollars = checkHoldings(balances, build.report.price);
  done("build", { sentence: build.report.sentence, digest: build.report.digest, dollars });
  if (build.approval) await client.approve(build.approval, { signal });
  done("approve");
  const order = await sign(build);
  done("post", { id: order.id, orderHash: order.orderHash, status: order.status });
  await follow(world, order);
  done("follow");
  const held = await readingsOfOrders(context, note);
  done("readings");
  await revoke(request);
  await refusedAllowance(context, held, note);
  done("revoke");
}

/** The build as it was verified, and its digest as another library computes it. */
function show({ report, typedData }) {
  const open = report.checks.filter(({ verdict }) => verdict !== "ok");
  terminal.say(report.sentence, `${report.checks.length} checks, not ok: ${open.map(({ field, verdict }) => `${field} ${verdict}`).join(", ") || "none"}`);
  terminal.say(`digest ${report.digest}`);
  if (hashTypedData(typedData) !== report.digest) throw new Ended("viem computes another digest: not signed.");
}

/** Signs, and posts unless the run is to end before. */
async function sign(build) {
  const held = new AbortController();
  const onProgress = ({ step }) => step === "signed" && given.until === step.slice(0, 4) && held.abort();
  const order = await client.submit(build, { signal: AbortSignal.any([signal, held.signal]), onProgress }).catch((error) => {
    if (!held.signal.aborted) throw error;
  });
  done("sign", { orderHash: build.report.digest });
  return order;
}

/** Follows an order to its end; its receipts, and its nonce on the chain. */
async function follow({ delta }, order) {
  for await (order of client.watch(order, { signal })) terminal.say(`The order is ${order.status}.`);
  const { spent, received } = summarizeOrder(order);
  Object.assign((record.order = {}), { id: order.id, orderHash: order.orderHash, status: order.status, settled: order.settled, spent, received, receipts: [] });
  for (const { originTx } of order.transactions.filter(({ originTx }) => isHash(originTx))) {
    const { status, blockNumber } = await node.getTransactionReceipt({ hash: originTx });
    record.order.receipts.push({ transaction: originTx, status, blockNumber: String(blockNumber) });
    note("isNonceUsed around a fill", await nonceAfterFill(node, delta, order, blockNumber));
  }
  if (order.status !== "COMPLETED") throw new Ended(`The order ended: ${order.status}.`);
}

/** Goes on with what an earlier run left; whether there was an order. */
async function finishLeft(world) {
  const left = await openTrades();
  for (const { id, summary } of left) terminal.say(`An earlier run left: ${summary?.sentence ?? id}`);
  const orders = left.filter(({ kind }) => kind === "delta");
  for (const order of orders) await finishOrder(world, order);
  // Looks for transactions on their chain. Behind the orders: it posts one that was signed a moment ago.
  if (left.length > orders.length) await client.trades.resume({ signal });
  return orders.length > 0;
}

async function finishOrder(world, { id, needs, state, orderHash, signedOrder, summary, deadline }) {
  if (needs === "signature" || !signedOrder) return client.trades.abandon(id);
  let order = null;
  if (state === "posted") order = await client.order(orderHash, { signal });
  else if (deadline * 1_000 > Date.now() && (await terminal.agrees("It is signed. Post it?"))) order = await client.submit(signedOrder, { signal });
  if (!order) return client.trades.abandon(id);
  if (summary.type !== "LIMIT") return follow(world, order);
  if (!isTerminal(order)) await cancelled({ client, signal }, order);
}

/** The allowances of the service's contracts for the sold token. */
async function allowances({ srcToken }) {
  const { allowances, unread } = await client.approvals.list({ chainId, account, tokens: [srcToken] });
  if (unread.length) throw new Error("allowances could not be read");
  return allowances;
}

function openTrades() {
  return client.trades.list({ account, chainId, open: true });
}

/** Takes the allowances back. */
async function revoke(request) {
  for (const allowance of await allowances(request)) {
    const sent = await client.submit(await client.approvals.buildRevoke(allowance, { signal }), { signal });
    await client.wait(sent, { signal });
  }
}

/** However a run ends: what is allowed is taken back, unless an order still wants it. The rest is printed after it. */
async function tidy(request) {
  if (!signal.aborted && !(await openTrades()).some(({ kind }) => kind === "delta")) await revoke(request);
}

/** Orders that may still be filled, and allowances that are still there. */
async function tellLeft() {
  if (!client) return;
  for (const { kind, state, id, deadline } of await openTrades()) record.left.push(`${kind} ${id} is ${state}${deadline ? `, until ${new Date(deadline * 1_000).toISOString()}` : ""}`);
  for (const { name, amount } of await allowances(world.request)) record.left.push(`${name} may take ${amount} raw units of ${world.request.srcSymbol}`);
  if (record.left.length) record.left.push("start again to go on with it");
}

function keyOf(file) {
  let text;
  try {
    if (statSync(file).mode & 0o077) usage(`${file} can be read by others: chmod 600`);
    text = readFileSync(file, "utf8").trim();
  } catch {
    usage(`${file} cannot be read`);
  }
  const key = text.startsWith("0x") ? text : `0x${text}`;
  if (!isHash(key)) usage(`${file} has no key: 64 hex digits`);
  return key;
}

function said(error) {
  if (!isTradeError(error)) return error.shortMessage ?? error.message;
  const { code, field, expected, actual, errorType, details, message } = error;
  return [code, field, expected && `expected ${expected}`, actual && `got ${actual}`, errorType, details, message].filter(Boolean).join(" · ");
}

function parse(words) {
  const options = { "--base-url": "", "--rpc": "", "--key-file": "", "--chain": "8453", "--usdc": "5", "--until": "revoke" };
  const probes = !words.includes("--no-probe");
  words = words.filter((word) => word !== "--no-probe");
  while (words.length) {
    const [name, value] = words.splice(0, 2);
    if (!(name in options) || !value) usage(`not understood: ${name}`);
    options[name] = value;
  }
  const { "--base-url": baseUrl, "--rpc": rpc, "--key-file": keyFile, "--usdc": usdc, "--until": until } = options;
  if (![baseUrl, rpc].every((url) => /^https?:\/\//.test(url)) || !keyFile) usage("--base-url, --rpc and --key-file are needed");
  if (!/^[1-9]\d*$/.test(options["--chain"]) || !/^\d+(\.\d+)?$/.test(usdc) || !STEPS.includes(until)) usage("not understood");
  return { baseUrl: baseUrl.replace(/\/+$/, ""), rpc, keyFile, chainId: Number(options["--chain"]), usdc, until, probes };
}

function usage(mistake) {
  console.error(`${mistake}\n${USAGE}`);
  process.exit(2);
}
