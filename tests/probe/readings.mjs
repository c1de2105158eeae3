/** Gaps in the service's documents, one reading each: `[topic, async () => what was seen]`. */
import { randomBytes } from "node:crypto";
import { types } from "./known.mjs";
import { NATIVE, build, native, query, quoted, seen } from "./requests.mjs";
import { shape, told } from "./service.mjs";

const ORIGIN = { origin: "https://app.example" };

export function readingsOfService({ ask }) {
  return [
    ["CORS on an answer", async () => cors(await ask("/chains", { headers: ORIGIN }))],
    ["CORS on an error", async () => cors(await ask("/v2/quote", { headers: ORIGIN }))],
    ["CORS preflight of POST", async () => {
      const headers = { ...ORIGIN, "access-control-request-method": "POST", "access-control-request-headers": "content-type" };
      const answer = await ask("/v2/delta/orders/build", { method: "OPTIONS", headers });
      return `${answer.status}, headers ${answer.headers.get("access-control-allow-headers")}, Max-Age ${answer.headers.get("access-control-max-age")}, ${cors(answer)}`;
    }],
  ];
}

export function readingsOfQuote(subject) {
  const { ask } = subject;
  return [
    ["delta block", async () => shape((await quoted(subject)).json.delta, 2)],
    ["partner of `anon`", async () => JSON.stringify((await quoted(subject)).json.delta.partner)],
    ["partner of a name nobody registered", async () => JSON.stringify((await quoted(subject, { partner: "probe-unregistered" })).json.delta.partner)],
    ["partner with partnerFeeBps 25", async () => JSON.stringify((await quoted(subject, { partnerFeeBps: 25 })).json.delta.partner)],
    ["slash before ?", async () => told(await ask("/v2/quote/", { query: query(subject, {}) }))],
    ["mode in lower case", async () => told(await ask("/v2/quote", { query: query(subject, { mode: "delta" }) }))],
    ["source token in lower case", async () => told(await ask("/v2/quote", { query: query(subject, { srcToken: subject.pair.source.address.toLowerCase() }) }))],
    ["native source, its casing in the answer", async () => {
      const { json } = await quoted(subject, native(subject));
      return `inputToken ${json.delta.inputToken?.address}, route ${json.delta.route.origin.input.token.address}`;
    }],
    ["mode ALL, one raw unit", async () => {
      const answer = await ask("/v2/quote", { query: query(subject, { amount: "1", mode: "ALL" }) });
      return answer.status === 200 ? `${Object.keys(answer.json)}; fallbackReason ${JSON.stringify(answer.json.fallbackReason)}` : told(answer);
    }],
    ["mode DELTA, one raw unit", async () => told(await ask("/v2/quote", { query: query(subject, { amount: "1" }) }))],
    ["alternatives on one chain", async () => shape((await quoted(subject)).json.delta.alternatives)],
    ["GET /v2/delta/prices", async () => answered(await ask("/v2/delta/prices", { query: query(subject, { mode: undefined }) }))],
    ["is-token-supported", async () => answered(await ask("/v2/delta/prices/is-token-supported", { query: { token: subject.pair.source.address, chainId: subject.chainId } }))],
    ["orders of an owner without any", async () => answered(await ask("/v2/delta/orders", { query: { userAddress: subject.owner, chainId: subject.chainId } }))],
    ["agents", async () => answered(await ask(`/v2/delta/agents/list/${subject.chainId}`))],
  ];
}

export function readingsOfBuild(subject) {
  const nonce = BigInt(`0x${randomBytes(32).toString("hex")}`).toString();
  const once = memo(async () => seen(await build(subject, { nonce, slippage: 50 })));
  const value = async () => (await once()).json.toSign.value;
  const of = async (member, more, changes) => seen(await build(subject, more, changes)).json.toSign.value[member];
  return [
    ["toSign", async () => shape((await once()).json.toSign, 2)],
    ["types, root first", async () => types((await once()).json.toSign)],
    ["EIP712Domain among the types", async () => String("EIP712Domain" in (await once()).json.toSign.types)],
    ["domain", async () => JSON.stringify((await once()).json.toSign.domain)],
    ["our nonce kept", async () => ((await value()).nonce === nonce ? "yes" : `no: ${(await value()).nonce}`)],
    ["kinds of JSON values", async () => shape(await value(), 2)],
    ["casing of srcToken in the order", async () => (await value()).srcToken],
    ["metadata left open", async () => `${bytes((await value()).metadata)} bytes: ${(await value()).metadata}`],
    ["metadata 0x1234 passed in", async () => String(await of("metadata", { metadata: "0x1234", slippage: 50 }))],
    ["permit left open", async () => (await value()).permit],
    ["expectedAmount against the route, slippage 50", async () => `${(await value()).expectedAmount}; destAmount ${(await value()).destAmount}`],
    ["partnerAndFee of `anon`", async () => partnerAndFee((await value()).partnerAndFee)],
    ["partnerAndFee with capSurplus false", async () => partnerAndFee(await of("partnerAndFee", { slippage: 50, capSurplus: false }))],
    ["partnerAndFee with partnerFeeBps 25", async () => partnerAndFee(await of("partnerAndFee", { slippage: 50, partnerFeeBps: 25, partnerAddress: subject.owner }))],
    ["beneficiary left open", async () => ((await value()).beneficiary.toLowerCase() === subject.owner ? "the owner" : (await value()).beneficiary)],
    ["bridge on one chain", async () => JSON.stringify((await value()).bridge)],
    ["a route that was parsed and written again", async () => told(await build(subject, { slippage: 50 }, {}, (route) => JSON.stringify(JSON.parse(route))))],
    ["deadline left out", async () => told(await build(subject, { slippage: 50, deadline: undefined }))],
  ];
}

export function readingsOfErrors(subject) {
  const { ask, chainId, owner } = subject;
  const quote = (changes) => async () => told(await ask("/v2/quote", { query: query(subject, changes) }));
  return [
    ["error: srcToken 0x0", quote({ srcToken: "0x0" })],
    ["error: native in lower case", quote({ srcToken: NATIVE.toLowerCase() })],
    ["error: the same token twice", quote({ destToken: subject.pair.source.address })],
    ["error: chain 999999", quote({ chainId: 999999 })],
    ["error: side FOO", quote({ side: "FOO" })],
    ["error: amount 0", quote({ amount: "0" })],
    ["error: amount -1", quote({ amount: "-1" })],
    ["error: amount 1e18", quote({ amount: "1e18" })],
    ["error: no srcDecimals", quote({ srcDecimals: undefined })],
    ["error: wrong srcDecimals", quote({ srcDecimals: 30 })],
    ["error: partnerFeeBps 201", quote({ partnerFeeBps: 201 })],
    ["error: a token without a market", quote({ srcToken: owner })],
    ["error: build, slippage 10001", async () => told(await build(subject, { slippage: 10001 }))],
    ["error: build, owner is no address", async () => told(await build(subject, { slippage: 50, owner: "0x12" }))],
    ["error: build, deadline passed", async () => told(await build(subject, { slippage: 50, deadline: 1 }))],
    ["error: build, route is {}", async () => told(await build(subject, { slippage: 50 }, {}, () => "{}"))],
    ["error: orders without userAddress", async () => told(await ask("/v2/delta/orders", { query: { chainId } }))],
    ["error: orders, limit 1001", async () => told(await ask("/v2/delta/orders", { query: { userAddress: owner, limit: 1001 } }))],
    ["error: order of an unknown id", async () => told(await ask("/v2/delta/orders/00000000-0000-4000-8000-000000000000"))],
    ["error: order of an unknown hash", async () => told(await ask(`/v2/delta/orders/hash/0x${"00".repeat(32)}`))],
    ["error: post of an empty object", async () => told(await ask("/v2/delta/orders", { body: "{}" }))],
    ["error: a path that does not exist", async () => told(await ask("/v2/delta/nothing"))],
  ];
}

const answered = (answer) => (answer.status === 200 ? shape(answer.json) : told(answer));

export function cors({ headers }) {
  return `allow-origin ${headers.get("access-control-allow-origin")}, exposed ${headers.get("access-control-expose-headers")}`;
}

/** Bits 0..7 fee, 8 takeSurplus, 9 capSurplus, 96..255 address. */
function partnerAndFee(text) {
  const bits = BigInt(text);
  const address = (bits >> 96n).toString(16).padStart(40, "0");
  return `fee ${bits & 255n} bps, takeSurplus ${(bits >> 8n) & 1n}, capSurplus ${(bits >> 9n) & 1n}, partner 0x${address}`;
}

const bytes = (hex) => (hex.length - 2) / 2;

function memo(work) {
  let promise;
  return () => (promise ??= work());
}
