import { parseAddress, type Address, type Eip1193Provider } from "verified-swap";
import type { Asked } from "../state/parts.ts";
import type { State } from "../state/state.ts";
import type { Store } from "../state/store.ts";

/* In front of the wallet: whatever lets a contract take tokens is held back until it was reviewed on the page. The
   package verifies what it asks for; this shows it before the wallet opens, one prompt for one click. */

export interface Gate {
  /** The wallet behind the gate. */
  guard(wallet: Eip1193Provider): Eip1193Provider;
  /** The user confirmed what the page shows: a prompt of that kind may open, once. */
  expect(kind: Asked["kind"]): void;
  /** The user confirmed what is held back. */
  agree(): void;
  /** The user went elsewhere: what is held back is rejected. */
  refuse(): void;
}

/** As if rejected in the wallet (EIP-1193), which never opened. */
class Refused extends Error {
  readonly code = 4001;
}

/** Methods that open the wallet. */
const PROMPTS = ["eth_signTypedData_v4", "eth_sendTransaction", "wallet_sendCalls"];
const APPROVE = "0x095ea7b3";
const DEPOSIT = "0xa1e77937";

export function createGate(store: Store<State>): Gate {
  let expected: Asked["kind"] | null = null;
  let held: { agree(): void; refuse(): void } | null = null;

  /** Shows it, and waits for the user. What the page did meanwhile goes on behind it. */
  async function review(asked: Asked): Promise<void> {
    if (expected === asked.kind) return void (expected = null);
    const { stage } = store.get();
    store.set({ asked, isHeld: true, stage: "review", failure: null });
    await new Promise<void>((agree, refuse) => (held = { agree, refuse: () => refuse(new Refused()) }));
    // An order that is on its way is shown again. From the form, the review stays until there is more to review.
    store.set({ isHeld: false, ...(stage === "compose" || stage === "review" ? {} : { stage, asked: null }) });
  }

  return {
    guard(wallet) {
      return {
        async request(question) {
          const asked = readAsked(question.method, question.params, store.get());
          if (asked) await review(asked);
          if (PROMPTS.includes(question.method)) store.set({ prompts: store.get().prompts + 1 });
          return wallet.request(question);
        },
      };
    },
    expect: (kind) => (expected = kind),
    agree() {
      held?.agree();
      held = null;
    },
    refuse() {
      expected = null;
      held?.refuse();
      held = null;
    },
  };
}

/** Whether it was refused on the page, and not in the wallet. */
export function isRefusedHere(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof Refused;
}

type Params = Parameters<Eip1193Provider["request"]>[0]["params"];

interface Call {
  to?: string;
  data?: string;
  value?: string;
}

/** What the wallet is asked, if it is a step of its own; null for what another view has shown: orders and trades. */
function readAsked(method: string, params: Params, state: State): Asked | null {
  if (!Array.isArray(params)) return null;
  const [first, second]: unknown[] = params;
  if (method === "eth_signTypedData_v4") return readPermit(JSON.parse(String(second)), state);
  if (method === "eth_sendTransaction") return readCall(first as Call, state);
  if (method !== "wallet_sendCalls") return null;
  // An approval and the one that is taken back before it are one prompt. With a trade, that trade's review shows them.
  const calls = (first as { calls: Call[] }).calls.map((call) => readCall(call, state));
  return calls.every((call) => call?.kind === "allow" || call?.kind === "reset") ? (calls.at(-1) ?? null) : null;
}

function readCall({ to = "0x", data = "0x", value = "0x0" }: Call, { build }: State): Asked | null {
  const isBuild = build && "transaction" in build && build.transaction.data === data;
  if (isBuild) return null;
  if (data.startsWith(DEPOSIT)) return { kind: "deposit", spender: parseAddress(to), amount: BigInt(value).toString() };
  if (!data.startsWith(APPROVE)) return null;
  const amount = BigInt(`0x${data.slice(74)}`).toString();
  const spender = parseAddress(`0x${data.slice(34, 74)}`);
  return { kind: amount === "0" ? "reset" : "allow", token: parseAddress(to), spender, amount };
}

interface PermitData {
  primaryType: string;
  domain: { verifyingContract: Address };
  message: Record<string, string> & { permitted?: Sum; details?: Sum };
}
interface Sum {
  token: Address;
  amount: string;
}

/** By the members of the four permits (EIP-2612, DAI's, Permit2's two). */
function readPermit(data: PermitData, { chain }: State): Asked | null {
  if (!/^Permit/.test(data.primaryType)) return null;
  const { domain, message } = data;
  const sum = message.permitted ?? message.details;
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
