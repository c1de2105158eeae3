// node probe.mjs --base-url URL [--chain ID]... [--orders-of ADDRESS] [--burst N] [--release]
//
// Asks a live service what its documents leave open, and whether this package's checks pass on its honest answers:
// quotes and builds for an owner made up on the spot. Signs nothing, posts no order, sends no transaction.
// `--orders-of` names an account whose orders are read, for what only orders show. `--burst` asks at the end, up to N times at
// once, what the service takes: it breaks the limit of the free tier on purpose. `--release` demands what a release rests on.
import { randomBytes } from "node:crypto";
import { createClient } from "verified-swap";
import { readingsOfAccount } from "./account.mjs";
import { checkedTrades, tradeWith } from "./checked.mjs";
import { readingsOfCrosschain } from "./crosschain.mjs";
import { missing } from "./demands.mjs";
import { readingsOfKinds } from "./kinds.mjs";
import { readingsOfLimits } from "./limits.mjs";
import { FEE_TRADE, readingsOfMarket } from "./market.mjs";
import { pairOf } from "./pairs.mjs";
import { readingsOfBuild, readingsOfErrors, readingsOfQuote, readingsOfService } from "./readings.mjs";
import { readingsOfResources } from "./resources.mjs";
import { openService } from "./service.mjs";

const DEFAULT_CHAINS = [8453];

const { baseUrl, chains, account, burst, isRelease } = parse(process.argv.slice(2));
const service = openService(baseUrl);
await service.ask("/chains").catch(({ message, cause }) => {
  console.error(`The service at ${baseUrl} cannot be reached (${cause?.message ?? message}): nothing was probed.`);
  process.exit(1);
});
const owner = `0x${randomBytes(20).toString("hex")}`;
const findings = [];
let refused = 0;

console.log(`${baseUrl}, owner ${owner} (made up, signs nothing)\n`);
await take(null, readingsOfService(service));
for (const chainId of chains) {
  console.log(`\nChain ${chainId}`);
  try {
    await probed(chainId);
  } catch (error) {
    report(chainId, "this chain", `could not be probed: ${error.message}`);
    refused++;
  }
}
console.log("\nLimits");
await take(null, readingsOfLimits(service, burst));
const lacks = isRelease ? missing(findings, chains) : [];
if (lacks.length) console.log(`\nA release needs what was not seen (docs/releasing.md)\n${lacks.map((lack) => `  ${lack}\n`).join("")}`);
console.log(`\n${JSON.stringify({ baseUrl, at: new Date().toISOString(), refused, lacks, findings })}`);
process.exit(refused || lacks.length ? 1 : 0);

async function probed(chainId) {
  const pair = await pairOf(chainId, service.ask);
  const subject = { ...service, chainId, pair, owner };
  const openClient = (options) => createClient({ baseUrl, contracts: pair.contracts, advanced: { bridgeTokens: pair.bridgeTokens, timeoutMs: 30_000 }, ...options });
  for await (const trade of checkedTrades(subject, openClient)) {
    report(chainId, `this package, ${trade.title}`, trade.reading);
    refused += Number(trade.refused);
  }
  await take(chainId, readingsOfQuote(subject));
  await take(chainId, readingsOfBuild(subject));
  await take(chainId, readingsOfKinds(subject));
  await take(chainId, readingsOfCrosschain(subject));
  await take(chainId, readingsOfMarket(subject, () => tradeWith(subject, openClient, FEE_TRADE)));
  await take(chainId, readingsOfResources(subject));
  await take(chainId, readingsOfAccount(subject, account, openClient));
  await take(chainId, readingsOfErrors(subject));
}

/** A reading that fails does not stop the others. */
async function take(chainId, readings) {
  for (const [topic, read] of readings) {
    try {
      report(chainId, topic, await read());
    } catch (error) {
      report(chainId, topic, `could not be told: ${error.message}`);
    }
  }
}

function report(chainId, topic, reading) {
  findings.push({ chainId, topic, reading });
  console.log(`  ${topic.padEnd(48)} ${reading}`);
}

function parse(words) {
  const chains = [];
  let baseUrl;
  let account = null;
  let burst = 0;
  const isRelease = words.includes("--release");
  words = words.filter((word) => word !== "--release");
  while (words.length) {
    const [option, value] = words.splice(0, 2);
    if (option === "--base-url" && /^https?:\/\//.test(value ?? "")) baseUrl = value.replace(/\/+$/, "");
    else if (option === "--chain" && /^[1-9][0-9]*$/.test(value ?? "")) chains.push(Number(value));
    else if (option === "--orders-of" && /^0x[0-9a-fA-F]{40}$/.test(value ?? "")) account = value;
    else if (option === "--burst" && /^[1-9][0-9]?$/.test(value ?? "")) burst = Number(value);
    else usage(`not understood: ${[option, value].filter(Boolean).join(" ")}`);
  }
  if (!baseUrl) usage("--base-url is missing");
  return { baseUrl, chains: chains.length ? chains : DEFAULT_CHAINS, account, burst, isRelease };
}

function usage(mistake) {
  console.error(`${mistake}\nusage: cargo xtask probe --base-url URL [--chain ID]... [--orders-of ADDRESS] [--burst N] [--release]`);
  process.exit(2);
}
