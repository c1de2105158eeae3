// The parts of docs/attacks.md: one trade for each path, what comes of it, and tables that are written or held to.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";

const pageOf = (name) => new URL(`../../docs/${name}.md`, import.meta.url);

/**
 * Each builds one trade of about 3,000 dollars, which sells the native token's wrapped form or what buys it. `dollars` is
 * another size, `slices` another number of slices, `options` and `request` add more, `more` is for its client.
 */
export async function tradesOf({ accounts, token, units, pair, fund, chain, elsewhere, client }) {
  const [account, maker] = [accounts[2], accounts[0]];
  const [usdc, weth] = ["USDC", "WETH"].map((symbol) => token(symbol));
  for (const which of [usdc, weth]) await fund(account, which, units(1_000_000, which));
  await fund(maker, usdc, units(1_000_000, usdc));
  const making = await client(maker);
  const ether = (dollars = 3_000) => units(dollars / 3_000, weth);
  // A client of its own each: references are remembered for a minute.
  const quoted = async (request, options, { more, slices, ...rest }) => {
    const trading = await client(account, more);
    const asked = { ...request, ...(slices && { numSlices: slices, intervalSecs: 60 }), ...rest.request };
    return trading.build(await trading.quote(asked), { ...options, ...rest.options });
  };
  const built = (request, rest) => quoted(request, { slippageBps: 50 }, rest);
  const sell = ({ dollars }) => pair(weth, usdc, { amount: ether(dollars) });
  const buy = ({ dollars }) => pair(usdc, weth, { amount: ether(dollars), side: "BUY" });
  const there = token("USDC", elsewhere);
  return {
    "gasless sale": (_, how = {}) => built(sell(how), how),
    "gasless purchase": (_, how = {}) => built(buy(how), how),
    "gasless, in slices": (_, how = {}) => built(sell({ dollars: 9_000, ...how }), { slices: 3, ...how }),
    "across chains": (_, how = {}) => built({ ...sell(how), destChainId: elsewhere.chainId, destToken: there.address }, how),
    "Market sale": (_, how = {}) => built({ ...sell(how), mode: "MARKET" }, how),
    "Market purchase": (_, how = {}) => built({ ...buy(how), mode: "MARKET" }, how),
    "a limit of one's own": (_, how = {}) => quoted(sell(how), { limitAmount: units(1_000, usdc) }, how),
    "OTC fill": async (percent) => {
      const expiry = Math.floor(Date.now() / 1000) + 86_400;
      const decimals = { makerDecimals: usdc.decimals, takerDecimals: weth.decimals };
      const makerAmount = (units(3_000, usdc) * BigInt(100 - percent)) / 100n;
      const offer = { chainId: chain.chainId, makerAsset: usdc.address, takerAsset: weth.address, makerAmount, takerAmount: units(1, weth), taker: account, expiry, ...decimals };
      const build = await making.otc.build(offer);
      if (build.approval) await making.approve(build.approval, { amount: "unlimited" });
      return (await client(account)).otc.buildFill(await making.submit(build), decimals);
    },
  };
}

/** References without feeds, so that pools alone have prices. */
export const feedless = (references) => Object.fromEntries(Object.entries(references).map(([chain, of]) => [chain, { ...of, feeds: [] }]));

/**
 * A build's outcome: `refused` for an accusation, the verdict on what was built, the reason of the question that has to
 * be answered first, or the code of what stopped it without an accusation.
 */
export async function outcome(build) {
  try {
    const { report } = await build();
    // The receiver over a bridge, and a high slippage, are asked about at whatever price: the tables are about prices.
    const asked = report.questions.find(({ reason }) => !["receiverUnbound", "slippageHigh"].includes(reason));
    return asked?.reason ?? report.price.verdict;
  } catch (error) {
    if (error.code !== "VERIFY_MISMATCH") {
      // A token that enters a bridge needs its decimals, which were not read.
      const isUnread = error.field === "options.advanced.bridgeInputDecimals";
      assert.ok(isUnread || ["LOSS_TOO_HIGH", "NETWORK", "NO_ROUTE"].includes(error.code), error.stack);
      return error.code;
    }
    assert.match(error.field, /^(quote|order\.bridgeInput)\.price$/, error.message);
    return "refused";
  }
}

/** Rows of cells as a table of Markdown. */
export const tableOf = (rows) =>
  [rows[0], rows[0].map((_, place) => (place ? "--" : "---")), ...rows.slice(1)].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** Compares a table with that of a page of docs, or writes it there. */
export function held(name, table, place = "attacks") {
  const page = readFileSync(pageOf(place), "utf8");
  const [head, rest] = page.split(`<!-- ${name} -->\n`);
  const [published, ...tail] = rest.split("\n\n");
  if (process.env.WRITE) writeFileSync(pageOf(place), `${head}<!-- ${name} -->\n${[table, ...tail].join("\n\n")}`);
  else assert.equal(table, published.trimEnd());
}
