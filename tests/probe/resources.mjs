/** Small reads whose shape is not documented, or documented in more than one. */
import { known } from "./known.mjs";
import { query, seen } from "./requests.mjs";
import { told } from "./service.mjs";

const ZERO = `0x${"00".repeat(20)}`;
const isAddress = (text) => /^0x[0-9a-f]{40}$/i.test(text);
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isId = (id) => /^[1-9][0-9]*$/.test(String(id));
const chainOf = (chain) => chain?.chainId ?? chain?.network ?? chain?.id;
const isToken = (token) => isAddress(token?.address) && Number.isInteger(token?.decimals) && typeof token?.symbol === "string";

function isEmpty(sent) {
  return !Object.keys(sent).length;
}

const CHAINS = {
  "empty": isEmpty,
  "a list of ids": (sent) => Array.isArray(sent) && sent.every(isId),
  "a list of objects with an id": (sent) => Array.isArray(sent) && sent.every((chain) => isId(chainOf(chain))),
  "a map by id": (sent) => isObject(sent) && Object.keys(sent).every(isId),
  "a list in an object": (sent) => isObject(sent) && Object.values(sent).some((member) => Array.isArray(member) && member.every((chain) => isId(chainOf(chain) ?? chain))),
};
const TOKENS = {
  "empty": (sent) => isEmpty(sent?.tokens ?? sent),
  "{ tokens: [...] }": (sent) => Array.isArray(sent?.tokens) && sent.tokens.every(isToken),
  "a bare list": (sent) => Array.isArray(sent) && sent.every(isToken),
  "a map": (sent) => isObject(sent) && Object.values(sent).every(isToken),
};
const ADAPTERS = {
  "names, with Delta": (sent) => isAddress(sent?.AugustusSwapper) && isAddress(sent?.ParaswapDelta),
  "names, without Delta": (sent) => isAddress(sent?.AugustusSwapper) && sent?.ParaswapDelta === undefined,
};
const CONTRACTS = {
  "empty": isEmpty,
  "chains by id": (sent) => isObject(sent?.chains) && Object.keys(sent.chains).every(isId),
  "by id, without `chains`": (sent) => isObject(sent) && Object.keys(sent).every(isId),
};
const FILLABLE = {
  "no keys": (sent) => isObject(sent) && !Object.keys(sent).length,
  "keys in lower case": (sent) => isMap(sent) && Object.keys(sent).every((key) => key === key.toLowerCase()),
  "keys with a checksum": (sent) => isMap(sent) && Object.keys(sent).some((key) => key !== key.toLowerCase()),
  "a bare amount": (sent) => /^[0-9]+$/.test(String(sent)),
};
const isMap = (sent) => isObject(sent) && Object.entries(sent).every(([key, amount]) => isAddress(key) && /^[0-9]+$/.test(amount));
const PAGE = ["limit", "offset", "total", "hasMore"];
const OTC_ORDER = "chainId nonceAndMeta expiry maker taker makerAsset takerAsset makerAmount takerAmount signature orderHash state type fillableBalance swappableBalance transactionHash".split(" ");
const OTC_LIST = {
  "{ orders, limit, offset, total, hasMore }": (sent) => Array.isArray(sent?.orders) && PAGE.every((name) => name in sent) && sent.orders.every(isOtcOrder),
  "{ orders } with less of the page": (sent) => Array.isArray(sent?.orders) && sent.orders.every(isOtcOrder),
  "a bare list": (sent) => Array.isArray(sent) && sent.every(isOtcOrder),
};
const isOtcOrder = (order) => OTC_ORDER.every((name) => name in order);

/** `[topic, path of the resource, its readings]`, for one chain and owner. */
const resources = ({ chainId, pair, owner }) => [
  ["shape of /chains", "/chains", CHAINS],
  ["shape of /fiat/tokens/{chainId}", `/fiat/tokens/${chainId}`, TOKENS],
  ["shape of /tokens/{chainId}", `/tokens/${chainId}`, TOKENS],
  ["shape of /adapters/contracts", `/adapters/contracts?chainId=${chainId}&version=6.2`, ADAPTERS],
  ["shape of /resources/contracts.json", "/resources/contracts.json", CONTRACTS],
  ["fillable balance", `/v2/delta/orders/fillablebalance/${chainId}/${owner}`, FILLABLE],
  ["fillable balance of one token", `/v2/delta/orders/fillablebalance/${chainId}/${owner}/${pair.source.address}`, FILLABLE],
  ["OTC fillable balance", `/ft/fillablebalance/${chainId}/${owner}`, FILLABLE],
  ["OTC fillable balance of one token", `/ft/fillablebalance/${chainId}/${owner}/${pair.source.address}`, FILLABLE],
  ["OTC list of a maker", `/ft/p2p/${chainId}/maker/${owner}`, OTC_LIST],
  ["OTC list for anyone", `/ft/p2p/${chainId}/taker/${ZERO}`, OTC_LIST],
];

export function readingsOfResources(subject) {
  const { ask, owner } = subject;
  return [
    ...resources(subject).map(([topic, path, readings]) => [topic, async () => known(seen(await ask(path)).json, readings)]),
    ["degenMode of a price", async () => {
      const priced = async (changes) => ask("/v2/delta/prices", { query: query(subject, { mode: undefined, ...changes }) });
      const [plain, degen] = [seen(await priced({})), await priced({ degenMode: true })];
      if (degen.status !== 200) return `refused: ${told(degen)}`;
      return known(degen.json, {
        "taken; the answer has the same members": (sent) => Object.keys(sent).sort().join() === Object.keys(plain.json).sort().join(),
      });
    }],
    ["Retry-After to a page", async () => {
      const { headers } = await ask("/chains", { headers: { origin: "https://app.example" } });
      const exposed = headers.get("access-control-expose-headers") ?? "";
      return /\*|retry-after/i.test(exposed) ? "exposed" : "not exposed, on an answer that is no 429";
    }],
    ...UNTOLD.map(([topic, why]) => [topic, async () => { throw new Error(why); }]),
  ];
}

/** Readings that need a signature or a transaction, which the probe does not do. */
const UNTOLD = [
  ["whether the native token has to be deposited", "`cargo xtask live` shows it, by a signed order"],
  ["meaning of degenMode", "only a signed order that is posted shows it"],
  ["status of a duplicate post", "only a signed order that is posted shows it"],
  ["answer of a cancellation", "only a signed one shows it"],
  ["answer of an OTC post", "only a signed order that is posted shows it"],
  ["signatures of accounts with code", "only a signed order that is posted shows it"],
  ["permits the router takes", "only a signed permit that is tried on chain shows it"],
  ["what OTC's fillable balance counts", "only the balance of a maker who has live orders shows it"],
  ["whether toAmount holds before the fee", "only a trade on chain shows it"],
];
