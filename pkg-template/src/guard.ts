// `guard` of verified-swap/verify: an EIP-1193 provider around another. A call that is not known to only read waits for the
// application's answer. Its parameters are copied before anything is awaited: the wallet gets the form in which they were read. Each
// answer is a copy.
import { agrees, tookPlace } from "./agreed.ts";
import { answerOf, defined, membersOf, readAs, type Answer, type ErrorMembers } from "./module.ts";
import { MAX_DEPTH, MAX_VALUES, written } from "./plain.ts";
import { fault, inside, isObject, tradeError } from "./reading.ts";
import type { Address, Eip1193Provider, HardwareScreen, Hex, PromptPurpose } from "./types.ts";
import { explain as explainText, screen } from "./verified_swap_verify.js";
import type {
  Asked, ExplainContext, ExplainedKind, Explanation, GuardContext, GuardedProvider, GuardOptions, GuardPrompt, PairPrice, VerifyReport,
} from "./types/verify.ts";
import { verifyCancellation, verifyFill, verifyOrder, verifyOtc, verifyPermit, verifyTransaction } from "./verify-api.ts";
import { hasModule } from "./verify-entry.ts";

/** Methods that only read (execution API; EIP-1193, 2255, 5792), and the one that connects. All others wait. */
const READS = /* @__PURE__ */ new Set<unknown>(/* @__PURE__ */ [
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
/** Methods for which a wallet asks, and which neither sign nor send: no request of the user's states them. */
const SETTINGS = /^wallet_((switch|add)EthereumChain|watchAsset|(request|revoke)Permissions)$/;
/** The findings of a call that another program may read as another one, or as more: never what was asked for. */
const OTHERWISE = ["json.duplicate", "member.unread", "message.form", "number.form", "request.decoy"];

/** The purpose of a payload of each kind, by the words of the client. */
const PURPOSES: Partial<Record<ExplainedKind, PromptPurpose>> = {
  "delta.order": "order", "delta.fillableOrder": "order", "delta.externalOrder": "order", "delta.twapOrder": "order",
  "delta.twapBuyOrder": "order", "delta.cancellation": "cancelOrders", "otc.order": "otc", "otc.fill": "fill",
  "erc20.approval": "approve", "market.swap": "market", "permit.dai": "permit", "permit.eip2612": "permit",
  "permit2.allowance": "permit", "permit2.transfer": "permit",
};
type Verifier = Asked["verifier"];
const VERIFIERS: Record<Verifier, (input: object) => VerifyReport> =
  { verifyOrder, verifyOtc, verifyPermit, verifyCancellation, verifyFill, verifyTransaction };
/** Those that take a transaction; the others take typed data. */
const OF_TRANSACTIONS: readonly Verifier[] = ["verifyFill", "verifyTransaction"];
/** The members of a call that a client of this package passes to a wallet: an agreement counts for no other. */
const OF_CLIENT = /^(chainId,data,from,to,value|(atomicRequired,)?calls,(capabilities,)?chainId,from,(id,)?version)$/;

const [REFUSED, UNAUTHORIZED, OTHER_CHAIN, BAD_REQUEST, BAD_PARAMS, INTERNAL] = [4001, 4100, 4901, -32600, -32602, -32603];

/** A call of a wallet's. */
interface Call {
  method: string;
  params?: unknown;
}
/** The chain and the accounts that a wallet has. */
interface Standing {
  chainId: number;
  accounts: Address[];
}
/** The caller's knowledge beside a payload, with the wallet's chain and accounts. */
type Known = ExplainContext & Standing;
/** The members of a verifier's input that are read here. */
interface Input {
  kind?: string | undefined;
  contracts?: ExplainContext["contracts"];
  reference?: PairPrice | undefined;
  request?: { chainId?: number; destChainId?: number | undefined; account?: unknown; maker?: unknown; owner?: unknown };
  orders?: unknown;
}
/** A request, its text, and whether it is in use or used up. */
interface Use {
  verifier: Verifier;
  input: Input;
  use: string;
  isUsed: boolean;
}
/** A payload that is what a request asks for. */
interface Verified extends Use {
  report: VerifyReport;
  purpose: PromptPurpose;
}
/** How often each request is in use, or used up, by its text. */
type Uses = Map<string, number>;

/** An error of EIP-1193. Its members are defined, as those of `tradeError` are. */
const failure = (code: unknown, message: string, cause?: unknown) =>
  defined(new Error(message), { name: "ProviderRpcError", code, ...(cause !== undefined && { cause }) });

const isAddress = (value: unknown): value is Address => typeof value === "string" && /^0x[\da-f]{40}$/i.test(value);
const isSame = (one: unknown, other: unknown) => String(one).toLowerCase() === String(other).toLowerCase();

/** Whether a call, as it was read, has the very members with which a client of this package makes it. */
function isOfClient({ method, params }: Call): boolean {
  if (method === "eth_signTypedData_v4") return true;
  const first = membersOf(params)?.[0];
  const names = (object: unknown) => (isObject(object) ? Object.keys(object).sort().join() : "");
  if (!OF_CLIENT.test(names(first))) return false;
  if (method === "eth_sendTransaction") return true;
  const { version, atomicRequired, calls } = membersOf(first) ?? {};
  const isAtomic = version === "1.0" ? atomicRequired === undefined : atomicRequired === true;
  return isAtomic && Array.isArray(calls) && calls.every((call) => names(call) === "data,to,value");
}

/** A copy of a wallet's answer, or of an event's value: no object of its own is handed out, and no function. */
function copyOf(value: unknown, left = MAX_DEPTH, room = { values: MAX_VALUES }): unknown {
  if (["function", "symbol"].includes(typeof value)) return undefined;
  if (typeof value !== "object" || value === null) return value;
  // Also where it has itself inside.
  if (left === 0 || --room.values < 0) throw failure(INTERNAL, "what the wallet gives is nested too deeply, or too much");
  if (value instanceof Error) return errorOf(value, left, room);
  if (Array.isArray(value)) return Array.from(value, (one) => copyOf(one, left - 1, room));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyOf(member, left - 1, room)]));
}

/** A copy of a wallet's error, without the members that have no copy. */
function errorOf(error: object, left = MAX_DEPTH, room?: { values: number }) {
  const { name, code, message, data } = membersOf(error) ?? {};
  const maybe = (value: unknown) => {
    try {
      return copyOf(value, left - 1, room);
    } catch {
      return undefined;
    }
  };
  const [number, more] = [maybe(code), maybe(data)];
  return defined(failure(number, String(message)), { name: String(name), ...(more !== undefined && { data: more }) });
}

/** JSON text as a value: each reader gets one of its own. */
const parsed = (text: string): unknown => JSON.parse(text);

/** The entry's `explain`, of a call that is plain data already. */
function explain(call: Call, context: Known): Explanation {
  const given = written({ ...context, now: context.now ?? Math.floor(Date.now() / 1000) }, "context");
  const { report, error, message } = answerOf<Answer<Explanation>>(parsed(inside(() => explainText(JSON.stringify(call), given))));
  if (error) throw tradeError(message, error);
  return report;
}

/** A copy of what a page passed, as JSON text. */
function copied(given: unknown): string {
  try {
    return written(given, "request");
  } catch (cause) {
    throw failure(BAD_PARAMS, String(membersOf(cause)?.message), cause);
  }
}

export function guard(provider: Eip1193Provider, options: GuardOptions): GuardedProvider {
  const { onPrompt, request, context } = options ?? {};
  const send = provider?.request;
  if (!hasModule()) throw tradeError("verified-swap/verify: call `await init()` once before guard", { code: "INVALID_INPUT", field: "init" });
  if (typeof send !== "function") fault("provider", "an EIP-1193 provider", provider);
  if (typeof onPrompt !== "function") fault("options.onPrompt", "a function", onPrompt);
  for (const [name, value] of Object.entries(options)) {
    if (!["onPrompt", "request", "context"].includes(name)) fault(`options.${name}`, "no such option", value);
  }
  /** A call of the wallet's: the only way to it. */
  const ask = async (call: Call): Promise<unknown> => {
    try {
      return copyOf(await Reflect.apply(send, provider, [call]));
    } catch (error) {
      throw typeof error === "object" && error !== null ? errorOf(error) : error;
    }
  };
  const used: Uses = new Map();

  async function standing(): Promise<Standing> {
    const [chain, offered] = await Promise.all([ask({ method: "eth_chainId" }), ask({ method: "eth_accounts" })]);
    const chainId = ["number", "string"].includes(typeof chain) ? Number(chain) : 0;
    if (!Number.isSafeInteger(chainId) || chainId <= 0 || !Array.isArray(offered)) throw failure(INTERNAL, "the wallet does not say its chain and its accounts");
    return { chainId, accounts: Array.from(offered, (one) => String(one).toLowerCase()).filter(isAddress) };
  }

  /** Lets a call through: at once if it reads, else once the application agreed. `text` is the copy of it. */
  async function pass(text: string): Promise<unknown> {
    const { method, params } = membersOf(parsed(text)) ?? {};
    if (typeof method !== "string") throw failure(BAD_REQUEST, "method: expected a text");
    if (method === "eth_requestAccounts") return ask({ method });
    const call = params === undefined ? { method } : { method, params };
    return READS.has(method) ? ask(call) : hold(call);
  }

  async function hold(call: Call): Promise<unknown> {
    const before = await standing();
    const asked = async () => {
      // Stated once, or by a function for each prompt.
      const known = await (typeof context === "function" ? context() : context);
      const wanted = SETTINGS.test(call.method) ? undefined : await (typeof request === "function" ? request() : request);
      return promptOf(call, before, known ?? {}, wanted, used);
    };
    const { prompt, forwarded, giveBack } = await asked().catch(refusing("not explained, so not asked of the wallet"));
    let isForwarded = false;
    try {
      if (oddOf(prompt.explanation) || !isOfClient(forwarded) || !tookPlace(onPrompt, prompt)) {
        // Plain JSON, as the client's: a member that is not there has no name.
        const answer = await (async () => onPrompt(answerOf<GuardPrompt>(parsed(JSON.stringify(prompt)))))().catch(refusing("onPrompt failed"));
        if (!agrees(answer, prompt.questions)) throw failure(REFUSED, refusalOf(answer, prompt));
      }
      const after = await standing();
      if (after.chainId !== before.chainId) throw failure(OTHER_CHAIN, `the wallet went from chain ${before.chainId} to ${after.chainId} in the meantime: ask again`);
      if (!isSame(after.accounts, before.accounts)) throw failure(UNAUTHORIZED, "the wallet has other accounts than before: ask again");
      isForwarded = true;
      return await ask(forwarded);
    } catch (error) {
      // The wallet may have signed, and failed then: only its user's own no leaves the request to be used.
      if (!isForwarded || membersOf(error)?.code === REFUSED) giveBack();
      throw error;
    }
  }

  const api: GuardedProvider = {
    /** EIP-1193. */
    request: async (given) => pass(copied(given)),
    ...legacyOf(pass),
    enable: async () => ask({ method: "eth_requestAccounts" }),
  };
  Object.assign(api, eventsOf(provider, () => guarded));

  // Only texts, numbers and booleans among the provider's own members: `isMetaMask`, `chainId`, `selectedAddress`.
  const plain = (name: string | symbol) => {
    const value = typeof name === "string" ? membersOf(provider)?.[name] : undefined;
    return ["string", "number", "boolean"].includes(typeof value) ? value : undefined;
  };
  const guarded: GuardedProvider = new Proxy(Object.freeze(api), {
    get: (own, name) => (name in own ? Reflect.get(own, name) : plain(name)),
    has: (own, name) => name in own || plain(name) !== undefined,
  });
  return guarded;
}

/** Makes a failure an error of EIP-1193 that refuses, with the reason. */
const refusing = (why: string) => (cause: unknown): never => {
  const { name, message } = membersOf(cause) ?? {};
  throw name === "ProviderRpcError" ? cause : failure(REFUSED, `${why}: ${message ?? cause}`, cause);
};

/** The reason why an answer lets nothing through. */
function refusalOf(answer: unknown, { questions }: GuardPrompt): string {
  const isOpen = answer === true || Array.isArray(membersOf(answer)?.accept);
  return isOpen ? `a question is open: ${questions.map(({ text }) => text).join(" ")}` : "the user declined";
}

/** The calls from before EIP-1193, as MetaMask documents them, by `pass`. */
function legacyOf(pass: (text: string) => Promise<unknown>) {
  const respond = async (copy: (payload: unknown) => string, payload: unknown) => {
    const text = copy(payload);
    const { id = null } = membersOf(parsed(text)) ?? {};
    return { id, jsonrpc: "2.0" as const, result: await pass(text) };
  };
  function sendAsync(payload: unknown, done: unknown): void {
    if (typeof done !== "function") fault("callback", "a function", done);
    const one = (call: unknown) => respond(JSON.stringify, call);
    const failed = (call: unknown) => (error: unknown) => ({ id: membersOf(call)?.id ?? null, jsonrpc: "2.0", error });
    const answered = (async () => {
      const calls = parsed(copied(payload));
      if (!Array.isArray(calls)) return one(calls);
      if (!calls.every(isObject)) throw failure(BAD_REQUEST, "calls: expected objects");
      // Each of several is judged by itself.
      return Promise.all(calls.map((call) => one(call).catch(failed(call))));
    })();
    answered.then((response) => done(null, response), (error) => done(error, failed({})(error)));
  }
  function send(method: string | object, params?: unknown): ReturnType<typeof respond>;
  function send(payload: object, callback: (error: unknown, response: unknown) => void): void;
  function send(first: unknown, second?: unknown) {
    if (typeof first === "string") return respond(copied, { method: first, params: second });
    return typeof second === "function" ? sendAsync(first, second) : respond(copied, first);
  }
  return { send, sendAsync };
}

/** The methods of the provider's that add and remove listeners, as far as it has them; `self` is the guarded one, which they return. */
function eventsOf(provider: Eip1193Provider, self: () => GuardedProvider): object {
  // An emitter calls a listener on itself, which is the provider: so it gets another one.
  const listeners = new WeakMap<object, (...values: unknown[]) => void>();
  const wrapped = (listener: unknown) => {
    if (typeof listener !== "function") fault("listener", "a function", listener);
    const known = listeners.get(listener) ?? ((...values) => void listener(...values.map((value) => copyOf(value))));
    listeners.set(listener, known);
    return known;
  };
  const events: Record<string, unknown> = {};
  for (const name of ["on", "addListener", "removeListener", "off"]) {
    const change = membersOf(provider)?.[name];
    if (typeof change !== "function") continue;
    events[name] = (event: unknown, listener: unknown) => {
      Reflect.apply(change, provider, [event, wrapped(listener)]);
      return self();
    };
  }
  const isConnected = membersOf(provider)?.isConnected;
  if (typeof isConnected === "function") events.isConnected = () => Boolean(Reflect.apply(isConnected, provider, []));
  return events;
}

/**
 * The prompt of a call, and the call as the wallet is given it. Throws if a request is known, and the call is
 * not what it asks for. The requests that it is are in use until they are given back.
 */
function promptOf(
  call: Call, { chainId, accounts }: Standing, known: GuardContext, asked: Asked | Asked[] | null | undefined, used: Uses,
): { prompt: GuardPrompt; forwarded: Call; giveBack: () => void } {
  const given = { ...known, accounts: [...accounts, ...(known.accounts ?? [])], chainId };
  const read = explain(call, given);
  const verified = asked == null ? [] : verify([asked].flat(), read, call.method, { chainId, accounts }, used);
  // A call that could not be read is shown, and goes as it is.
  // Typed data that was verified goes as the text of its report: it has no member that is not signed.
  const text = verified[0]?.report.toSign;
  const forwarded = text && read.request ? { ...read.request, params: [read.request.params[0], text] } : read.request ?? call;
  const explanation = verified.length > 0 ? explain(forwarded, { ...given, ...knownBy(verified, given) }) : read;
  const reports = verified.map(({ report }) => report);
  const isRepeated = verified.some(({ isUsed }) => isUsed);
  const target = switchTarget(call);
  const [report] = reports;
  const hardware = screenOf(explanation);
  const parts = partsOf(forwarded, hardware, explanation, chainId).map((part, at) => ({ ...part, sentence: reports[at]?.sentence ?? part.sentence }));
  const { eip712 = report?.digest, domainSeparator = report?.domainSeparator, calldata } = explanation.digests;
  const prompt: GuardPrompt = {
    purpose: target ? "switchChain" : verified[0]?.purpose ?? PURPOSES[explanation.kind] ?? explanation.kind,
    verdict: reports.length > 0 && !isRepeated ? "verified" : target ? "explained" : explanation.verdict,
    sentence: target ? `Switch the wallet to chain ${target}` : reports.map(({ sentence }) => sentence).join("; ") || explanation.sentence,
    parts,
    // Any that are read are a paymaster's, which the sentence names.
    capabilities: explanation.facts.gasPaidBy ? readAs<GuardPrompt["capabilities"]>(membersOf(membersOf(forwarded.params)?.[0])?.capabilities) : null,
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
  const count = (more: number) => verified.forEach(({ use }) => used.set(use, (used.get(use) ?? 0) + more));
  count(1);
  return { prompt, forwarded, giveBack: () => count(-1) };
}

/** The chain that a wallet is asked to switch to, and nothing else. */
function switchTarget({ method, params }: Call): string | undefined {
  if (method !== "wallet_switchEthereumChain" || !Array.isArray(params) || params.length !== 1) return undefined;
  const [target] = params;
  if (!isObject(target) || Object.keys(target).join() !== "chainId") return undefined;
  const id = String(target.chainId);
  return /^0x[\da-f]{1,64}$/i.test(id) ? String(BigInt(id)) : undefined;
}

/** The display of a hardware wallet for typed data; null for anything else, and for what two programs may read in two ways. */
function screenOf({ request }: Explanation): HardwareScreen | null {
  if (request?.method !== "eth_signTypedData_v4") return null;
  const [, typed] = request.params;
  const text = inside(() => screen(typeof typed === "string" ? typed : JSON.stringify(typed)));
  return answerOf<Partial<Answer<HardwareScreen>>>(parsed(text)).report ?? null;
}

/** The parts of the prompt, in the form of the client's prompts; in the form of the call, if it is none of theirs. */
function partsOf({ method, params }: Call, hardware: HardwareScreen | null, explanation: Explanation, chainId: number): GuardPrompt["parts"] {
  const { sentence, inner, request } = explanation;
  const [first, second]: unknown[] = request && Array.isArray(params) ? params : [];
  if (hardware) return [{ sentence, from: readAs<Address>(first), typedData: readAs<object>(typeof second === "string" ? parsed(second) : second) }];
  const { from, chainId: chain, calls: several } = membersOf(first) ?? {};
  const calls = method === "eth_sendTransaction" ? [first] : method === "wallet_sendCalls" && Array.isArray(several) ? several : [];
  const isPlain = (call: unknown) => isAddress(membersOf(call)?.to) && membersOf(call)?.authorizationList === undefined;
  const isWhole = calls.length > 0 && (method === "eth_sendTransaction" || inner.length === calls.length);
  if (!isWhole || !isAddress(from) || oddOf(explanation) || !calls.every(isPlain)) return [{ sentence, method, params }];
  return calls.map((call, at) => {
    const { to, value = "0x0", data = "0x" } = readAs<{ to: Address; value?: Hex; data?: Hex }>(call);
    return {
      sentence: (method === "wallet_sendCalls" && inner[at]?.sentence) || sentence, from,
      chainId: Number(chain ?? chainId), to, value: String(BigInt(value)), data,
    };
  });
}

/** The first finding of a call, and of the calls of a batch, by which it may be read otherwise; one of its own if it was not read. */
const oddOf = ({ findings, inner, request }: Explanation): { id: string; field?: string } | undefined =>
  [{ findings }, ...inner].flatMap((one) => one.findings).find(({ id }) => OTHERWISE.includes(id)) ?? (request ? undefined : { id: "what cannot be read" });

/** The contracts and prices of the verified requests, for `explain`: it judges by the same. Only the ratio of prices counts. */
function knownBy(verified: readonly Verified[], known: Known): Pick<ExplainContext, "contracts" | "references"> {
  const inputs = verified.map(({ input }) => input);
  const contracts = Object.assign({}, known.contracts, ...inputs.map((input) => input.contracts));
  const { reference, request } = inputs.find((input) => input.reference) ?? {};
  if (!reference) return { contracts };
  const { chainId = known.chainId, destChainId } = request ?? {};
  const references: ExplainContext["references"] = { [chainId]: { [reference.src]: reference.price } };
  references[destChainId ?? chainId] = { ...references[destChainId ?? chainId], [reference.dest]: "1" };
  return { contracts, references };
}

/** The text by which a request is the same one. The time, prices and readings may be stated anew each time. */
const useOf = ({ verifier, input }: Pick<Use, "verifier" | "input">): string => written(sorted({ verifier, kind: input?.kind, request: input?.request, orders: input?.orders }), "request");
/** The same value, with the members of objects in one order, without those that are not there, and addresses in small letters. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return isAddress(value) ? value.toLowerCase() : value;
  const names = Object.keys(value).filter((name) => value[name] !== undefined && value[name] !== null);
  return Object.fromEntries(names.sort().map((name) => [name, sorted(value[name])]));
}

/** Holds each payload of a call to what was asked for: for each the report, and the request that it uses. Throws UNAUTHORIZED with the reason. */
function verify(
  asked: readonly Pick<Use, "verifier" | "input">[], explanation: Explanation, method: string, { chainId, accounts }: Standing, used: Uses,
): Verified[] {
  const refuse = (cause: unknown): never => {
    throw failure(UNAUTHORIZED, String(membersOf(cause)?.message), cause);
  };
  const differs = (field: string, expected: string, actual: string, code: ErrorMembers["code"] = "VERIFY_MISMATCH") =>
    tradeError(`not what was asked for: ${field}: expected ${expected}, got ${actual}`, { code, field, expected, actual });
  for (const { verifier } of asked) if (!Object.keys(VERIFIERS).includes(verifier)) fault("request.verifier", "the name of a verifier", verifier);
  const odd = oddOf(explanation);
  // No accusation: another program may read it otherwise, whatever was meant.
  if (odd) refuse(differs(odd.field || "params", "what all wallets read, and in one way", odd.id, "SERVICE_MALFORMED"));
  const texts = asked.map((wanted) => ({ ...wanted, use: useOf(wanted) }));
  const uses = texts.map((wanted, at): Use => {
    const before = texts.slice(0, at).filter(({ use }) => use === wanted.use);
    return { ...wanted, isUsed: before.length < (used.get(wanted.use) ?? 0) };
  });
  /** The requests that are not in this call yet: each counts for one payload of it. Those that are not used up come first. */
  const left = new Set(uses.sort((one, other) => +one.isUsed - +other.isUsed));
  const one = (payload: object, from: unknown, isOfKind: (verifier: Verifier) => boolean): Verified => {
    let reason: unknown;
    for (const wanted of [...left].filter(({ verifier }) => isOfKind(verifier))) {
      const { verifier, input } = wanted;
      const owner = input?.request?.account ?? input?.request?.maker ?? input?.request?.owner;
      try {
        const report = VERIFIERS[verifier]({ ...input, ...payload });
        const isSigner = owner === undefined ? accounts.some((account) => isSame(account, from)) : isSame(from, owner);
        if (!isSigner) throw differs("signer", String(owner ?? accounts), String(from));
        left.delete(wanted);
        return { ...wanted, report, purpose: purposeOf(verifier, input) };
      } catch (error) {
        reason ??= error;
      }
    }
    return refuse(reason ?? differs("method", "what was asked for", method));
  };
  const [first, second] = explanation.request?.params ?? [];
  const { from, chainId: chain = chainId, calls, capabilities } = membersOf(first) ?? {};
  const sent = (given: unknown) => {
    const { data = "0x", ...call } = membersOf(given) ?? {};
    return one({ transaction: { chainId: chain, ...call, from, data } }, from, (name) => OF_TRANSACTIONS.includes(name));
  };
  if (method === "eth_signTypedData_v4") return [one({ toSign: second }, first, (name) => !OF_TRANSACTIONS.includes(name))];
  if (method === "eth_sendTransaction") return [sent(first)];
  if (method === "wallet_sendCalls" && Array.isArray(calls) && calls.length > 0) {
    // A paymaster is named once, behind the last call.
    return [...calls.slice(0, -1), { ...calls.at(-1), capabilities }].map(sent);
  }
  return refuse(differs("method", "eth_signTypedData_v4, eth_sendTransaction or wallet_sendCalls, as they are specified", method));
}

function purposeOf(verifier: Verifier, { kind }: Input): PromptPurpose {
  const purposes: Record<string, PromptPurpose> = {
    swap: "market", approval: "approve", revocation: "revoke", preSignature: "presign", withdrawal: "withdraw",
    verifyOrder: "order", verifyOtc: "otc", verifyPermit: "permit", verifyFill: "fill", verifyCancellation: "cancelOrders",
  };
  return purposes[verifier === "verifyTransaction" ? String(kind) : verifier] ?? "cancel";
}
