// node probe.mjs --base-url URL [--chain ID]...
//
// Asks a live service what its documents leave open, and whether this package's checks pass on its honest answers:
// quotes and builds for an owner made up on the spot. Signs nothing, posts no order, sends no transaction.
import { randomBytes } from "node:crypto";
import { createClient, isTradeError } from "verified-swap";
import { pairOf } from "./pairs.mjs";
import { readingsOfBuild, readingsOfErrors, readingsOfQuote, readingsOfService } from "./readings.mjs";
import { openService } from "./service.mjs";

const DEFAULT_CHAINS = [8453];

const { baseUrl, chains } = parse(process.argv.slice(2));
const service = openService(baseUrl);
const owner = `0x${randomBytes(20).toString("hex")}`;
const findings = [];
let refused = 0;

console.log(`${baseUrl}, owner ${owner} (made up, signs nothing)\n`);
await take(null, readingsOfService({ ...service, chains }));
for (const chainId of chains) {
  console.log(`\nChain ${chainId}`);
  try {
    const pair = await pairOf(chainId, service.ask);
    const subject = { ...service, chainId, pair, owner };
    for (const side of ["SELL", "BUY"]) await verified(subject, side);
    await take(chainId, readingsOfQuote(subject));
    await take(chainId, readingsOfBuild(subject));
    await take(chainId, readingsOfErrors(subject));
  } catch (error) {
    report(chainId, "this chain", `could not be probed: ${error.message}`);
    refused++;
  }
}
console.log(`\n${JSON.stringify({ baseUrl, at: new Date().toISOString(), refused, findings })}`);
process.exit(refused ? 1 : 0);

/** What an app would do, up to the signature. */
async function verified({ chainId, pair, turn }, side) {
  const title = `this package, ${side}`;
  const client = await createClient({ baseUrl, account: owner, contracts: pair.contracts });
  try {
    await turn();
    const sell = {
      chainId,
      srcToken: pair.source.address,
      destToken: pair.destination.address,
      amount: pair.amount,
      srcDecimals: pair.source.decimals,
      destDecimals: pair.destination.decimals,
    };
    const priced = await client.quote(sell);
    await turn();
    const quote = side === "SELL" ? priced : await client.quote({ ...sell, side, amount: priced.destAmount });
    await turn();
    const build = await client.build(quote, { slippageBps: 50 });
    const opaque = build.report.checks.filter((check) => check.verdict !== "ok").map((check) => `${check.field} ${check.verdict}`);
    report(chainId, title, `quote and build verified, ${build.report.checks.length} checks (${opaque.join(", ") || "all ok"}); fee ${build.feeBps} bps`);
  } catch (error) {
    refused++;
    const told = isTradeError(error)
      ? [error.code, error.field, error.expected && `expected ${error.expected}`, error.actual && `got ${error.actual}`, error.errorType, error.details]
      : [error.stack];
    report(chainId, title, `REFUSED: ${told.filter(Boolean).join(" · ")}`);
  } finally {
    client.close();
  }
}

/** One reading failing leaves the others standing. */
async function take(chainId, readings) {
  for (const [topic, read] of readings) {
    try {
      report(chainId, topic, await read());
    } catch (error) {
      report(chainId, topic, `could not be seen: ${error.message}`);
    }
  }
}

function report(chainId, topic, reading) {
  findings.push({ chainId, topic, reading });
  console.log(`  ${topic.padEnd(44)} ${reading}`);
}

function parse(words) {
  const chains = [];
  let baseUrl;
  while (words.length) {
    const [option, value] = words.splice(0, 2);
    if (option === "--base-url" && /^https?:\/\//.test(value ?? "")) baseUrl = value.replace(/\/+$/, "");
    else if (option === "--chain" && /^[1-9][0-9]*$/.test(value ?? "")) chains.push(Number(value));
    else usage(`not understood: ${[option, value].filter(Boolean).join(" ")}`);
  }
  if (!baseUrl) usage("--base-url is missing");
  return { baseUrl, chains: chains.length ? chains : DEFAULT_CHAINS };
}

function usage(mistake) {
  console.error(`${mistake}\nusage: cargo xtask probe --base-url URL [--chain ID]...`);
  process.exit(2);
}
