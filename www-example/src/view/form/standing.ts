import { maxSpent } from "verified-swap";
import { beneficiaryOf } from "../../client/pricing.ts";
import { limitAmountOf, limitOf, mostOf, slicesOf } from "../../client/terms.ts";
import { messages } from "../../messages/en.ts";
import { lowPrice, notEnough, offline, stalePrice, troubleWords, unconnected } from "../../state/failure.ts";
import type { Failure } from "../../state/parts.ts";
import { amountOf, balanceOf, isPromised, isStale, type State } from "../../state/state.ts";
import { gasShareBps, USED_UP_BPS } from "../../state/worse.ts";

/* Whether the form can be reviewed, and what prevents it. */

interface Standing {
  text: string;
  failure: Failure | null;
  ready: boolean;
  /** Whether it is announced: something is wrong, not just missing or loading. */
  wrong: boolean;
}

const words = messages.form.standing;

/** The first thing that prevents a swap, if anything does. */
export function standing(state: State): Standing {
  const { amount, problem } = amountOf(state);
  const beneficiary = beneficiaryOf(state);
  if (!state.online) return blocked(offline(state.quote !== null));
  const lacking = shortfall(state);
  // That nobody offers so much is no news to whoever does not have it.
  if (lacking && state.failure?.remedy === "requote" && !state.failure.retryAt) return blocked(notEnough(state, lacking));
  if (state.failure?.remedy === "acceptCosts") return { ...blocked(state.failure), text: words.costly };
  if (state.failure?.ofAmount) return waiting(words.noPriceForAmount, true);
  if (state.failure) return blocked(state.failure);
  if (state.starting) return waiting(words.asking);
  if (!state.account) return blocked(unconnected());
  if (problem) return waiting(problem, true);
  if (amount === null) return waiting(words.enterAmount);
  const terms = termsProblem(state);
  if (terms) return waiting(terms.text, terms.problem !== null);
  if (!beneficiary.ok) return waiting(beneficiary.problem || words.enterReceiver, beneficiary.problem !== "");
  if (lacking) return blocked(notEnough(state, lacking));
  if (state.quoting && state.waitSecs) return waiting(words.busy(state.waitSecs));
  if (!state.quote) return waiting(words.asking);
  if ((gasShareBps(state.quote) ?? 0) >= USED_UP_BPS) return waiting(words.allGas, true);
  if (isPromised(state) && !state.acceptsPromise) return waiting(words.acceptPromise);
  if (isStale(state) && !state.quoting) return blocked(stalePrice());
  const low = state.quoting || state.busy ? null : lowPrice(state);
  if (low) return blocked(low);
  return {
    text: state.quoting ? words.refreshing : words.age(state.ageSecs),
    failure: null,
    ready: !state.quoting && !state.busy,
    wrong: false,
  };
}

/** Raw units of the source token that are missing for the most this swap may spend; null when it can be paid. */
export function shortfall(state: State): string | null {
  const balance = balanceOf(state, state.src);
  const { amount } = amountOf(state);
  const needed =
    state.side === "SELL"
      ? amount
      : state.tab === "limit"
        ? limitAmountOf(state)
        : state.tab === "twap"
        ? mostOf(state).amount
        : state.quote && maxSpent(state.quote, state.slippageBps);
  if (balance === null || needed === null) return null;
  const lacking = BigInt(needed) - BigInt(balance);
  return lacking > 0n ? lacking.toString() : null;
}

/** What is missing of a limit, or of slices, or wrong with it. */
function termsProblem(state: State): { text: string; problem: string | null } | null {
  const lacks = (problem: string | null, missing: string): ReturnType<typeof termsProblem> => ({ text: problem ?? missing, problem });
  if (state.tab === "limit") return limitAmountOf(state) ? null : lacks(limitOf(state).problem, words.enterLimit);
  if (state.tab !== "twap") return null;
  if (slicesOf(state).numSlices === null) return lacks(slicesOf(state).problem, words.enterSlices);
  return state.side === "SELL" || mostOf(state).amount ? null : lacks(mostOf(state).problem, words.enterMost);
}

function blocked(failure: Failure): Standing {
  return { text: troubleWords(failure), failure, ready: false, wrong: true };
}

function waiting(text: string, wrong = false): Standing {
  return { text, failure: null, ready: false, wrong };
}
