/** The request to the service: the usual trade, with what a reading changes of it. */
import { told } from "./service.mjs";
import { rawMember } from "./verbatim.mjs";

export const NATIVE = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";

export function query({ chainId, pair, owner }, changes) {
  const usual = {
    chainId,
    srcToken: pair.source.address,
    destToken: pair.destination.address,
    amount: pair.amount.toString(),
    srcDecimals: pair.source.decimals,
    destDecimals: pair.destination.decimals,
    mode: "DELTA",
    side: "SELL",
    userAddress: owner,
    partner: "anon",
  };
  return Object.fromEntries(Object.entries({ ...usual, ...changes }).filter(([, value]) => value !== undefined));
}

/** One whole native token, sold. */
export const native = ({ pair }) => ({ srcToken: NATIVE, srcDecimals: 18, amount: (10n ** 18n).toString(), ...otherThanWrapped(pair) });

/** Buys the other token of the pair, because the native token and its wrapper have no market. */
function otherThanWrapped({ source, destination }) {
  return destination.decimals === 18 ? { destToken: source.address, destDecimals: source.decimals } : {};
}

/** The token of the pair on another chain, or with `isNative` that chain's native token. */
export function crosschain({ pair }, isNative) {
  const { elsewhere } = pair;
  if (!elsewhere) throw new Error("no other chain is known to trade to");
  const [destToken, destDecimals] = isNative ? [NATIVE, 18] : [elsewhere.address, elsewhere.decimals];
  return { destChainId: elsewhere.chainId, destToken, destDecimals };
}

export async function quoted(subject, changes = {}) {
  const answer = seen(await subject.ask("/v2/quote", { query: query(subject, changes) }));
  if (!answer.json?.delta) throw new Error(`no delta block but ${Object.keys(answer.json ?? {})}`);
  return answer;
}

/** Builds on a fresh quote; the route goes back as it came, unless `change` alters it. */
export async function build(subject, more, changes = {}, change = (route) => route) {
  return buildOf(subject, await quoted(subject, changes), more, change);
}

/** Builds on an existing quote. */
export function buildOf(subject, { text }, more, change = (route) => route) {
  const deadline = Math.floor(Date.now() / 1000) + 1_200;
  const members = { owner: subject.owner, deadline, partner: "anon", side: "SELL", ...more };
  const body = `{"route":${change(rawMember(text, ["delta", "route"]))},${JSON.stringify(members).slice(1)}`;
  return subject.ask("/v2/delta/orders/build", { body });
}

/** The answer, where it is one. */
export function seen(answer) {
  if (answer.status !== 200 && answer.status !== 201) throw new Error(told(answer));
  return answer;
}
