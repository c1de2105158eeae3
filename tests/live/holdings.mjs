/** The account's tokens in dollars: this is tried with little money. */
import { formatUnits, parseAbi } from "viem";

const MOST_DOLLARS = 50;
const ABI = parseAbi(["function balanceOf(address) view returns (uint256)"]);

/** `[{ symbol, units, worth }]` of the native token and those of the world; fails if one cannot be read. */
export async function readBalances(node, { tokens }, account) {
  const native = { symbol: "native token", units: formatUnits(await node.getBalance({ address: account }), 18), worth: "native" };
  const read = async ({ symbol, address, decimals, worth }) => {
    const held = await node.readContract({ address, abi: ABI, functionName: "balanceOf", args: [account] });
    return { symbol, units: formatUnits(held, decimals), worth };
  };
  return [native, ...(await Promise.all(tokens.map(read)))];
}

/**
 * The most that the balances are worth, in whole dollars, rounded up. `price` is the judgement of USDC against the wrapped
 * native token by pools and feeds, never the service's word. Refuses what has no price, and more than 50 dollars.
 */
export function checkHoldings(balances, price) {
  const asked = (price?.references ?? []).filter(({ by }) => by === "pools" || by === "feeds");
  const least = Math.min(...asked.map(({ lowestPrice }) => Number(lowestPrice)));
  const dollars = { dollar: 1, native: asked.length ? 1 / least : NaN };
  const worths = balances.map(({ symbol, units, worth }) => {
    const each = Number(units) === 0 ? 0 : dollars[worth] * Number(units);
    if (!(each >= 0 && each < Infinity)) throw new Error(`the account holds ${units} ${symbol}, which cannot be priced: refused`);
    return each;
  });
  const sum = Math.ceil(worths.reduce((all, each) => all + each, 0));
  if (sum > MOST_DOLLARS) throw new Error(`the account holds ${sum} dollars, more than ${MOST_DOLLARS}: use a key with less`);
  return sum;
}
