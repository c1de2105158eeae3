import type { ClientEvent, TradeError } from "verified-swap";
import { endLie, endLieLeft, endLieOnLeaving, tellLie, type Lie } from "./sandbox.ts";
import { ATTACKS, untoldAfter, type AttackPath, type AttackRun } from "../state/attack.ts";
import { consequenceOf } from "../../../examples/review-components/src/checks.ts";
import { readerOf } from "../state/checks.ts";
import { messages } from "../messages/en.ts";
import { amountOf, balanceOf, firstState, isCrosschain, placeOf, type State } from "../state/state.ts";
import type { Store } from "../state/store.ts";
import { setParameter } from "../client/address.ts";
import { requestOf, type Pricing } from "../client/pricing.ts";
import { isPrompt } from "../client/prompting.ts";
import type { Swap } from "../client/swap.ts";

/* The demo of attacks: makes the sandbox's service lie, and asks for the same swap again. A page for a real chain would
   have none of this. */

export interface Attacks {
  /** Looks whether the page's address names an attack. */
  begin(): void;
  /** Has the service lie, and builds the swap as ever. */
  start(name: Lie): Promise<void>;
  /** The next one that was not told yet; after the last, the score. */
  next(): Promise<void>;
  /** All that were not told yet, one after the other, then the score. */
  rest(): Promise<void>;
  /** The service is honest again, and the form as it was. */
  end(): Promise<void>;
  /** On a phone: opens and closes the attacks, or the story of the one that runs. */
  show(attackShown: boolean): void;
  /** Of the client: counts what the wallet is asked. */
  hear(event: ClientEvent): void;
}

/** What an attack changes in the form. */
type Form = Pick<State, "tab" | "path" | "spending" | "src" | "dest" | "side" | "amountText" | "beneficiaryText">;

const PARAMETER = "attack";

export function createAttacks(store: Store<State>, pricing: Pricing, swap: Swap): Attacks {
  /** Tells an attack from a later one, while it waits. */
  let turn = 0;
  /** The form before the attack, and what the attack made of it. */
  let before: { form: Form; attacked: Form } | null = null;
  /** The lie, or the end of one, on its way to the sandbox. */
  let telling: Promise<void> = Promise.resolve();

  async function start(name: Lie): Promise<void> {
    const attack = ATTACKS.find((known) => known.name === name);
    if (!attack || store.get().busy) return;
    const mine = ++turn;
    const isCurrent = (): boolean => mine === turn;
    try {
      await silence();
      if (!isCurrent()) return;
      prepare(attack.path);
      store.set({ attack: begun(name), attackShown: true, unknownAttack: null });
      setParameter(PARAMETER, name);
      // The form has its stage again, whatever was shown.
      swap.compose();
      await run(attack, isCurrent);
    } catch {
      if (isCurrent()) progress({ step: "failed" });
    }
  }

  async function run({ name, path, field }: (typeof ATTACKS)[number], isCurrent: () => boolean): Promise<void> {
    telling = tellLie(name);
    await telling;
    if (!isCurrent()) return;
    await pricing.refresh();
    const { failure, quote } = store.get();
    // A price that is refused is never built.
    if (failure?.refusal) swap.remedy(failure);
    else if (quote?.kind === (path === "market" ? "market" : "delta")) await swap.review();
    if (!isCurrent()) return;
    const { stage, refusal } = store.get();
    const isStopped = stage === "refused" && field.test(refusal?.field ?? "");
    if (!isStopped && stage !== "review") return progress({ step: "failed" });
    progress(isStopped ? { step: "stopped", refusal } : { step: "missed" });
    count(name, isStopped ? refusal : null);
    if (isStopped) show(false);
  }

  /** What nothing stopped is counted as well: the score hides nothing. */
  function count(name: Lie, refusal: TradeError | null): void {
    const state = store.get();
    const { field = "", expected = "", actual = "" } = refusal ?? {};
    const would = refusal && consequenceOf({ field, expected, actual, verdict: "mismatch" }, readerOf(state));
    const told = {
      step: refusal ? "stopped" : "missed",
      would: would ?? messages.attack.list[name].change,
      walletRequests: state.attack?.walletRequests ?? 0,
    } as const;
    store.set({ score: { ...state.score, [name]: told } });
  }

  async function next(): Promise<void> {
    const { attack, score } = store.get();
    const name = untoldAfter(attack?.name, score);
    if (name) return start(name);
    await end();
    show(true);
  }

  async function rest(): Promise<void> {
    for (;;) {
      const { attack, score } = store.get();
      const name = untoldAfter(attack?.name, score);
      if (!name) return next();
      await start(name);
      // It failed, or the user took another way: the rest waits for them.
      if (store.get().attack?.name !== name || !store.get().score[name]) return;
    }
  }

  async function end(): Promise<void> {
    if (store.get().busy) return;
    turn++;
    try {
      await silence();
    } catch {
      return progress({ step: "failed" });
    }
    restore();
    setParameter(PARAMETER, null);
    store.set({ attack: null, attackShown: false, unknownAttack: null });
    swap.compose();
  }

  function show(attackShown: boolean): void {
    store.set({ attackShown, unknownAttack: null });
  }

  /** The service stops lying. */
  async function silence(): Promise<void> {
    const { attack } = store.get();
    await telling.catch(() => {});
    if (attack) await endLie(attack.name);
  }

  function progress(change: Partial<AttackRun>): void {
    const { attack } = store.get();
    if (attack) store.set({ attack: { ...attack, ...change } });
  }

  /** The form for this path; for a swap that cannot be attacked, the example's. */
  function prepare(path: AttackPath): void {
    restore();
    const form = formOf(store.get());
    const example = canBeAttacked(store.get()) ? form : formOf({ ...firstState(), ...placeOf(store.get()) });
    const attacked: Form = {
      ...example,
      tab: "swap",
      spending: "approve",
      path: path === "market" ? "market" : "fallback",
    };
    before = { form, attacked };
    store.set(attacked);
  }

  /** What the user did not change since is as before. */
  function restore(): void {
    if (!before) return;
    const { form, attacked } = before;
    const now = formOf(store.get());
    const isLeft = (name: string): boolean => now[name as keyof Form] === attacked[name as keyof Form];
    store.set(Object.fromEntries(Object.entries(form).filter(([name]) => isLeft(name))));
    before = null;
  }

  /** An attack named in the page's address starts with the first price. */
  function begin(): void {
    // If that fails, the next page does it.
    telling = endLieLeft().catch(() => {});
    const asked = new URL(location.href).searchParams.get(PARAMETER);
    let awaited = ATTACKS.find(({ name }) => name === asked) ?? null;
    if (asked !== null && !awaited) store.set({ unknownAttack: asked, attackShown: true });
    store.subscribe(({ account, quote, failure, stage, busy, starting }) => {
      const isPriced = account && (quote || failure?.refusal) && stage === "compose";
      if (!awaited || starting || busy || !isPriced) return;
      const { name } = awaited;
      awaited = null;
      void start(name);
    });
    // The sandbox would go on lying to a page that does not know.
    window.addEventListener("pagehide", () => {
      const { attack } = store.get();
      if (attack) endLieOnLeaving(attack.name);
    });
    window.addEventListener("pageshow", ({ persisted }) => {
      const { attack } = store.get();
      if (persisted && attack) void start(attack.name);
    });
  }

  return {
    begin,
    start,
    next,
    rest,
    end,
    show,
    hear(event) {
      const { attack, score } = store.get();
      if (!attack || !isPrompt(event)) return;
      const walletRequests = attack.walletRequests + 1;
      progress({ walletRequests });
      // A lie that nothing stopped can be signed after it was counted.
      const told = score[attack.name];
      if (told && attack.step === "missed") store.set({ score: { ...score, [attack.name]: { ...told, walletRequests } } });
    },
  };
}

function begun(name: Lie): AttackRun {
  return { name, step: "lying", refusal: null, walletRequests: 0 };
}

function formOf({ tab, path, spending, src, dest, side, amountText, beneficiaryText }: State): Form {
  return { tab, path, spending, src, dest, side, amountText, beneficiaryText };
}

/** A sale on one chain that the account can pay. */
function canBeAttacked(state: State): boolean {
  const { amount } = amountOf(state);
  const balance = balanceOf(state, state.src);
  // What the service refuses to price cannot be asked of it. A price that was refused here is a lie of the last attack.
  const isAsked = requestOf({ ...state, tab: "swap" }) !== null && (!state.failure || state.failure.refusal !== undefined);
  const isPaid = amount !== null && (balance === null || BigInt(amount) <= BigInt(balance));
  return isAsked && isPaid && state.side === "SELL" && !isCrosschain(state);
}
