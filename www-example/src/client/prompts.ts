import { hashTypedData, parseAddress, type Address, type Amount, type Eip1193Provider, type Hex } from "verified-swap";
import type { Asked } from "../state/parts.ts";
import { isConsent, isNative, isOnePrompt, type State } from "../state/state.ts";

/* What a wallet is asked, and what of that the page shows: both by names that are the same only for the same. */

/** One thing that a prompt is for. */
export interface Part {
  /** The digest that is signed, or the call with its chain. */
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

/** `approve(address,uint256)`, and of Delta `setPreSignature(bytes32,bool)` and `depositNativeAndPreSign(bytes32)`. */
const [APPROVE, CONSENT, DEPOSIT] = ["0x095ea7b3", "0xeb8fb268", "0xa1e77937"];
const APPROVAL = new RegExp(`^${APPROVE}0{24}([0-9a-f]{40})([0-9a-f]{64})$`);
const CONSENTING = new RegExp(`^${CONSENT}([0-9a-f]{64})0{63}1$`);
const DEPOSITING = new RegExp(`^${DEPOSIT}([0-9a-f]{64})$`);

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
  return calls.map((call) => {
    const { to, data, value } = only(["to", "data", "value"], call);
    return { id: callId(Number(chainId), { to, data, value }), asked: readCall({ to, data, value }, state) };
  });
}

function readCall({ to, data, value }: Call, state: State): Asked | null {
  const spender = parseAddress(to);
  const [deposit, consent, approval] = [DEPOSITING, CONSENTING, APPROVAL].map((kind) => kind.exec(data));
  const orderHash: Hex = `0x${(deposit ?? consent)?.[1] ?? ""}`;
  const isKnown = isSame(to, state.chain.delta) && knows(state, orderHash);
  if (deposit) return isKnown ? { kind: "deposit", spender, amount: BigInt(value).toString(), orderHash } : null;
  if (BigInt(value) !== 0n) return null;
  if (consent) return isKnown ? { kind: "consent", spender, orderHash } : null;
  if (!approval) return null;
  const amount = BigInt(`0x${approval[2]}`).toString();
  return { kind: amount === "0" ? "reset" : "allow", token: spender, spender: parseAddress(`0x${approval[1]}`), amount };
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
  const approve = ({ token, spender }: { token: Address; spender: Address }, amount: Amount): string =>
    callId(chainId, { to: token, data: APPROVE + word(spender) + word(BigInt(amount).toString(16)), value: "0" });
  const approvals = approval
    ? [...(approval.resetFirst ? [approve(approval, "0")] : []), approve(approval, approval.amount)]
    : [];
  if (approval && !isOnePrompt(state)) return approvals.slice(0, 1);
  if ("transaction" in build) return [...approvals, callId(chainId, build.transaction)];
  if (build.kind === "otc" || !isConsent(state)) return [build.orderHash];
  const { spender: to, orderHash, maxSpent } = build;
  const consent = callId(chainId, { to, data: CONSENT + word(orderHash) + word("1"), value: "0" });
  const deposit = callId(chainId, { to, data: DEPOSIT + word(orderHash), value: maxSpent });
  // What is sold is deposited with it, unless it is already: the review says so.
  return [...approvals, consent, ...(isNative((pair ?? state).src) ? [deposit] : [])];
}

function callId(chainId: number, { to, data, value }: Call): string {
  return [chainId, to, BigInt(value), data].join(" ").toLowerCase();
}

function word(hex: string): string {
  return hex.replace("0x", "").padStart(64, "0");
}

function isSame(one: string, other: string | null | undefined): boolean {
  return one.toLowerCase() === other?.toLowerCase();
}
