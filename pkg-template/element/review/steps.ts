// The prompts of the wallet as steps, each with its sentence and its button.
import type { Prompt } from "../../src/types/prompt.ts";
import type { ReviewStep } from "../../src/types/trade.ts";
import type { SwapReview } from "../../src/types/swap.ts";
import { spanOf, whoIs, type Reading } from "./reading.ts";

/** The effect of a prompt. */
export type StepName =
  | "allow" | "reset" | "permit" | "sign" | "send" | "consent" | "deposit" | "sendBoth" | "consentBoth" | "cancelSigned" | "cancelSent" | "withdraw";

/** A prompt of the wallet. */
export interface Step extends Omit<ReviewStep, "purpose"> {
  name: StepName;
}

/** The prompts of a review in order, and the place of the next one. */
export function stepsOf(review: SwapReview): { steps: Step[]; now: number } {
  const { prompt, stepsDone } = review;
  const all = review.steps.map(({ purpose, ...step }, place): Step => ({ ...step, name: nameOf(purpose, place, review) }));
  // A permit that may not be possible, and the approvals in its place, are one step.
  const isEither = all[0]?.name === "permit" && !all[0].isCertain;
  const steps = isEither ? all.filter(({ name }, place) => place === 0 || (name !== "allow" && name !== "reset")) : all;
  const last = Math.max(0, steps.length - 1);
  if (!prompt) return { steps, now: Math.min(isEither ? Math.min(stepsDone, 1) : stepsDone, last) };
  const name = nameOfPrompt(prompt, review);
  const found = steps.findIndex((step) => step.name === name);
  const now = found >= 0 ? found : name === "allow" || name === "reset" ? 0 : Math.min(stepsDone, last);
  const step = { name, paysGas: !prompt.hardware, isCertain: true };
  return { steps: steps.length > 0 ? steps.map((other, place) => (place === now ? step : other)) : [step], now };
}

function nameOf(purpose: ReviewStep["purpose"], place: number, review: SwapReview): StepName {
  const { build, approval, steps } = review;
  // An approval without a prompt of its own goes with the trade.
  const isBoth = approval !== null && !steps.some((step) => ["approve", "permit"].includes(step.purpose));
  if (purpose === "permit") return "permit";
  if (purpose === "approve") return approval?.resetFirst && steps[place + 1]?.purpose === "approve" ? "reset" : "allow";
  if (purpose === "presign") return steps[place - 1]?.purpose === "order" ? "deposit" : isBoth ? "consentBoth" : "consent";
  if (purpose === "cancelOrders") return "cancelSigned";
  if (build.kind === "transaction") return build.purpose === "withdraw" ? "withdraw" : "cancelSent";
  return purpose === "order" ? "sign" : isBoth ? "sendBoth" : "send";
}

function nameOfPrompt({ purpose, parts }: Prompt, review: SwapReview): StepName {
  if (purpose === "approve") return parts.length === 1 && parts[0]?.approval?.amount === "0" ? "reset" : "allow";
  const place = review.steps.map((step) => step.purpose).lastIndexOf(purpose);
  const name = nameOf(purpose, place, review);
  const isBoth = parts.some(({ approval }) => approval);
  if (name === "send" || name === "sendBoth") return isBoth ? "sendBoth" : "send";
  if (name === "consent" || name === "consentBoth") return isBoth ? "consentBoth" : "consent";
  return name;
}

/** The allowance that a step gives: the contract, the sum, and until when. */
export interface Allowance {
  spender: string;
  sum: string;
  symbol: string;
  until: number | null;
}

/** The allowance of a step: that of its prompt, else of the approval that the build lacks; null if none. */
export function allowanceOf({ name }: Step, { prompt, approval, build }: SwapReview, { sum }: Reading): Allowance | null {
  const part = prompt?.parts.find((own) => own.approval && own.approval.amount !== "0")?.approval;
  const given = prompt?.permit ?? part ?? approval;
  if (!given) return null;
  // A permit is for this trade alone. An approval that goes with the trade covers open orders, as one before it does.
  const isOwn = given === approval && name === "permit";
  const text = sum(isOwn && "maxSpent" in build ? build.maxSpent : given.amount, { chainId: build.chainId, token: given.token }, "exact");
  return { spender: given.spender, sum: text, symbol: text.replace(/^\S+ /, ""), until: prompt?.permit?.deadline ?? null };
}

/** The sentence of a step, such as `let Delta 0x8aBb…b720 take exactly 100 USDC`. */
export function stepWords({ name }: Step, allowance: Allowance | null, review: SwapReview, reading: Reading): string {
  const texts = reading.words.review.step;
  if (name === "withdraw" || name === "cancelSigned" || name === "cancelSent" || name === "sign" || name === "send" || name === "consent") return texts[name];
  if (name === "deposit") return texts.deposit(spenderOf(review, reading), paidOf(review, reading));
  const { spender, sum, symbol } = allowance ?? { spender: "", sum: "", symbol: "" };
  const who = whoIs(spender, reading);
  if (name === "reset") return texts.reset(who, symbol);
  if (name === "permit") return texts.permit(who, sum);
  if (name === "allow") return texts.allow(who, sum);
  return texts.both(texts.allow(who, sum), texts[name === "sendBoth" ? "send" : "consent"]);
}

/** The label of the button that opens it. */
export function buttonWords({ name }: Step, allowance: Allowance | null, review: SwapReview, reading: Reading): string {
  const texts = reading.words.review.buttons;
  if (name === "allow") return texts.allow(allowance?.sum ?? "");
  if (name === "reset") return texts.reset(allowance?.symbol ?? "");
  if (name === "deposit") return texts.deposit(paidOf(review, reading));
  return texts[name];
}

/** The line behind a step: until when it can be used, or for what else it is. */
export function stepNote({ name }: Step, allowance: Allowance | null, { approval }: SwapReview, { words }: Reading): string | null {
  const texts = words.review.step;
  const until = allowance?.until ?? null;
  if (name === "permit") return until === null ? texts.permitPlain : texts.until(spanOf(until, words));
  return ["allow", "consentBoth"].includes(name) && approval && approval.forOpenOrders !== "0" ? texts.openOrders : null;
}

function paidOf({ build, prompt }: SwapReview, { sum, src }: Reading): string {
  const sent = prompt?.parts.reduce((total, { value }) => total + BigInt(value ?? "0"), 0n) ?? 0n;
  return "maxSpent" in build ? sum(sent > 0n ? sent.toString() : build.maxSpent, src, "exact") : "";
}

function spenderOf({ build }: SwapReview, reading: Reading): string {
  return "maxSpent" in build ? whoIs(build.spender, reading) : "";
}
