import type { ExplainCall } from "verified-swap/verify";
import { type Json, type JsonObject, isObject, parsed } from "./json.ts";

/** The account that signs a message, where none is stated: what a message says is the same for each. */
export const ANY_ACCOUNT = "0x0000000000000000000000000000000000000000";

/** A payload in the form of `explain`, as far as it is complete. */
export interface Payload {
  /** The form that it was read as, for people. */
  form: string;
  /** The call, for an account that signs; where the payload names its own, that one stays. */
  call(account: string): ExplainCall;
  /** The chain that stands beside the payload, outside of what is signed. */
  chainId?: number | undefined;
  /** The hash by which the payload is called where it was copied. */
  statedHash?: string | undefined;
}

/** One way to read a text that can be read in several, or only with something that it lacks. */
export interface Choice {
  id: string;
  label: string;
  /** The missing member, which the user states: the contract that is called, or the chain. */
  needs?: "contract" | "chain";
  payload(given: string): Payload;
}

export type Reading =
  | { is: "empty" }
  | { is: "payload"; payload: Payload }
  | { is: "question"; text: string; choices: Choice[] }
  | { is: "unreadable"; reason: string };

const unreadable = (reason: string): Reading => ({ is: "unreadable", reason });
const read = (payload: Payload): Reading => ({ is: "payload", payload });
const isHex = (text: unknown): text is string => typeof text === "string" && /^0x([0-9a-f]{2})*$/i.test(text);
const isAddress = (text: unknown): text is string => typeof text === "string" && /^0x[0-9a-f]{40}$/i.test(text);
const bytesOf = (text: string): string => `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;

/** Reads a pasted text. A text with several meanings, or without a member that decides its meaning, becomes a question. */
export function readPasted(pasted: string): Reading {
  const text = pasted.trim();
  if (!text) return { is: "empty" };
  if (/^0x[0-9a-f]*$/i.test(text)) return readHex(text);
  const json = /^[[{"]/.test(text) ? parsed(text) : undefined;
  if (json && typeof json.value === "string") {
    // A request as the text in a log, or as an argument in code. Other words in quotes keep them.
    return /^\s*([[{]|0x)/.test(json.value) ? readPasted(json.value) : asText(text, pasted);
  }
  if (json) return readJson(json.value, text, json.lost);
  if (/^[[{]/.test(text)) return unreadable("It begins like JSON, and is none. A part may be missing.");
  return asText(text, pasted);
}

function asText(text: string, whole = text): Reading {
  const choices = [message("text", "A text that is to be signed (personal_sign)", bytesOf(whole))];
  // Explorers and logs leave 0x out.
  if (/^([0-9a-f]{2}){4,}$/i.test(text)) {
    choices.push({ ...message("digits", "Bytes to sign as a message, with 0x left out", `0x${text}`) }, calldata(`0x${text}`));
    if (isRawTransaction(`0x${text}`)) choices.push(rawTransaction(`0x${text}`));
  }
  return { is: "question", text: "This is neither JSON nor hex with 0x. What is it?", choices };
}

function message(id: string, label: string, bytes: string): Choice {
  const payload: Payload = { form: `a message to sign (personal_sign), ${(bytes.length - 2) / 2} bytes`, call: (account) => ({ kind: "message", bytes: hex(bytes), account: hex(account) }) };
  return { id, label, payload: () => payload };
}

const calldata = (data: string): Choice => ({
  id: "calldata",
  label: "Calldata of a transaction to this contract",
  needs: "contract",
  payload: (to) => ({ form: "calldata of a transaction", call: () => ({ method: "eth_sendTransaction", params: [{ to, data }] }) }),
});

const rawTransaction = (raw: string): Choice => ({ id: "raw", label: "A raw transaction", payload: () => ({ form: "a raw transaction", call: () => ({ raw: hex(raw) }) }) });

/** The published types have `0x` in front. */
const hex = (text: string): `0x${string}` => `0x${text.slice(2)}`;

function readHex(text: string): Reading {
  const digits = text.length - 2;
  if (digits === 0) return unreadable("These are no bytes at all.");
  if (digits % 2 === 1) return unreadable("The number of its digits is odd: one is missing, or one too many.");
  const asMessage = message("bytes", "A message of these bytes (personal_sign)", text);
  if (digits === 64) {
    const bare: Payload = { form: "a bare hash to sign (eth_sign)", call: (account) => ({ method: "eth_sign", params: [account, text] }) };
    return {
      is: "question",
      text: "These are 32 bytes, as a hash has them. If it names a transaction that was sent already, paste that transaction: this page looks none up. What does the wallet ask for?",
      choices: [{ id: "hash", label: "To sign this hash as it is (eth_sign)", payload: () => bare }, asMessage],
    };
  }
  if (isAddress(text)) return { is: "question", text: "This is an address, or 20 bytes that look like one. Does the wallet ask to sign them?", choices: [asMessage] };
  const choices = [asMessage];
  if (isRawTransaction(text)) choices.unshift(rawTransaction(text));
  if (digits >= 8) choices.push(calldata(text));
  return { is: "question", text: "This is hex. Bytes do not say what they are for: what does the wallet ask for?", choices };
}

/** Whether the bytes are one list of RLP, with or without a type of transaction before it (EIP-2718). */
function isRawTransaction(text: string): boolean {
  const bytes = text.slice(2).match(/../g)?.map((byte) => Number.parseInt(byte, 16)) ?? [];
  const at = (bytes[0] ?? 0) < 0x80 ? 1 : 0;
  const head = bytes[at] ?? 0;
  if (head < 0xc0) return false;
  const ofLength = Math.max(head - 0xf7, 0);
  const length = ofLength ? bytes.slice(at + 1, at + 1 + ofLength).reduce((sum, byte) => sum * 256 + byte, 0) : head - 0xc0;
  return at + 1 + ofLength + length === bytes.length;
}

/** The members by each of which a value is one request: the module finds what has two of them. */
const SHAPES = ["method", "raw", "signature", "transaction", "kind"];

function readJson(value: Json, text: string, lost: string | undefined): Reading {
  if (isObject(value) && isTypedData(value) && "message" in value) return readTypedData(text);
  // From here on the text itself is not passed on, only what JSON.parse made of it.
  if (lost) return unreadable(`It cannot be read in one way: ${lost}.`);
  if (Array.isArray(value)) return readList(value);
  if (!isObject(value)) return unreadable("This is JSON, and no request.");
  const { method, params, request, chainId } = value;
  const shapes = SHAPES.filter((name) => (value[name] ?? undefined) !== undefined);
  if (shapes.length > 1) return read({ form: `several requests in one: ${shapes.join(", ")}`, call: () => ({ ...value, method: String(method) }) });
  if (isSession(params)) return readJson(params, text, lost);
  if (typeof method === "string") return read({ form: `a request: ${method.slice(0, 60)}`, call: () => ({ method, params: params ?? [] }) });
  if (!shapes.length && isSession(value) && isObject(request)) {
    const inner = readJson(request, text, lost);
    const stated = /^eip155:(\d+)$/.exec(String(chainId))?.[1];
    return inner.is === "payload" && stated ? read({ ...inner.payload, chainId: Number(stated) }) : inner;
  }
  // The published shapes of a Snap's callbacks: the module reads them, whatever they have.
  if (isObject(value.signature)) return asGiven("what a Snap is shown of a signature", value);
  if (isObject(value.transaction) && "chainId" in value) return asGiven("what a Snap is shown of a transaction", value);
  if (typeof value.raw === "string" && isHex(value.raw)) return read(rawTransaction(value.raw).payload(""));
  if (isTypedData(value)) return readLibraryData(value);
  if (Array.isArray(value.calls)) return read({ form: "a batch of calls (wallet_sendCalls)", call: () => ({ method: "wallet_sendCalls", params: [value] }) });
  if (Array.isArray(value.transactions)) return readSafeBatch(value, value.transactions);
  const inner = isObject(value.data) ? value.data : value;
  if ("operation" in inner && "nonce" in inner && "to" in inner) return readSafeTransaction(value, inner);
  if ("callData" in value && "sender" in value) {
    return read({ form: "a user operation (ERC-4337), for an entry point that is not stated", call: () => ({ method: "eth_sendUserOperation", params: [value] }) });
  }
  const isTransaction = !isObject(value.data) && ["data", "input", "value", "gas", "gasLimit"].some((name) => name in value) && ["to", "from", "data", "input"].some((name) => name in value);
  if (isTransaction) return read({ form: "a transaction, as a wallet is given it (eth_sendTransaction)", call: () => ({ method: "eth_sendTransaction", params: [value] }) });
  return unreadable("This is JSON, but neither a request nor anything that a wallet signs or sends.");
}

/** WalletConnect's `session_request`, or its parameters. */
const isSession = (value: Json | undefined): value is JsonObject => isObject(value) && isObject(value.request) && typeof value.request.method === "string";

const isTypedData = (value: JsonObject): boolean => isObject(value.types) && isObject(value.domain);

/** A wallet is given the text, so the module reads the text: it finds what programs read in different ways. */
const readTypedData = (text: string): Reading => read({ form: "typed data (eth_signTypedData_v4)", call: (account) => ({ method: "eth_signTypedData_v4", params: [account, text] }) });

/** The arguments of ethers' `signTypedData`, from which the library makes typed data: it adds the domain's type and the first type's name. */
function readLibraryData({ domain, types, primaryType, value }: JsonObject): Reading {
  if (!isObject(domain) || !isObject(types) || value === undefined) return unreadable("This is typed data without a message.");
  const used = JSON.stringify(Object.values(types));
  const roots = Object.keys(types).filter((name) => name !== "EIP712Domain" && !new RegExp(`"type":"${name.replace(/\W/g, "\\$&")}[["]`).test(used));
  const root = typeof primaryType === "string" ? primaryType : roots[0];
  if (!root || (roots.length > 1 && !primaryType)) return unreadable("This is typed data, and several of its types may be the one that is signed.");
  const fields = { name: "string", version: "string", chainId: "uint256", verifyingContract: "address", salt: "bytes32" };
  const EIP712Domain = Object.entries(fields).filter(([name]) => domain[name] !== undefined).map(([name, type]) => ({ name, type }));
  const whole = JSON.stringify({ types: { EIP712Domain, ...types }, domain, primaryType: root, message: value });
  return read({ form: `typed data as ethers has it, with the type ${root.slice(0, 60)} and the domain's type added`, call: (account) => ({ method: "eth_signTypedData_v4", params: [account, whole] }) });
}

function readList(list: Json[]): Reading {
  const [first, second] = list;
  if (isAddress(first) && second !== undefined && (isObject(second) || (typeof second === "string" && second.trim().startsWith("{")))) {
    return read({ form: "typed data with its account (eth_signTypedData_v4)", call: () => ({ method: "eth_signTypedData_v4", params: list }) });
  }
  if (list.length && list.every((one) => isObject(one) && "type" in one && "name" in one && "value" in one)) {
    return read({ form: "typed data of the first version (eth_signTypedData)", call: (account) => ({ method: "eth_signTypedData", params: [list, account] }) });
  }
  if (list.length === 1 && isObject(first)) return readJson(first, JSON.stringify(first), undefined);
  const methods = ["personal_sign", "eth_sign"];
  if (list.length >= 2 && list.length <= 3 && [first, second].every((one) => typeof one === "string")) {
    const choice = (method: string): Choice => ({ id: method, label: method, payload: () => ({ form: `parameters of ${method}`, call: () => ({ method, params: list }) }) });
    return { is: "question", text: "These are parameters. Of which method?", choices: methods.map(choice) };
  }
  if (list.length && list.every((one) => isObject(one) && typeof one.method === "string")) return unreadable("These are several requests. Each is a question of its own: paste one.");
  return unreadable("This is a list, and no request that is known here.");
}

/** The module names what such a value lacks. */
const asGiven = (form: string, value: JsonObject): Reading =>
  read({ form, call: () => (isObject(value.signature) ? { signature: { ...value.signature, data: value.signature.data ?? null, signatureMethod: String(value.signature.signatureMethod) } } : { transaction: Object(value.transaction), chainId: String(value.chainId) }) });

/** Safe's service has null where the contract takes these. */
const NOTHING: Record<string, string> = { data: "0x", gasToken: ANY_ACCOUNT, refundReceiver: ANY_ACCOUNT };
const SAFE_TX = { to: "address", value: "uint256", data: "bytes", operation: "uint8", safeTxGas: "uint256", baseGas: "uint256", gasPrice: "uint256", gasToken: "address", refundReceiver: "address", nonce: "uint256" };

/**
 * A transaction as Safe's transaction service and its SDK have it, which is signed as typed data: the Safe and the chain are
 * its domain, and neither need stand in the JSON.
 */
function readSafeTransaction(value: JsonObject, data: JsonObject): Reading {
  const message = Object.fromEntries(Object.keys(SAFE_TX).map((name) => [name, data[name] ?? NOTHING[name] ?? null]));
  const { safe, chainId } = value;
  if (!isAddress(safe)) return unreadable("This is a Safe's transaction that does not name its Safe: paste the typed data, or the transaction of Safe's service, which has a member “safe”.");
  const types = { EIP712Domain: [{ name: "chainId", type: "uint256" }, { name: "verifyingContract", type: "address" }], SafeTx: Object.entries(SAFE_TX).map(([name, type]) => ({ name, type })) };
  const on = (chain: string): Payload => ({
    form: `a Safe's transaction, as an owner signs it since version 1.3.0 (SafeTx on chain ${chain})`,
    call: (account) => ({ method: "eth_signTypedData_v4", params: [account, JSON.stringify({ types, primaryType: "SafeTx", domain: { chainId: chain, verifyingContract: safe }, message })] }),
    statedHash: typeof value.safeTxHash === "string" ? value.safeTxHash : undefined,
  });
  if (/^[1-9]\d{0,15}$/.test(String(chainId))) return read(on(String(chainId)));
  return { is: "question", text: "This is a Safe's transaction, and does not say of which chain.", choices: [{ id: "safe", label: "A Safe's transaction on the chain with this number", needs: "chain", payload: on }] };
}

/** A file of Safe's Transaction Builder. It may have a method with arguments in place of calldata, which the app encodes later. */
function readSafeBatch(value: JsonObject, transactions: Json[]): Reading {
  const calls: JsonObject[] = [];
  for (const one of transactions) {
    if (!isObject(one)) return unreadable("This is a batch with something else than transactions in it.");
    if (!isHex(one.data) && one.contractMethod) return unreadable("This is a batch of Safe's Transaction Builder with calldata that is not encoded yet: what is signed is not in it.");
    calls.push({ to: one.to ?? null, value: quantity(one.value), data: one.data ?? "0x" });
  }
  const { chainId, meta } = value;
  const from = isObject(meta) && isAddress(meta.createdFromSafeAddress) ? { from: meta.createdFromSafeAddress } : {};
  const chain = /^\d{1,15}$/.test(String(chainId)) ? { chainId: quantity(chainId) } : {};
  return read({ form: "a batch of Safe's Transaction Builder, as one batch of calls", call: () => ({ method: "wallet_sendCalls", params: [{ version: "2.0.0", atomicRequired: true, ...from, ...chain, calls }] }) });
}

/** Decimal text as the hex of JSON-RPC; anything else as it is, for the module to refuse. */
const quantity = (value: Json | undefined): Json => (/^\d{1,78}$/.test(String(value)) ? `0x${BigInt(String(value)).toString(16)}` : (value ?? "0x0"));
