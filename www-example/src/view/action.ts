import { maxSpent } from "verified-swap";
import { element, setText } from "./element.ts";
import { notEnough, stalePrice } from "../state/failure.ts";
import type { Failure } from "../state/parts.ts";
import { beneficiaryOf } from "../client/pricing.ts";
import { amountOf, balanceOf, isPromised, isStale, QUOTE_LIFE_SECS, type State } from "../state/state.ts";
import { limitAmountOf, limitOf, slicesOf } from "../client/terms.ts";
import { ageRing } from "./age-ring.ts";
import { busyWords } from "./busy.ts";
import type { Page } from "./page.ts";

/** One line of status, and the one button that fits. */
export function action({ store, swap, pricing }: Page): HTMLElement {
  const ring = ageRing();
  const message = element("p", { class: "message" });
  const renew = element(
    "button",
    { type: "button", class: "link renew", onclick: () => void pricing.refresh() },
    "Refresh",
  );
  const button = element("button", { type: "button", class: "primary", onclick: press });

  function press(): void {
    const { failure, ready } = standing(store.get());
    if (failure) swap.remedy(failure);
    else if (ready) void swap.review();
  }

  store.subscribe((state) => {
    const { text, failure, ready } = standing(state);
    setText(message, text);
    message.classList.toggle("problem", failure !== null);
    setText(
      button,
      failure?.button ?? (state.busy ? busyWords(state.busy) : state.tab === "swap" ? "Review swap" : "Review order"),
    );
    button.setAttribute("aria-disabled", String(!failure && !ready));
    const priced = state.quote !== null && failure === null;
    ring.show(priced ? state.ageSecs / QUOTE_LIFE_SECS : null);
    // The button that replaces it takes the focus.
    if (!priced && document.activeElement === renew) button.focus();
    renew.hidden = !priced;
  });
  return element("div", { class: "action" }, element("div", { class: "status" }, ring.node, message, renew), button);
}

interface Standing {
  text: string;
  failure: Failure | null;
  ready: boolean;
  /** Whether it is announced: something is wrong, not just missing or loading. */
  wrong: boolean;
}

/** The first thing that prevents a swap, if anything does. */
export function standing(state: State): Standing {
  const { amount, problem } = amountOf(state);
  const beneficiary = beneficiaryOf(state);
  if (!state.online)
    return blocked({
      message: "You are offline. This is the last price we saw.",
      button: "Try again",
      remedy: "requote",
    });
  if (state.failure?.ofAmount) return waiting("No price for this amount.", true);
  if (state.failure) return blocked(state.failure);
  if (!state.account)
    return blocked({ message: "Connect a wallet to swap.", button: "Connect a wallet", remedy: "connect" });
  if (problem) return waiting(problem, true);
  if (amount === null) return waiting("Enter an amount to see a price.");
  const terms = termsProblem(state);
  if (terms) return waiting(terms, (state.tab === "limit" ? limitOf : slicesOf)(state).problem !== null);
  if (!beneficiary.ok)
    return waiting(beneficiary.problem || "Enter the address that receives.", beneficiary.problem !== "");
  const lacking = shortfall(state);
  if (lacking) return blocked(notEnough(state, lacking));
  if (state.quoting && state.waitSecs)
    return waiting(`The service is busy. Asking again in ${state.waitSecs} s.`);
  if (!state.quote) return waiting("Asking for a price…");
  if (isPromised(state) && !state.acceptsPromise)
    return waiting("Accept the bridge’s promise, or choose another token.");
  if (isStale(state) && !state.quoting) return blocked(stalePrice());
  const age = state.ageSecs === 1 ? "1 s" : `${state.ageSecs} s`;
  return {
    text: state.quoting ? "Refreshing the price…" : `Price ${age} old`,
    failure: null,
    ready: !state.quoting && !state.busy,
    wrong: false,
  };
}

/** Raw units of the source token that are missing for the most this swap may spend; null when it can be paid. */
function shortfall(state: State): string | null {
  const balance = balanceOf(state, state.src);
  const { amount } = amountOf(state);
  const needed =
    state.side === "SELL"
      ? amount
      : state.tab === "limit"
        ? limitAmountOf(state)
        : state.quote && maxSpent(state.quote, state.slippageBps);
  if (balance === null || needed === null) return null;
  const lacking = BigInt(needed) - BigInt(balance);
  return lacking > 0n ? lacking.toString() : null;
}

/** What is missing of a limit, or of slices. */
function termsProblem(state: State): string | null {
  if (state.tab === "limit") return limitOf(state).problem ?? (limitAmountOf(state) ? null : "Enter your limit.");
  return state.tab === "twap" && slicesOf(state).numSlices === null
    ? (slicesOf(state).problem ?? "Enter the number of slices.")
    : null;
}

function blocked(failure: Failure): Standing {
  return { text: failure.message, failure, ready: false, wrong: true };
}

function waiting(text: string, wrong = false): Standing {
  return { text, failure: null, ready: false, wrong };
}
