import {
  hashTypedData,
  parseAddress,
  type Address,
  type Amount,
  type Approval,
  type Eip1193Provider,
  type Hex,
} from "verified-swap";
import type { Asked } from "../state/parts.ts";
import { isConsent, isNative, isOnePrompt, type State } from "../state/state.ts";
import { written } from "./calls.ts";

/* What a wallet is asked, and what of that the page shows: both by names that are the same only for the same. */

/** One thing that a prompt is for. */
export interface Part {
  /** The digest that is signed; or the step, or the call, with its chain. */
  id: string;
  /** The step that it is, if it is one of its own; null for an order or a trade, which its own review shows. */
  asked: Asked | null;
}

interface Call {
  to: string;
  data: string;
  value: string;
}

interface Sending extends Call {
  nonce?: string;
  from: string;
  chainId: string;
  calls: Call[];
}

/** A call that is a step of its own. */
type Step = Extract<Asked, { kind: "reset" | "allow" | "deposit" | "consent" }>;

/** Null: what it would do is not known here, or it is for an account or a chain that the page does not show. */
export function readPrompt({ method, params }: Parameters<Eip1193Provider["request"]>[0], state: State): Part[] | null {
  const [first, second]: readonly unknown[] = Array.isArray(params) ? params : [];
  try {
    if (method === "eth_signTypedData_v4") return [readSigned(String(first), JSON.parse(String(second)), state)];
    if (method === "eth_sendTransaction") {
      // A number only keeps two transactions from being mined both.
      const { from, chainId, nonce: _, ...call } = only(["from", "to", "data", "value", "chainId", "nonce"], first);
      return readCalls(from, chainId, [call], state);
    }
    if (method !== "wallet_sendCalls") return null;
    const { from, chainId, calls } = only(["version", "id", "from", "chainId", "atomicRequired", "calls"], first);
    return readCalls(from, chainId, calls, state);
  } catch {
    return null;
  }
}

/** A member that is not known could change what it does. */
function only(names: string[], value: unknown): Sending {
  if (Object.keys(value as object).some((name) => !names.includes(name))) throw new Error("There is more in it.");
  return value as Sending;
}

function checkPlace(from: string, chainId: unknown, { account, chain }: State): void {
  if (!isSame(from, account) || Number(chainId) !== chain.chainId) throw new Error("The page shows another one.");
}

function readCalls(from: string, chainId: string, calls: Call[], state: State): Part[] {
  checkPlace(from, chainId, state);
  return calls.map((call) => readCall(Number(chainId), only(["to", "data", "value"], call), state));
}

/** An order that the page does not show is no step of its own. */
function readCall(chainId: number, call: Call, state: State): Part {
  const step = stepIn(call);
  const isKnown = (hash: Hex): boolean => isSame(call.to, state.chain.delta) && knows(state, hash);
  return { id: callId(chainId, call), asked: step && "orderHash" in step && !isKnown(step.orderHash) ? null : step };
}

/** The patterns are of all that the package writes, so that nothing in a call is left unread. */
function stepIn({ to, data, value }: Call): Step | null {
  const [contract, sent] = [parseAddress(to), BigInt(value)];
  const [deposit, consent, approval] = [written.deposit, written.preSign, written.approve].map(
    (pattern) => pattern.exec(data)?.groups,
  );
  const orderHash: Hex = `0x${(deposit ?? consent)?.["orderHash"] ?? ""}`;
  if (deposit) return { kind: "deposit", spender: contract, amount: sent.toString(), orderHash };
  if (sent !== 0n) return null;
  if (consent) return { kind: "consent", spender: contract, orderHash };
  return approval
    ? approving(contract, parseAddress(`0x${approval["spender"]}`), BigInt(`0x${approval["amount"]}`).toString())
    : null;
}

function approving(token: Address, spender: Address, amount: Amount): Step {
  return { kind: amount === "0" ? "reset" : "allow", token, spender, amount };
}

/** Whether the page shows an order of that hash, or follows it. */
function knows({ build, trade, errands }: State, hash: Hex): boolean {
  const shown = build && "orderHash" in build ? build.orderHash : trade?.orderHash;
  return shown === hash || errands.some(({ id }) => id === hash);
}

interface Signed {
  primaryType: string;
  domain: { verifyingContract: Address; chainId?: number | string };
  message: Record<string, string> & { permitted?: Sum; details?: Sum; orderIds?: string[] };
}

interface Sum {
  token: Address;
  amount: string;
}

function readSigned(signer: string, data: Signed, state: State): Part {
  checkPlace(signer, data.domain.chainId ?? state.chain.chainId, state);
  return { id: hashTypedData(data), asked: READERS[data.primaryType]?.(data, state) ?? null };
}

/** The four permits (EIP-2612's and DAI's have one name, and two are Permit2's), and the cancellation of orders. */
const READERS: Record<string, (data: Signed, state: State) => Asked | null> = {
  Permit: readPermit,
  PermitTransferFrom: readPermit,
  PermitSingle: readPermit,
  OrderCancellations: readCancellation,
};

function readPermit(data: Signed, { chain }: State): Asked | null {
  const { domain, message } = data;
  const sum = message.permitted ?? message.details;
  if (sum && !isSame(domain.verifyingContract, chain.permit2)) return null;
  const until = message["deadline"] ?? message["expiry"] ?? message["sigDeadline"];
  return {
    kind: "permit",
    token: parseAddress(sum?.token ?? domain.verifyingContract),
    spender: parseAddress(message["spender"] ?? chain.delta),
    amount: sum?.amount ?? message["value"] ?? null,
    deadline: Number(until),
    data,
  };
}

function readCancellation({ domain, message: { orderIds = [] } }: Signed, state: State): Asked | null {
  const { chain, errands, stage } = state;
  const followed = errands.flatMap((errand) => (errand.kind === "order" && errand.order ? errand.order : []));
  const known = [...(state.orders ?? []), ...followed];
  const orders = orderIds.flatMap((id) => known.find((order) => order.id === id) ?? []);
  const isShown = orders.length > 0 && orders.length === orderIds.length && isSame(domain.verifyingContract, chain.delta);
  return isShown ? { kind: "cancel", spender: chain.delta, isSigned: true, orders, from: stage } : null;
}

/** What the page shows now, and the user agrees to by its button. */
export function shownBy(state: State): string[] {
  const { stage, trade, build, pair } = state;
  if (stage === "unfinished") return trade?.orderHash ? [trade.orderHash] : [];
  if (!build) return [];
  const { approval, chainId } = build;
  const allow = ({ token, spender }: Approval, amount: Amount): string =>
    stepId(chainId, approving(token, spender, amount));
  const approvals = approval
    ? [...(approval.resetFirst ? [allow(approval, "0")] : []), allow(approval, approval.amount)]
    : [];
  if (approval && !isOnePrompt(state)) return approvals.slice(0, 1);
  if ("transaction" in build) return [...approvals, callId(chainId, build.transaction)];
  if (build.kind === "otc" || !isConsent(state)) return [build.orderHash];
  const { spender, orderHash, maxSpent: amount } = build;
  const consent = stepId(chainId, { kind: "consent", spender, orderHash });
  const deposit = stepId(chainId, { kind: "deposit", spender, amount, orderHash });
  // What is sold is deposited with it, unless it is already: the review says so.
  return [...approvals, consent, ...(isNative((pair ?? state).src) ? [deposit] : [])];
}

function callId(chainId: number, call: Call): string {
  const step = stepIn(call);
  return step ? stepId(chainId, step) : [chainId, call.to, BigInt(call.value), call.data].join(" ").toLowerCase();
}

function stepId(chainId: number, step: Step): string {
  return [chainId, ...Object.values(step)].join(" ").toLowerCase();
}

function isSame(one: string, other: string | null | undefined): boolean {
  return one.toLowerCase() === other?.toLowerCase();
}
