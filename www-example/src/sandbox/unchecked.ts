import { parseAddress, type QuoteRequest } from "verified-swap";
import type { AttackPath, Member, Prompt } from "../state/attack.ts";

/* The warning example: a client that hands the wallet whatever the service builds. The demo shows what it would have
   asked of the wallet; no wallet is asked here. */

interface Terms {
  owner: string;
  slippageBps: number;
  /** Unix seconds. */
  deadline: number;
  nonce: string;
}

/** Asks the service for a price and for what is to be signed or sent, and looks at neither. */
export function askUnchecked(path: AttackPath, request: QuoteRequest, terms: Terms): Promise<Prompt[]> {
  return path === "gasless" ? askOrder(request, terms) : askTransaction(request, terms);
}

async function askOrder(request: QuoteRequest, { owner, slippageBps, deadline, nonce }: Terms): Promise<Prompt[]> {
  const priced = await quote(request, "DELTA", owner);
  const { spender } = (JSON.parse(priced) as { delta: { spender: string } }).delta;
  const { toSign } = (await post("/v2/delta/orders/build", "route", memberOf(priced, "route"), {
    owner,
    beneficiary: request.beneficiary ?? owner,
    side: request.side,
    deadline,
    slippage: slippageBps,
    partner: "anon",
    nonce,
  })) as { toSign: ToSign };
  return [approval(request, spender), order(toSign)];
}

async function askTransaction(request: QuoteRequest, { owner, slippageBps, deadline }: Terms): Promise<Prompt[]> {
  const { chainId, srcToken, destToken, srcDecimals, destDecimals, side, amount, beneficiary } = request;
  const priced = await quote(request, "MARKET", owner);
  const { tokenTransferProxy } = (JSON.parse(priced) as { market: { tokenTransferProxy: string } }).market;
  const transaction = (await post(`/transactions/${chainId}?ignoreChecks=true`, "priceRoute", memberOf(priced, "market"), {
    srcToken,
    destToken,
    srcDecimals,
    destDecimals,
    [side === "BUY" ? "destAmount" : "srcAmount"]: String(amount),
    slippage: slippageBps,
    userAddress: owner,
    ...(beneficiary ? { receiver: beneficiary } : {}),
    partner: "anon",
    deadline,
  })) as Sendable;
  return [approval(request, tokenTransferProxy), call(transaction)];
}

async function quote(request: QuoteRequest, mode: "DELTA" | "MARKET", owner: string): Promise<string> {
  const { chainId, srcToken, destToken, srcDecimals, destDecimals, side = "SELL", amount, beneficiary } = request;
  const asked = { chainId, srcToken, destToken, srcDecimals, destDecimals, side, amount, mode, userAddress: owner };
  const query = Object.entries({ ...asked, ...(beneficiary ? { beneficiary } : {}), partner: "anon" });
  const response = await fetch(`/v2/quote?${new URLSearchParams(query.map(([name, value]) => [name, String(value)]))}`);
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
  return response.text();
}

/** `route` goes back byte for byte: the service takes no other. */
async function post(path: string, name: string, route: string, members: object): Promise<unknown> {
  const body = `{${JSON.stringify(name)}:${route},${JSON.stringify(members).slice(1)}`;
  const response = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body });
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
  return response.json();
}

/** The text of the first object of that name. */
function memberOf(text: string, name: string): string {
  const start = text.indexOf(`"${name}":`) + name.length + 3;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '"') while (text[++at] !== '"') at += text[at] === "\\" ? 1 : 0;
    else if (text[at] === "{") depth++;
    else if (text[at] === "}" && --depth === 0) return text.slice(start, at + 1);
  }
  throw new Error(`The service's answer has no ${name}.`);
}

interface ToSign {
  domain: Record<string, unknown>;
  types: Record<string, { name: string; type: string }[]>;
  value: Record<string, unknown>;
}

/** Typed data as a wallet shows it: the contract, then each member in the order in which it is signed. */
function order({ domain, types, value }: ToSign): Prompt {
  const name = Object.keys(types).find((type) => type.endsWith("Order")) ?? "Order";
  const members = (types[name] ?? []).map((member) => ({ ...member, value: textOf(value[member.name]) }));
  const contract = { name: "verifyingContract", type: "address", value: textOf(domain["verifyingContract"]) };
  return { kind: "order", name, members: [contract, ...members] };
}

/** ERC-20 `approve`, as such a client would ask for before it trades. */
function approval({ srcToken, amount }: QuoteRequest, spender: string): Prompt {
  return {
    kind: "approval",
    name: "approve",
    members: [
      { name: "token", type: "address", value: srcToken },
      { name: "spender", type: "address", value: spender },
      { name: "amount", type: "uint256", value: String(amount) },
    ],
  };
}

interface Sendable {
  to: string;
  value: string;
  data: string;
}

/** The first members of the router's usual method, each a word of 32 bytes. */
const SWAP_EXACT_AMOUNT_IN = "0xe3ead59e";
const WORDS = [
  ["executor", "address"],
  ["srcToken", "address"],
  ["destToken", "address"],
  ["fromAmount", "uint256"],
  ["toAmount", "uint256"],
  ["quotedAmount", "uint256"],
  ["metadata", "bytes32"],
  ["beneficiary", "address"],
] as const;

function call({ to, value, data }: Sendable): Prompt {
  const sent = [
    { name: "to", type: "address", value: to },
    { name: "value", type: "uint256", value },
  ];
  if (!data.startsWith(SWAP_EXACT_AMOUNT_IN))
    return { kind: "transaction", name: data.slice(0, 10), members: [...sent, { name: "data", type: "bytes", value: data }] };
  const members = WORDS.map(([name, type], index): Member => {
    const word = data.slice(10 + 64 * index, 74 + 64 * index);
    return { name, type, value: decode(type, word) };
  });
  return { kind: "transaction", name: "swapExactAmountIn", members: [...sent, ...members] };
}

function decode(type: (typeof WORDS)[number][1], word: string): string {
  if (type === "address") return parseAddress(`0x${word.slice(24)}`);
  return type === "uint256" ? BigInt(`0x${word}`).toString() : `0x${word}`;
}

function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
