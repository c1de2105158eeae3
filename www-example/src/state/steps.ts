import type { Approval } from "verified-swap";
import type { Asked, StepName } from "./parts.ts";
import { isConsent, isOnePrompt, type State } from "./state.ts";

/* The prompts of the wallet, each a step that is reviewed before it opens. */

interface Step {
  name: StepName;
  state: "done" | "now" | "next";
}

/**
 * What is asked for next as a step of its own: what is held back, the approval that the build lacks, or the
 * cancellation that was built.
 */
export function askedNext(state: State): Asked | null {
  const { asked, build, pair } = state;
  if (asked) return asked;
  if (build?.kind === "transaction" && pair?.cancels)
    return {
      kind: "cancel",
      spender: build.transaction.to,
      isSigned: false,
      orders: [pair.cancels.order],
      from: pair.cancels.from,
    };
  return build?.approval && !isOnePrompt(state) ? allowing(build.approval) : null;
}

/** The steps that are done once that was approved. */
export function withAllowed({ stepsDone }: State, { resetFirst }: Approval): StepName[] {
  return [...stepsDone, ...(resetFirst ? (["reset"] as const) : []), "allow"];
}

function allowing({ resetFirst, token, spender, amount }: Approval): Asked {
  return { kind: resetFirst ? "reset" : "allow", token, spender, amount };
}

/** Whether it is a step of another order than the one that was built last. */
export function isOfOther(asked: Asked | null, { build }: State): boolean {
  if (!asked || !build || !("orderHash" in asked)) return false;
  return !("orderHash" in build) || build.orderHash !== asked.orderHash;
}

/** What the last prompt of a trade is for. */
export function lastStep(state: State): "sign" | "send" | "consent" {
  if (isConsent(state)) return "consent";
  const { build, quote } = state;
  return (build ? build.kind === "delta" : quote?.kind !== "market") ? "sign" : "send";
}

/** Whether nothing is asked for after it. */
export function isLast(asked: Asked | null): boolean {
  return asked !== null && ["deposit", "consent", "cancel"].includes(asked.kind);
}

/** Every prompt of the trade under review, in order. */
export function stepsOf(state: State): Step[] {
  const { build, stepsDone } = state;
  const last = lastStep(state);
  const asked = askedNext(state);
  const now = asked?.kind ?? null;
  const ahead: StepName[] = now ? [now] : [];
  if (now === "reset") ahead.push("allow");
  const isBoth = isOnePrompt(state) && build?.approval;
  if (!isLast(asked)) ahead.push(isBoth ? (last === "consent" ? "consentBoth" : "sendBoth") : last);
  const isNativeSale = build?.kind === "delta" && (state.pair ?? state).src.kind === "native" && last === "sign";
  if (isNativeSale && !isLast(asked)) ahead.push("deposit");
  return [
    ...(now === "cancel" ? [] : stepsDone).map((name) => ({ name, state: "done" as const })),
    ...ahead.map((name, place) => ({ name, state: place === 0 ? ("now" as const) : ("next" as const) })),
  ];
}
