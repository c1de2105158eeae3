// The service's description as seen on the wire, by the sandbox's record.
import { ENDPOINTS, RULES } from "./service.mjs";

/** The sandbox's names of the endpoints. */
const NAMES = {
  "GET /prices": "marketPrices",
  "POST /transactions/{chainId}": "transactions",
  "GET /v2/quote": "quote",
  "GET /v2/delta/prices": "prices",
  "GET /v2/delta/prices/bridge-routes": "bridgeRoutes",
  "GET /v2/delta/prices/bridge-protocols": "bridgeProtocols",
  "GET /v2/delta/prices/strategies/{chainId}": "strategies",
  "GET /v2/delta/prices/is-token-supported": "isTokenSupported",
  "POST /v2/delta/orders/build": "build",
  "POST /v2/delta/orders": "post",
  "POST /v2/delta/orders/cancel": "cancel",
  "GET /v2/delta/orders": "orders",
  "GET /v2/delta/orders/{orderId}": "order",
  "GET /v2/delta/orders/hash/{hash}": "orderByHash",
  "GET /v2/delta/orders/fillablebalance/{chainId}/{address}": "fillableBalance",
  "GET /v2/delta/orders/fillablebalance/{chainId}/{address}/{token}": "fillableBalance",
  "GET /v2/delta/agents/list/{chainId}": "agents",
  "GET /swap": "swap",
  "GET /chains": "chains",
  "GET /fiat/tokens/{chainId}": "fiatTokens",
  "GET /fiat/tokens/categories": "tokenCategories",
  "GET /tokens/{chainId}": "tokens",
  "POST /ft/p2p/{chainId}": "otcPost",
  "GET /ft/order/{orderHash}": "otcOrder",
  "GET /ft/p2p/{chainId}/maker/{address}": "otcMaker",
  "GET /ft/p2p/{chainId}/taker/{address}": "otcTaker",
  "GET /ft/fillablebalance/{chainId}/{address}": "otcFillableBalance",
  "GET /ft/fillablebalance/{chainId}/{address}/{token}": "otcFillableBalance",
  "GET /adapters/contracts": "contracts",
  "GET /resources/contracts.json": "contractsResource",
};

/** The error envelope, which any endpoint may answer with. */
const ENVELOPE = "error envelope";

/** Subjects of the rules whose every name has to be in the record, and where it keeps them. */
const KEPT = {
  "Delta status": ({ said }) => said.status,
  "OTC state": ({ said }) => said.state,
  "Delta order kind": ({ said }) => said.onChainOrderType,
  "error type": ({ errors }) => errors.map(({ errorType }) => (RULES["error type"].includes(errorType) ? errorType : "any other")),
  "status of a refusal": ({ errors }) => errors.map(({ status }) => String(status)),
};

/** Every item of the endpoints as `[endpoint, "query"|"body"|"member"|"call", name]`. */
export function items() {
  return Object.entries(ENDPOINTS).flatMap(([endpoint, { query = [], body = [], members = [] }]) => [
    [endpoint, "call", ""],
    ...query.map((name) => [endpoint, "query", name]),
    ...body.map((name) => [endpoint, "body", name]),
    ...members.map((name) => [endpoint, "member", name]),
  ]);
}

/** Every state, rule and limit as `[subject, "rule", name]`. */
export function rules() {
  return Object.entries(RULES).flatMap(([subject, names]) => names.map((name) => [subject, "rule", name]));
}

/** Whether an item is in a sandbox's record; a rule that no record can show is held by its test alone. */
export function seen(record, [subject, kind, name]) {
  if (kind === "rule") return !(subject in KEPT) || (KEPT[subject](record) ?? []).includes(name);
  const answered = record.requests.filter((request) => request.status === 200 && isOf(subject, request));
  if (kind === "call") return subject === ENVELOPE ? record.errors.length > 0 : answered.length > 0;
  if (kind === "query") return answered.some(({ query }) => name in query);
  if (kind === "body") return answered.some(({ body }) => name in JSON.parse(body));
  const served = subject === ENVELOPE ? record.errors.flatMap(({ members }) => members) : (record.served[NAMES[subject]] ?? []);
  return served.some((path) => matches(path, name));
}

/** Whether a request is one of that endpoint: by the sandbox's name, and by its method and path. */
function isOf(subject, { endpoint, method, path }) {
  if (!NAMES[subject] || NAMES[subject] !== endpoint) return false;
  return new RegExp(`^${subject.replace(/\{\w+\}/g, "[^/]+")}/?$`).test(`${method} ${path}`);
}

/** Post of OTC may wrap its order; a list's items are the order's own; `{token}` is any address, `{chainId}` any number. */
function matches(path, name) {
  const plain = path.replace(/^order\//, "").replace(/^0x[0-9a-fA-F]{40}/, "{token}").replace(/\/\d+\//, "/{chainId}/");
  return [path, plain].some((one) => one === name || one.startsWith(`${name}/`) || one.startsWith(`${name}[]`));
}
