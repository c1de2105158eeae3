import type { Approval } from "verified-swap";
import type { Asked, StepName } from "./parts.ts";
import { isConsent, isOnePrompt, type State } from "./state.ts";

/* The prompts of the wallet, each a step that is reviewed before it opens. */

export interface Step {
  name: StepName;
  state: "done" | "now" | "next";
}

/** What is asked for next beside the build: what the gate holds back, or the approval that the build lacks. */
export function askedNext(state: State): Asked | null {
  const { asked, build } = state;
  if (asked) return asked;
  return build?.approval && !isOnePrompt(state) ? allowing(build.approval) : null;
}

export function allowing({ resetFirst, token, spender, amount }: Approval): Asked {
  return { kind: resetFirst ? "reset" : "allow", token, spender, amount };
}

/** What the last prompt of a trade is for. */
export function lastStep(state: State): "sign" | "send" | "consent" {
  if (isConsent(state)) return "consent";
  const { build, quote } = state;
  return (build ? build.kind === "delta" || build.kind === "otc" : quote?.kind !== "market") ? "sign" : "send";
}

/** Every prompt of the trade under review, in order. */
export function stepsOf(state: State): Step[] {
  const { build, stepsDone } = state;
  const last = lastStep(state);
  const now = askedNext(state)?.kind ?? null;
  const ahead: StepName[] = now ? [now] : [];
  if (now === "reset") ahead.push("allow");
  const isBoth = isOnePrompt(state) && build?.approval;
  if (now !== "deposit") ahead.push(isBoth ? (last === "consent" ? "consentBoth" : "sendBoth") : last);
  const isNativeSale = build?.kind === "delta" && (state.pair ?? state).src.kind === "native" && last === "sign";
  if (isNativeSale && now !== "deposit") ahead.push("deposit");
  return [
    ...stepsDone.map((name) => ({ name, state: "done" as const })),
    ...ahead.map((name, place) => ({ name, state: place === 0 ? ("now" as const) : ("next" as const) })),
  ];
}
