// `guard` of verified-swap/verify: an EIP-1193 provider around another. What is not known to read waits for the application's
// answer. Its parameters are copied before anything is awaited: the copy is what is explained, shown and forwarded.
import { agrees, tookPlace } from "./agreed.js";
import { written } from "./plain.js";
import { fault, inside, tradeError } from "./reading.js";
import { screen } from "./verified_swap_verify.js";
import { explain, verifyCancellation, verifyFill, verifyOrder, verifyOtc, verifyPermit, verifyTransaction } from "./verify-api.js";
import { hasModule } from "./verify-entry.js";

/** Methods that only read (execution API; EIP-1193, 2255, 5792), and the one that connects. Whatever is not here waits. */
const READS = /* @__PURE__ */ new Set(/* @__PURE__ */ [
  "eth_accounts", "eth_blobBaseFee", "eth_blockNumber", "eth_call", "eth_chainId", "eth_coinbase", "eth_createAccessList",
  "eth_estimateGas", "eth_feeHistory", "eth_gasPrice", "eth_getBalance", "eth_getBlockByHash", "eth_getBlockByNumber",
  "eth_getBlockReceipts", "eth_getBlockTransactionCountByHash", "eth_getBlockTransactionCountByNumber", "eth_getCode",
  "eth_getFilterChanges", "eth_getFilterLogs", "eth_getLogs", "eth_getProof", "eth_getStorageAt",
  "eth_getTransactionByBlockHashAndIndex", "eth_getTransactionByBlockNumberAndIndex", "eth_getTransactionByHash",
  "eth_getTransactionCount", "eth_getTransactionReceipt", "eth_maxPriorityFeePerGas", "eth_newBlockFilter", "eth_newFilter",
  "eth_newPendingTransactionFilter", "eth_protocolVersion", "eth_requestAccounts", "eth_simulateV1", "eth_subscribe",
  "eth_syncing", "eth_uninstallFilter", "eth_unsubscribe", "net_listening", "net_peerCount", "net_version",
  "wallet_getCallsStatus", "wallet_getCapabilities", "wallet_getPermissions", "wallet_showCallsStatus", "web3_clientVersion",
  "web3_sha3",
]);
/** Methods for which a wallet asks, and which neither sign nor send: no request of the user's says what they should be. */
const SETTINGS = /^wallet_((switch|add)EthereumChain|watchAsset|(request|revoke)Permissions)$/;
/** How many parameters are read of those methods that have more than one. */
const TWO = /^(eth_sign(TypedData(_v[34])?)?|personal_sign|eth_sendUserOperation)$/;

/** What a payload of each kind is for, by the words of the client. */
const PURPOSES = {
  "delta.order": "order", "delta.fillableOrder": "order", "delta.externalOrder": "order", "delta.twapOrder": "order",
  "delta.twapBuyOrder": "order", "delta.cancellation": "cancelOrders", "otc.order": "otc", "otc.fill": "fill",
  "erc20.approval": "approve", "market.swap": "market", "permit.dai": "permit", "permit.eip2612": "permit",
  "permit2.allowance": "permit", "permit2.transfer": "permit",
};
const VERIFIERS = { verifyOrder, verifyOtc, verifyPermit, verifyCancellation, verifyFill, verifyTransaction };
/** Those that take a transaction; the others take typed data. */
const OF_TRANSACTIONS = ["verifyFill", "verifyTransaction"];
/** The members of a transaction that are judged, or say nothing but gas. */
const MEMBERS = /^(from|to|value|data|input|chainId|gas|gasLimit|gasPrice|maxFeePerGas|maxPriorityFeePerGas|type)$/;
/** What a client of this package passes to a wallet, by its members: an agreement counts for nothing else. */
const OF_CLIENT = /^(chainId,data,from,to,value|(atomicRequired,)?calls,chainId,from,(id,)?version)$/;

const [REFUSED, UNAUTHORIZED, OTHER_CHAIN, BAD_REQUEST, BAD_PARAMS, INTERNAL] = [4001, 4100, 4901, -32600, -32602, -32603];

/** An error of EIP-1193. Its members are defined, as those of `tradeError` are. */
const failure = (code, message, cause) =>
  Object.defineProperties(new Error(message), Object.getOwnPropertyDescriptors({ name: "ProviderRpcError", code, ...(cause !== undefined && { cause }) }));

const isAddress = (value) => typeof value === "string" && /^0x[\da-f]{40}$/i.test(value);
const isBytes = (value) => typeof value === "string" && /^0x([\da-f]{2})*$/i.test(value);
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isSame = (one, other) => String(one).toLowerCase() === String(other).toLowerCase();
/** What the application stated, or what its function states now. */
const stated = (value) => (typeof value === "function" ? value() : value);

/** A number of JSON-RPC as decimal text; `undefined` for anything else. */
function decimal(value) {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return String(value);
  return typeof value === "string" && /^(0x[\da-f]{1,64}|\d{1,78})$/i.test(value) ? String(BigInt(value)) : undefined;
}

/** Whether a number is written as JSON-RPC has it. Digits without 0x are read as hex by some wallets. */
const isQuantity = (value) => typeof value === "string" && /^0x[\da-f]{1,64}$/i.test(value);

/** Whether a call has the very form in which a client of this package makes it. */
function isOfClient({ method, params }) {
  if (method === "eth_signTypedData_v4") return true;
  const [first] = Array.isArray(params) ? params : [];
  const names = (object) => (isObject(object) ? Object.keys(object).sort().join() : "");
  if (!OF_CLIENT.test(names(first)) || !isQuantity(first.chainId)) return false;
  if (method === "eth_sendTransaction") return isQuantity(first.value);
  const isAtomic = first.version === "1.0" ? first.atomicRequired === undefined : first.atomicRequired === true;
  return isAtomic && Array.isArray(first.calls) && first.calls.every((call) => names(call) === "data,to,value" && isQuantity(call.value));
}

/** JSON text as a value: each reader gets one of its own. */
const parsed = (text) => JSON.parse(text);

/** A copy of what a page passed, as JSON text. */
function copied(given) {
  try {
    return written(given, "request");
  } catch (cause) {
    throw failure(BAD_PARAMS, cause.message, cause);
  }
}

export function guard(provider, options) {
  const { onPrompt, request, context } = options ?? {};
  const send = provider?.request;
  if (!hasModule()) throw tradeError("verified-swap/verify: call `await init()` once before guard", { code: "INVALID_INPUT", field: "init" });
  if (typeof send !== "function") fault("provider", "an EIP-1193 provider", provider);
  if (typeof onPrompt !== "function") fault("options.onPrompt", "a function", onPrompt);
  for (const name of Object.keys(options)) {
    if (!["onPrompt", "request", "context"].includes(name)) fault(`options.${name}`, "no such option", options[name]);
  }
  /** A call of the wallet's: the only way to it. */
  const ask = async (call) => Reflect.apply(send, provider, [call]);

  /** The chain and the accounts that the wallet has now. */
  async function standing() {
    const [chain, offered] = await Promise.all([ask({ method: "eth_chainId" }), ask({ method: "eth_accounts" })]);
    const chainId = Number(decimal(chain));
    if (!Number.isSafeInteger(chainId) || !Array.isArray(offered)) throw failure(INTERNAL, "the wallet does not say its chain and its accounts");
    return { chainId, accounts: Array.from(offered, (one) => String(one).toLowerCase()).filter(isAddress) };
  }

  /** Lets a call through: at once if it reads, else once the application agreed. `text` is the copy of it. */
  async function pass(text) {
    const { method, params } = parsed(text) ?? {};
    if (typeof method !== "string") throw failure(BAD_REQUEST, "method: expected a text");
    if (method === "eth_requestAccounts") return ask({ method });
    const copy = JSON.stringify({ method, params });
    if (!READS.has(method)) await hold(copy);
    return ask(parsed(copy));
  }

  async function hold(copy) {
    const before = await standing();
    const refusing = (code, why) => (cause) => {
      throw cause?.name === "ProviderRpcError" ? cause : failure(code, `${why}: ${cause?.message ?? cause}`, cause);
    };
    const unexplained = refusing(REFUSED, "not explained, so not asked of the wallet");
    const prompt = await promptOf(copy, before).catch(unexplained);
    if (!isOfClient(parsed(copy)) || !tookPlace(onPrompt, prompt.parts)) {
      const { questions } = prompt;
      const answer = await (async () => onPrompt(prompt))().catch(refusing(REFUSED, "onPrompt failed"));
      if (!agrees(answer, questions)) {
        const isOpen = answer === true || Array.isArray(answer?.accept);
        throw failure(REFUSED, isOpen ? `a question is open: ${questions.map(({ text }) => text).join(" ")}` : "the user declined");
      }
    }
    const after = await standing();
    if (after.chainId !== before.chainId) throw failure(OTHER_CHAIN, `the wallet went from chain ${before.chainId} to ${after.chainId} in the meantime: ask again`);
    if (!isSame(after.accounts, before.accounts)) throw failure(UNAUTHORIZED, "the wallet has other accounts than before: ask again");
  }

  /** What the application is told of a call. Throws if a request is known, and the call is not what it asks for. */
  async function promptOf(copy, { chainId, accounts }) {
    const call = parsed(copy);
    const known = (await stated(context)) ?? {};
    const explanation = explain(call, { ...known, accounts: [...accounts, ...(known.accounts ?? [])], chainId });
    const asked = SETTINGS.test(call.method) ? undefined : await stated(request);
    const verified = asked === undefined || asked === null ? [] : verify([asked].flat(), call, chainId);
    const reports = verified.map(({ report }) => report);
    const list = Array.isArray(call.params) ? call.params : [];
    const isCut = list.length > (TWO.test(call.method) ? 2 : 1) && !/signAuthorizations?$/.test(call.method);
    const target = switchTarget(call);
    const [report] = reports;
    const hardware = screenOf(call);
    const parts = partsOf(call, hardware, explanation, chainId).map((part, at) => ({ ...part, sentence: reports[at]?.sentence ?? part.sentence }));
    const { eip712 = report?.digest, domainSeparator = report?.domainSeparator, calldata } = explanation.digests;
    const verdict = isCut || explanation.verdict === "unread" ? "unread" : "explained";
    // Plain JSON, as the client's: what is not there has no name.
    return parsed(JSON.stringify({
      purpose: target ? "switchChain" : verified[0]?.purpose ?? PURPOSES[explanation.kind] ?? explanation.kind,
      verdict: target ? "explained" : reports.length > 0 ? "verified" : verdict,
      sentence: target ? `Switch the wallet to chain ${target}` : reports.map(({ sentence }) => sentence).join("; ") || explanation.sentence,
      parts,
      questions: reports.flatMap(({ questions }) => questions),
      findings: [...explanation.findings, ...reports.flatMap(({ checks }) => checks.filter((check) => check.verdict !== "ok"))],
      digests: { eip712, domainSeparator, structHash: hardware?.messageHash, calldata },
      hardware,
      method: call.method,
      explanation,
      reports,
    }));
  }

  const api = {
    /** EIP-1193. */
    request: async (given) => pass(copied(given)),
    // Before EIP-1193, as MetaMask documents them.
    send: (first, second) =>
      typeof first === "string" ? respond(copied, { method: first, params: second }) : typeof second === "function" ? sendAsync(first, second) : respond(copied, first),
    sendAsync,
    enable: async () => ask({ method: "eth_requestAccounts" }),
  };
  const respond = async (copy, payload) => {
    const text = copy(payload);
    const { id = null } = parsed(text);
    return { id, jsonrpc: "2.0", result: await pass(text) };
  };
  function sendAsync(payload, done) {
    if (typeof done !== "function") fault("callback", "a function", done);
    const one = (call) => respond(JSON.stringify, call);
    const failed = ({ id = null }) => (error) => ({ id, jsonrpc: "2.0", error });
    const answered = (async () => {
      const calls = parsed(copied(payload));
      if (Array.isArray(calls) && !calls.every(isObject)) throw failure(BAD_REQUEST, "calls: expected objects");
      // Each of several is judged by itself.
      return Array.isArray(calls) ? Promise.all(calls.map((call) => one(call).catch(failed(call)))) : one(calls);
    })();
    answered.then((response) => done(null, response), (error) => done(error, failed({})(error)));
  }

  // An emitter calls a listener on itself, which is the provider: so it gets another one.
  const listeners = new WeakMap();
  const wrapped = (listener) => {
    if (typeof listener !== "function") fault("listener", "a function", listener);
    if (!listeners.has(listener)) listeners.set(listener, (...values) => void listener(...values));
    return listeners.get(listener);
  };
  for (const name of ["on", "addListener", "removeListener", "off"]) {
    if (typeof provider[name] !== "function") continue;
    api[name] = (event, listener) => {
      Reflect.apply(provider[name], provider, [event, wrapped(listener)]);
      return guarded;
    };
  }
  if (typeof provider.isConnected === "function") api.isConnected = () => Boolean(provider.isConnected());

  // Of the provider's own members only what is no object and no function: `isMetaMask`, `chainId`, `selectedAddress`.
  const plain = (name) => {
    const value = typeof name === "string" ? provider[name] : undefined;
    return ["string", "number", "boolean"].includes(typeof value) ? value : undefined;
  };
  const guarded = new Proxy(Object.freeze(api), {
    get: (own, name) => (name in own ? own[name] : plain(name)),
    has: (own, name) => name in own || plain(name) !== undefined,
  });
  return guarded;
}

/** The chain that a wallet is asked to switch to, and nothing else. */
function switchTarget({ method, params }) {
  if (method !== "wallet_switchEthereumChain" || !Array.isArray(params) || params.length !== 1) return undefined;
  const [target] = params;
  return isObject(target) && Object.keys(target).join() === "chainId" && isQuantity(target.chainId) ? decimal(target.chainId) : undefined;
}

/** The display of a hardware wallet for typed data; null for anything else, and for what two programs may read in two ways. */
function screenOf({ method, params }) {
  if (method !== "eth_signTypedData_v4" || !Array.isArray(params) || !isAddress(params[0]) || params.length !== 2) return null;
  const [, typed] = params;
  return parsed(inside(() => screen(typeof typed === "string" ? typed : JSON.stringify(typed)))).report ?? null;
}

/** What the wallet is given, in the form of the client's prompts; in the form of the call, if it is none of theirs. */
function partsOf({ method, params }, hardware, { sentence, inner }, chainId) {
  const other = [{ sentence, method, params }];
  const [first, second] = Array.isArray(params) ? params : [];
  const sent = (call, what, chain, from) => {
    const { to, value = "0x0", data = call.input ?? "0x" } = call;
    const amount = decimal(value);
    const isPlain = isAddress(from) && isAddress(to) && isBytes(data) && amount !== undefined && Object.keys(call).every((name) => MEMBERS.test(name));
    return isPlain && (call.input === undefined || call.input === data) && chain !== undefined && { sentence: what, from, chainId: Number(chain), to, value: amount, data };
  };
  const chainOf = (object) => (object.chainId === undefined ? chainId : decimal(object.chainId));
  if (hardware) return [{ sentence, from: first, typedData: typeof second === "string" ? parsed(second) : second }];
  if (!isObject(first) || params.length !== 1) return other;
  let parts = [];
  if (method === "eth_sendTransaction") parts = [sent(first, sentence, chainOf(first), first.from)];
  if (method === "wallet_sendCalls" && Array.isArray(first.calls) && first.capabilities === undefined) {
    parts = first.calls.map((call, at) => isObject(call) && sent(call, inner[at]?.sentence ?? sentence, chainOf(first), first.from));
  }
  return parts.length > 0 && parts.every(Boolean) ? parts : other;
}

/** Holds each payload of a call to what was asked for: `{ report, purpose }` of each. Throws UNAUTHORIZED with the reason. */
function verify(asked, call, chainId) {
  const [first, second, ...more] = Array.isArray(call.params) ? call.params : [];
  const refuse = (cause) => {
    throw failure(UNAUTHORIZED, cause.message, cause);
  };
  const differs = (field, expected, actual) =>
    tradeError(`not what was asked for: ${field}: expected ${expected}, got ${actual}`, { code: "VERIFY_MISMATCH", field, expected, actual });
  /** What was asked for and is not in this call yet: each counts for one payload of it. */
  const left = new Set(asked);
  const one = (payload, from, isOfKind) => {
    let reason;
    for (const wanted of [...left].filter(({ verifier }) => isOfKind(verifier))) {
      const { verifier, input } = wanted;
      const owner = input?.request?.account ?? input?.request?.maker ?? input?.request?.owner;
      try {
        const report = VERIFIERS[verifier]({ ...input, ...payload });
        if (owner !== undefined && !isSame(from, owner)) throw differs("signer", String(owner), String(from));
        left.delete(wanted);
        return { report, purpose: purposeOf(verifier, input) };
      } catch (error) {
        reason ??= error;
      }
    }
    return refuse(reason ?? differs("method", "what was asked for", call.method));
  };
  const sent = (transaction, chain, from) => {
    const extra = Object.keys(transaction).find((name) => !MEMBERS.test(name));
    if (extra !== undefined) refuse(differs(`transaction.${extra}`, "nothing", "a member that nobody asked for"));
    const { data = transaction.input ?? "0x", chainId = chain, value = "0x0" } = transaction;
    if (!isQuantity(value)) refuse(differs("transaction.value", "a number of JSON-RPC, 0x in front", String(value)));
    if (typeof chainId !== "number" && !isQuantity(chainId)) refuse(differs("transaction.chainId", "a number of JSON-RPC, 0x in front", String(chainId)));
    return one({ transaction: { ...transaction, from, data, chainId } }, from, (name) => OF_TRANSACTIONS.includes(name));
  };
  for (const { verifier } of asked) if (!Object.keys(VERIFIERS).includes(verifier)) fault("request.verifier", "the name of a verifier", verifier);
  if (call.method === "eth_signTypedData_v4" && isAddress(first) && more.length === 0) {
    return [one({ toSign: second }, first, (name) => !OF_TRANSACTIONS.includes(name))];
  }
  const isAlone = isObject(first) && second === undefined && call.params.length === 1;
  if (call.method === "eth_sendTransaction" && isAlone) return [sent(first, chainId, first.from)];
  if (call.method === "wallet_sendCalls" && isAlone && Array.isArray(first.calls) && first.calls.length > 0 && first.calls.every(isObject)) {
    const extra = Object.keys(first).find((name) => !/^(version|id|from|chainId|calls|atomicRequired)$/.test(name));
    if (extra !== undefined) refuse(differs(extra, "nothing", "a member that nobody asked for"));
    return first.calls.map((inner) => {
      if (inner.from !== undefined || inner.chainId !== undefined) refuse(differs("calls", "no sender and no chain of their own", "one"));
      return sent(inner, first.chainId ?? chainId, first.from);
    });
  }
  return refuse(differs("method", "eth_signTypedData_v4, eth_sendTransaction or wallet_sendCalls, as they are specified", call.method));
}

function purposeOf(verifier, input) {
  const of = { swap: "market", approval: "approve", revocation: "revoke", preSignature: "presign", withdrawal: "withdraw" };
  if (verifier === "verifyTransaction") return of[input.kind] ?? "cancel";
  return { verifyOrder: "order", verifyOtc: "otc", verifyPermit: "permit", verifyFill: "fill" }[verifier] ?? "cancelOrders";
}
