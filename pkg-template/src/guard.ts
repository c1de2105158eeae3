// @ts-nocheck
// `guard` of verified-swap/verify: an EIP-1193 provider around another. What is not known to read waits for the application's
// answer. Its parameters are copied before anything is awaited: the wallet gets the form in which they were read. What comes back is a copy.
import { agrees, tookPlace } from "./agreed.ts";
import { MAX_DEPTH, MAX_VALUES, written } from "./plain.ts";
import { fault, inside, tradeError } from "./reading.ts";
import { explain as explainText, screen } from "./verified_swap_verify.js";
import { verifyCancellation, verifyFill, verifyOrder, verifyOtc, verifyPermit, verifyTransaction } from "./verify-api.ts";
import { hasModule } from "./verify-entry.ts";

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
/** The findings of a call that another program may read as another one, or as more: never what was asked for. */
const OTHERWISE = ["json.duplicate", "member.unread", "message.form", "number.form", "request.decoy"];

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
/** What a client of this package passes to a wallet, by its members: an agreement counts for nothing else. */
const OF_CLIENT = /^(chainId,data,from,to,value|(atomicRequired,)?calls,(capabilities,)?chainId,from,(id,)?version)$/;

const [REFUSED, UNAUTHORIZED, OTHER_CHAIN, BAD_REQUEST, BAD_PARAMS, INTERNAL] = [4001, 4100, 4901, -32600, -32602, -32603];

/** An error of EIP-1193. Its members are defined, as those of `tradeError` are. */
const failure = (code, message, cause) =>
  Object.defineProperties(new Error(message), Object.getOwnPropertyDescriptors({ name: "ProviderRpcError", code, ...(cause !== undefined && { cause }) }));

const isAddress = (value) => typeof value === "string" && /^0x[\da-f]{40}$/i.test(value);
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isSame = (one, other) => String(one).toLowerCase() === String(other).toLowerCase();
/** What the application stated, or what its function states now. */
const stated = (value) => (typeof value === "function" ? value() : value);

/** Whether a call, as it was read, has the very members with which a client of this package makes it. */
function isOfClient({ method, params: [first] }) {
  if (method === "eth_signTypedData_v4") return true;
  const names = (object) => (isObject(object) ? Object.keys(object).sort().join() : "");
  if (!OF_CLIENT.test(names(first))) return false;
  if (method === "eth_sendTransaction") return true;
  const isAtomic = first.version === "1.0" ? first.atomicRequired === undefined : first.atomicRequired === true;
  return isAtomic && first.calls.every((call) => names(call) === "data,to,value");
}

/** A copy of a wallet's answer, or of an event's value: no object of its own is handed out, and no function. */
function copyOf(value, left = MAX_DEPTH, room = { values: MAX_VALUES }) {
  if (["function", "symbol"].includes(typeof value)) return undefined;
  if (typeof value !== "object" || value === null) return value;
  // Also where it has itself inside.
  if (left === 0 || --room.values < 0) throw failure(INTERNAL, "what the wallet gives is nested too deeply, or too much");
  if (value instanceof Error) return errorOf(value, left, room);
  if (Array.isArray(value)) return Array.from(value, (one) => copyOf(one, left - 1, room));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyOf(member, left - 1, room)]));
}

/** A copy of a wallet's error, without what has no copy. */
function errorOf({ name, code, message, data }, left = MAX_DEPTH, room = undefined) {
  const maybe = (value) => {
    try {
      return copyOf(value, left - 1, room);
    } catch {
      return undefined;
    }
  };
  const [number, more] = [maybe(code), maybe(data)];
  const copy = { name: String(name), ...(more !== undefined && { data: more }) };
  return Object.defineProperties(failure(number, String(message)), Object.getOwnPropertyDescriptors(copy));
}

/** JSON text as a value: each reader gets one of its own. */
const parsed = (text) => JSON.parse(text);

/** The entry's `explain`, of a call that is plain data already. */
function explain(call, context) {
  const given = written({ ...context, now: context.now ?? Math.floor(Date.now() / 1000) }, "context");
  const { report, error, message } = parsed(inside(() => explainText(JSON.stringify(call), given)));
  if (error) throw tradeError(message, error);
  return report;
}

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
  const ask = async (call) => {
    try {
      return copyOf(await Reflect.apply(send, provider, [call]));
    } catch (error) {
      throw typeof error === "object" && error !== null ? errorOf(error) : error;
    }
  };
  /** How often each request is in use, or used up, by its text. */
  const used = new Map();

  /** The chain and the accounts that the wallet has now. */
  async function standing() {
    const [chain, offered] = await Promise.all([ask({ method: "eth_chainId" }), ask({ method: "eth_accounts" })]);
    const chainId = ["number", "string"].includes(typeof chain) ? Number(chain) : 0;
    if (!Number.isSafeInteger(chainId) || chainId <= 0 || !Array.isArray(offered)) throw failure(INTERNAL, "the wallet does not say its chain and its accounts");
    return { chainId, accounts: Array.from(offered, (one) => String(one).toLowerCase()).filter(isAddress) };
  }

  /** Lets a call through: at once if it reads, else once the application agreed. `text` is the copy of it. */
  async function pass(text) {
    const { method, params } = parsed(text) ?? {};
    if (typeof method !== "string") throw failure(BAD_REQUEST, "method: expected a text");
    if (method === "eth_requestAccounts") return ask({ method });
    const call = params === undefined ? { method } : { method, params };
    return READS.has(method) ? ask(call) : hold(call);
  }

  async function hold(call) {
    const before = await standing();
    const refusing = (code, why) => (cause) => {
      throw cause?.name === "ProviderRpcError" ? cause : failure(code, `${why}: ${cause?.message ?? cause}`, cause);
    };
    const { prompt, forwarded, giveBack } = await promptOf(call, before).catch(refusing(REFUSED, "not explained, so not asked of the wallet"));
    let isForwarded = false;
    try {
      if (oddOf(prompt.explanation) || !isOfClient(forwarded) || !tookPlace(onPrompt, prompt)) {
        // Plain JSON, as the client's: what is not there has no name.
        const answer = await (async () => onPrompt(parsed(JSON.stringify(prompt))))().catch(refusing(REFUSED, "onPrompt failed"));
        if (!agrees(answer, prompt.questions)) {
          const isOpen = answer === true || Array.isArray(answer?.accept);
          throw failure(REFUSED, isOpen ? `a question is open: ${prompt.questions.map(({ text }) => text).join(" ")}` : "the user declined");
        }
      }
      const after = await standing();
      if (after.chainId !== before.chainId) throw failure(OTHER_CHAIN, `the wallet went from chain ${before.chainId} to ${after.chainId} in the meantime: ask again`);
      if (!isSame(after.accounts, before.accounts)) throw failure(UNAUTHORIZED, "the wallet has other accounts than before: ask again");
      isForwarded = true;
      return await ask(forwarded);
    } catch (error) {
      // The wallet may have signed, and failed then: only its user's own no leaves the request to be used.
      if (!isForwarded || error?.code === REFUSED) giveBack();
      throw error;
    }
  }

  /**
   * The prompt of a call, and the call as the wallet is given it. Throws if a request is known, and the call is
   * not what it asks for. The requests that it is are in use until they are given back.
   */
  async function promptOf(call, { chainId, accounts }) {
    const known = (await stated(context)) ?? {};
    const asked = SETTINGS.test(call.method) ? undefined : await stated(request);
    const given = { ...known, accounts: [...accounts, ...(known.accounts ?? [])], chainId };
    const read = explain(call, given);
    const verified = asked === undefined || asked === null ? [] : verify([asked].flat(), read, call.method, { chainId, accounts }, used);
    // A call that could not be read is shown, and goes as it is.
    // Typed data that was verified goes as the text of its report: it has no member that is not signed.
    const text = verified[0]?.report.toSign;
    const forwarded = text ? { ...read.request, params: [read.request.params[0], text] } : read.request ?? call;
    const explanation = verified.length > 0 ? explain(forwarded, { ...given, ...knownBy(verified, given) }) : read;
    const reports = verified.map(({ report }) => report);
    const isRepeated = verified.some(({ isUsed }) => isUsed);
    const target = switchTarget(call);
    const [report] = reports;
    const hardware = screenOf(explanation);
    const parts = partsOf(forwarded, hardware, explanation, chainId).map((part, at) => ({ ...part, sentence: reports[at]?.sentence ?? part.sentence }));
    const { eip712 = report?.digest, domainSeparator = report?.domainSeparator, calldata } = explanation.digests;
    const prompt = {
      purpose: target ? "switchChain" : verified[0]?.purpose ?? PURPOSES[explanation.kind] ?? explanation.kind,
      verdict: reports.length > 0 && !isRepeated ? "verified" : target ? "explained" : explanation.verdict,
      sentence: target ? `Switch the wallet to chain ${target}` : reports.map(({ sentence }) => sentence).join("; ") || explanation.sentence,
      parts,
      // Any that are read are a paymaster's, which the sentence names.
      capabilities: explanation.facts.gasPaidBy ? forwarded.params[0].capabilities : null,
      questions: reports.flatMap(({ questions }) => questions),
      isRepeated,
      findings: explanation.findings,
      digests: { eip712, domainSeparator, structHash: hardware?.messageHash, calldata },
      hardware,
      method: call.method,
      explanation,
      reports,
    };
    // Nothing was awaited since they were found to be free.
    const count = (more) => verified.forEach(({ use }) => used.set(use, (used.get(use) ?? 0) + more));
    count(1);
    return { prompt, forwarded, giveBack: () => count(-1) };
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
    if (!listeners.has(listener)) listeners.set(listener, (...values) => void listener(...values.map((value) => copyOf(value))));
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
  const isPlain = isObject(target) && Object.keys(target).join() === "chainId" && /^0x[\da-f]{1,64}$/i.test(target.chainId);
  return isPlain ? String(BigInt(target.chainId)) : undefined;
}

/** The display of a hardware wallet for typed data; null for anything else, and for what two programs may read in two ways. */
function screenOf({ request }) {
  if (request?.method !== "eth_signTypedData_v4") return null;
  const [, typed] = request.params;
  return parsed(inside(() => screen(typeof typed === "string" ? typed : JSON.stringify(typed)))).report ?? null;
}

/** What the wallet is given, in the form of the client's prompts; in the form of the call, if it is none of theirs. */
function partsOf({ method, params }, hardware, explanation, chainId) {
  const { sentence, inner, request } = explanation;
  const [first = {}, second] = request ? params : [];
  if (hardware) return [{ sentence, from: first, typedData: typeof second === "string" ? parsed(second) : second }];
  const calls = { eth_sendTransaction: [first], wallet_sendCalls: first?.calls }[method] ?? [];
  const isPlain = ({ to, authorizationList }) => isAddress(to) && authorizationList === undefined;
  const isWhole = calls.length > 0 && (method === "eth_sendTransaction" || inner.length === calls.length) && isAddress(first.from);
  if (!isWhole || oddOf(explanation) || !calls.every(isPlain)) return [{ sentence, method, params }];
  return calls.map(({ to, value = "0x0", data = "0x" }, at) => ({
    sentence: (method === "wallet_sendCalls" && inner[at]?.sentence) || sentence, from: first.from,
    chainId: Number(first.chainId ?? chainId), to, value: String(BigInt(value)), data,
  }));
}

/** The first finding of a call, and of the calls of a batch, that says that it may be read otherwise; one of its own if it was not read. */
const oddOf = ({ findings, inner, request }) =>
  [{ findings }, ...inner].flatMap((one) => one.findings).find(({ id }) => OTHERWISE.includes(id)) ?? (request ? undefined : { id: "what cannot be read" });

/** The contracts and prices of the verified requests, for `explain`: it judges by what they were judged by. Of prices only the ratio counts. */
function knownBy(verified, known) {
  const inputs = verified.map(({ input }) => input);
  const contracts = Object.assign({}, known.contracts, ...inputs.map((input) => input.contracts));
  const { reference, request } = inputs.find((input) => input.reference) ?? {};
  if (!reference) return { contracts };
  const { chainId = known.chainId, destChainId } = request;
  const references = { [chainId]: { [reference.src]: reference.price } };
  references[destChainId ?? chainId] = { ...references[destChainId ?? chainId], [reference.dest]: "1" };
  return { contracts, references };
}

/** The text by which a request is the same one. The time, prices and readings may be stated anew each time. */
const useOf = ({ verifier, input }) => written(sorted({ verifier, kind: input?.kind, request: input?.request, orders: input?.orders }), "request");
/** The same value, with the members of objects in one order, without those that are not there, and addresses in small letters. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return isAddress(value) ? value.toLowerCase() : value;
  const names = Object.keys(value).filter((name) => value[name] !== undefined && value[name] !== null);
  return Object.fromEntries(names.sort().map((name) => [name, sorted(value[name])]));
}

/** Holds each payload of a call to what was asked for: for each the report, and the request that it uses. Throws UNAUTHORIZED with the reason. */
function verify(asked, explanation, method, { chainId, accounts }, used) {
  const refuse = (cause) => {
    throw failure(UNAUTHORIZED, cause.message, cause);
  };
  const differs = (field, expected, actual, code = "VERIFY_MISMATCH") =>
    tradeError(`not what was asked for: ${field}: expected ${expected}, got ${actual}`, { code, field, expected, actual });
  for (const { verifier } of asked) if (!Object.keys(VERIFIERS).includes(verifier)) fault("request.verifier", "the name of a verifier", verifier);
  const odd = oddOf(explanation);
  // This says nothing of who meant what.
  if (odd) refuse(differs(odd.field || "params", "what all wallets read, and in one way", odd.id, "SERVICE_MALFORMED"));
  const texts = asked.map(useOf);
  const isUsed = (use, at) => texts.slice(0, at).filter((one) => one === use).length < (used.get(use) ?? 0);
  const uses = asked.map((wanted, at) => ({ ...wanted, use: texts[at], isUsed: isUsed(texts[at], at) }));
  /** What was asked for and is not in this call yet: each counts for one payload of it. What is not used up comes first. */
  const left = new Set(uses.sort((one, other) => one.isUsed - other.isUsed));
  const one = (payload, from, isOfKind) => {
    let reason;
    for (const wanted of [...left].filter(({ verifier }) => isOfKind(verifier))) {
      const { verifier, input } = wanted;
      const owner = input?.request?.account ?? input?.request?.maker ?? input?.request?.owner;
      try {
        const report = VERIFIERS[verifier]({ ...input, ...payload });
        const isSigner = owner === undefined ? accounts.includes(String(from).toLowerCase()) : isSame(from, owner);
        if (!isSigner) throw differs("signer", String(owner ?? accounts), String(from));
        left.delete(wanted);
        return { ...wanted, report, purpose: purposeOf(verifier, input) };
      } catch (error) {
        reason ??= error;
      }
    }
    return refuse(reason ?? differs("method", "what was asked for", method));
  };
  const sent = ({ from, chainId: chain = chainId }, { data = "0x", ...call }) =>
    one({ transaction: { chainId: chain, ...call, from, data } }, from, (name) => OF_TRANSACTIONS.includes(name));
  const [first, second] = explanation.request.params;
  if (method === "eth_signTypedData_v4") return [one({ toSign: second }, first, (name) => !OF_TRANSACTIONS.includes(name))];
  if (method === "eth_sendTransaction") return [sent(first, first)];
  if (method === "wallet_sendCalls" && first.calls.length > 0) {
    // A paymaster is named once, behind the last call.
    const last = { ...first.calls.at(-1), capabilities: first.capabilities };
    return [...first.calls.slice(0, -1), last].map((call) => sent(first, call));
  }
  return refuse(differs("method", "eth_signTypedData_v4, eth_sendTransaction or wallet_sendCalls, as they are specified", method));
}

function purposeOf(verifier, input) {
  const of = { swap: "market", approval: "approve", revocation: "revoke", preSignature: "presign", withdrawal: "withdraw" };
  if (verifier === "verifyTransaction") return of[input.kind] ?? "cancel";
  return { verifyOrder: "order", verifyOtc: "otc", verifyPermit: "permit", verifyFill: "fill" }[verifier] ?? "cancelOrders";
}
