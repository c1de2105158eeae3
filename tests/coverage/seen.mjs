// What of the service's description was seen on the wire.
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
  "GET /v2/delta/agents/list/{chainId}": "agents",
  "GET /swap": "swap",
  "GET /chains": "chains",
  "GET /tokens/{chainId}": "tokens",
  "POST /ft/p2p/{chainId}": "otcPost",
  "GET /ft/order/{orderHash}": "otcOrder",
  "GET /ft/p2p/{chainId}/maker/{address}": "otcMaker",
  "GET /ft/p2p/{chainId}/taker/{address}": "otcTaker",
  "GET /ft/fillablebalance/{chainId}/{address}": "otcFillableBalance",
  "GET /ft/fillablebalance/{chainId}/{address}/{token}": "otcFillableBalance",
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

/** Whether an item is in a sandbox's record. */
export function seen({ requests, served }, [endpoint, kind, name]) {
  const sandboxName = NAMES[endpoint];
  const answered = requests.filter((request) => request.endpoint === sandboxName && request.status === 200);
  if (kind === "call") return answered.length > 0;
  if (kind === "query") return answered.some(({ query }) => name in query);
  if (kind === "body") return answered.some(({ body }) => name in JSON.parse(body));
  return (served[sandboxName] ?? []).some((path) => matches(path, name));
}

/** Post of OTC may wrap its order; a list's items are the order's own. */
function matches(path, name) {
  const plain = path.replace(/^order\//, "");
  return [path, plain].some((one) => one === name || one.startsWith(`${name}/`) || one.startsWith(`${name}[]`));
}
