import {
  hashTypedData,
  type Amount,
  type Answer,
  type Approval,
  type ClientEvent,
  type Hex,
  type Prompt,
  type PromptPart,
  type Question,
  type TypedData,
} from "verified-swap";
import { RefusedHere } from "../state/failure.ts";
import type { Asked } from "../state/parts.ts";
import { isConsent, isNative, isOnePrompt, type State } from "../state/state.ts";
import { isOfOther, withAllowed } from "../state/steps.ts";
import { until, type Store } from "../state/store.ts";

/* The package asks here before each prompt of the wallet. What the user confirmed on the page opens, and nothing else. A
   step that no review has shown yet is held back and shown, one prompt for one click. The package verifies what it asks
   for; this sees to it that the page has shown that. */

export interface Prompting {
  /** Of the client: asked before each prompt. Throws `RefusedHere` for what the page cannot show. */
  onPrompt(prompt: Prompt): Promise<Answer>;
  /** Of the client: counts the prompts. */
  hear(event: ClientEvent): void;
  /** The user confirmed what the page shows: it may be asked for, once. */
  confirm(): void;
  /** The user confirmed what is held back. */
  agree(): void;
  /** The user went elsewhere: what is held back is rejected. */
  refuse(): void;
}

export function createPrompting(store: Store<State>): Prompting {
  let confirmed = new Set<string>();
  /** What was agreed to: the package may ask for it once more, if it did not open. */
  let agreed = new Set<string>();
  let held: { agree(): void; refuse(): void } | null = null;

  async function onPrompt(prompt: Prompt): Promise<Answer> {
    const parts = readPrompt(prompt, store.get());
    if (!parts?.length) throw new RefusedHere("unshown");
    const whole = parts.map(({ id }) => id).join();
    let accepted: string[] = [];
    if (!prompt.isRepeated || !agreed.has(whole)) {
      // Beside what was confirmed nothing is asked for that was not. A reset only begins an approval.
      const joins = parts.some(({ id, asked }) => confirmed.has(id) && asked?.kind !== "reset");
      for (const { id, asked } of parts) {
        if (confirmed.delete(id)) continue;
        // What the review ends in comes once.
        const isNext = ownStep(store.get()) === id && !agreed.has(whole);
        if (joins || !(asked || isNext)) throw new RefusedHere("unshown");
        accepted = await review(asked, prompt.questions);
      }
      agreed.add(whole);
    }
    if (prompt.questions.length === 0) return true;
    // One that is left open is the call's failure, which says it.
    const isTicked = ({ id }: Question): boolean => [...store.get().accepted, ...accepted].includes(id);
    return { accept: prompt.questions.filter(isTicked).map(({ id }) => id) };
  }

  /**
   * Shows it in its turn, with the questions that are still open, and waits for the user. What the page did meanwhile
   * goes on behind it. Returns what they ticked.
   */
  async function review(asked: Asked | null, questions: Question[]): Promise<string[]> {
    const { account } = store.get();
    const isFree = (state: State): boolean => !state.isHeld && !(state.stage === "review" && isOfOther(asked, state));
    while (!isFree(store.get())) await until(store, isFree);
    const checkAccount = (): void => {
      if (store.get().account !== account) throw new RefusedHere("left");
    };
    checkAccount();
    const { stage, accepted, build } = store.get();
    // Its approval is on its way, or there.
    if (!asked && build?.approval)
      store.set({ build: { ...build, approval: null }, together: false, stepsDone: withAllowed(store.get(), build.approval) });
    const open = questions.filter(({ id }) => !accepted.includes(id));
    store.set({ asked, questions: open, isHeld: true, stage: "review", failure: null });
    await new Promise<void>((agree, refuse) => (held = { agree, refuse: () => refuse(new RefusedHere("left")) }));
    checkAccount();
    const ticked = store.get().accepted;
    // A tick is for one prompt.
    const kept = ticked.filter((id) => !open.some((question) => question.id === id));
    // From the form, the review stays until there is more to review. Any other view is shown again.
    const stays = asked?.kind !== "cancel" && (stage === "compose" || stage === "review");
    store.set({ isHeld: false, questions: [], accepted: kept, ...(stays ? {} : { stage, asked: null }) });
    // It is drawn, and has the focus, before the wallet takes that.
    await new Promise((drawn) => setTimeout(drawn));
    return ticked;
  }

  return {
    onPrompt,
    hear(event) {
      if (isPrompt(event)) store.set({ prompts: store.get().prompts + 1 });
    },
    confirm() {
      confirmed = new Set(shownBy(store.get()));
    },
    agree() {
      held?.agree();
      held = null;
    },
    refuse() {
      confirmed = new Set();
      agreed = new Set();
      held?.refuse();
      if (held) store.set({ isHeld: false });
      held = null;
    },
  };
}

/** Whether the wallet's window was open for it. */
export function isPrompt({ type, name }: ClientEvent): boolean {
  return type === "wallet" && ["eth_signTypedData_v4", "eth_sendTransaction", "wallet_sendCalls"].includes(name);
}

/** One thing that a prompt is for. */
interface Part {
  /** The same only for the same: the digest that is signed; or the step, or the call, with its chain. */
  id: string;
  /** The step that it is, if it is one of its own; null for an order or a trade, which its own review shows. */
  asked: Asked | null;
}

/** A call that is a step of its own. */
type Step = Extract<Asked, { kind: "reset" | "allow" | "deposit" | "consent" }>;

/** Null: it cannot be shown here, or it is for an account or a chain that the page does not show. */
function readPrompt(prompt: Prompt, state: State): Part[] | null {
  try {
    return prompt.parts.map((part) => readPart(prompt, part, state));
  } catch {
    return null;
  }
}

function readPart(prompt: Prompt, part: PromptPart, state: State): Part {
  const { sentence: _, from, typedData, ...call } = part;
  if (!isSame(from, state.account)) throw new Error("The page shows another account.");
  return typedData ? readSigned(prompt, typedData, call, state) : readCall(prompt, part, call, state);
}

type Call = Omit<PromptPart, "sentence" | "from" | "typedData">;

function readSigned(prompt: Prompt, data: object, more: Call, state: State): Part {
  const { purpose, parts, permit, orderIds, digests } = prompt;
  const hash = hashTypedData(data);
  if (hash !== digests.eip712 || parts.length > 1 || Object.keys(more).length > 0) throw new Error("It is something else.");
  const id = signedId(purpose, hash);
  if (purpose === "order") return { id, asked: null };
  if (purpose === "permit" && permit?.chainId === state.chain.chainId) {
    const { token, spender, amount, deadline } = permit;
    return { id, asked: { kind: "permit", token, spender, amount, deadline, data } };
  }
  if (purpose === "cancelOrders" && orderIds) return { id, asked: readCancellation(orderIds, data as TypedData, state) };
  throw new Error("The page does not show that.");
}

function readCancellation(orderIds: string[], { domain }: TypedData, state: State): Asked {
  const { chain, errands, stage: from } = state;
  const followed = errands.flatMap((errand) => (errand.kind === "order" && errand.order ? errand.order : []));
  const known = [...(state.orders ?? []), ...followed];
  const orders = orderIds.flatMap((id) => known.find((order) => order.id === id) ?? []);
  const isShown = orders.length > 0 && orders.length === orderIds.length;
  const isHere = domain.chainId === chain.chainId && isSame(chain.delta, domain.verifyingContract);
  if (!isShown || !isHere) throw new Error("The page does not show them.");
  return { kind: "cancel", spender: chain.delta, isSigned: true, orders, from };
}

/** Before the call that the purpose names there are only approvals. */
function readCall({ purpose, parts, orderHash }: Prompt, part: PromptPart, call: Call, state: State): Part {
  const { chainId, to, value, data, approval, ...more } = call;
  // A member that is not known could change what it does.
  if (chainId !== state.chain.chainId || !to || !value || !data || Object.keys(more).length > 0)
    throw new Error("The page shows another one.");
  if (purpose === "approve" || part !== parts.at(-1)) {
    if (!approval || !isSame(approval.token, to) || value !== "0") throw new Error("It is no approval.");
    const step = approving(approval, approval.amount);
    return { id: stepId(chainId, step), asked: step };
  }
  if (purpose !== "presign") return { id: callId(purpose, chainId, { to, value, data }), asked: null };
  if (!orderHash) throw new Error("It is of no order.");
  const step: Step =
    value === "0"
      ? { kind: "consent", spender: to, orderHash }
      : { kind: "deposit", spender: to, amount: value, orderHash };
  // An order that the page does not show is no step of its own.
  const isKnown = isSame(to, state.chain.delta) && knows(state, orderHash);
  return { id: stepId(chainId, step), asked: isKnown ? step : null };
}

function approving({ token, spender }: Pick<Approval, "token" | "spender">, amount: Amount): Step {
  return { kind: amount === "0" ? "reset" : "allow", token, spender, amount };
}

/** Whether the page shows an order of that hash, or follows it. */
function knows({ build, trade, errands }: State, hash: Hex): boolean {
  const shown = build && "orderHash" in build ? build.orderHash : trade?.orderHash;
  return shown === hash || errands.some(({ id }) => id === hash);
}

/** What the page shows now, and the user agrees to by its button. */
function shownBy(state: State): string[] {
  const { stage, trade, build, pair } = state;
  if (stage === "unfinished") return trade?.orderHash ? [signedId("order", trade.orderHash)] : [];
  if (!build) return [];
  const { approval, chainId } = build;
  const allow = (approval: Approval, amount: Amount): string => stepId(chainId, approving(approval, amount));
  const approvals = approval
    ? [...(approval.resetFirst ? [allow(approval, "0")] : []), allow(approval, approval.amount)]
    : [];
  if (approval && !isOnePrompt(state)) return approvals.slice(0, 1);
  if ("transaction" in build) return [...approvals, ownStep(state)!];
  if (!isConsent(state)) return [ownStep(state)!];
  const { spender, orderHash, maxSpent: amount } = build;
  const consent = stepId(chainId, { kind: "consent", spender, orderHash });
  const deposit = stepId(chainId, { kind: "deposit", spender, amount, orderHash });
  // What is sold is deposited with it, unless it is already: the review says so.
  return [...approvals, consent, ...(isNative((pair ?? state).src) ? [deposit] : [])];
}

/** What the build under review ends in, where that is not a consent on chain: the order that is signed, or the transaction. */
function ownStep({ build }: State): string | null {
  if (!build) return null;
  if (!("transaction" in build)) return signedId("order", build.orderHash);
  return callId(build.kind === "market" ? "market" : build.purpose, build.chainId, build.transaction);
}

function signedId(purpose: string, hash: Hex): string {
  return [purpose, hash].join(" ").toLowerCase();
}

function callId(purpose: string, chainId: number, { to, value, data }: { to: string; value: string; data: string }): string {
  return [purpose, chainId, to, BigInt(value), data].join(" ").toLowerCase();
}

function stepId(chainId: number, step: Step): string {
  return [chainId, ...Object.values(step)].join(" ").toLowerCase();
}

function isSame(one: string, other: string | null | undefined): boolean {
  return one.toLowerCase() === other?.toLowerCase();
}
