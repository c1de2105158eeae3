import type { VNode } from "preact";
import type { SwapReview, SwapState } from "../../src/types/swap.ts";
import { Icon } from "../parts/icon.tsx";
import { useScene } from "../scene.ts";
import { spanOf, whoIs, type Reading } from "./reading.ts";
import { allowanceOf, type Step } from "./steps.ts";
import { Member } from "./technical.tsx";

const SIGNATURES: readonly SwapState["busy"][] = ["signing", "permitting"];
const PROMPTS: readonly SwapState["busy"][] = [...SIGNATURES, "approving", "resetting", "sending", "presigning", "cancelling"];

/** Steps that let a contract take tokens; in the others the wallet shows the contract that is called. */
const GIVING: readonly Step["name"][] = ["allow", "reset", "permit", "sendBoth", "consentBoth"];

/** Whether the wallet is open, or about to. */
export const isWalletOpen = (busy: SwapState["busy"]): boolean => PROMPTS.includes(busy);

/** The open prompt: what to compare with the wallet's own display. */
export function WalletOpen({ review, step, reading }: { review: SwapReview; step: Step; reading: Reading }): VNode {
  const { state, words } = useScene();
  const texts = words.review.wallet;
  const { build } = review;
  const isSigned = SIGNATURES.includes(state.busy) || step.name === "cancelSigned";
  const allowance = GIVING.includes(step.name) ? allowanceOf(step, review, reading) : null;
  const until = state.hardware?.fields.find(({ path, value }) => /(deadline|expiry)$/i.test(path) && /^\d{9,12}$/.test(value))?.value;
  const isOrder = step.name === "sign" && build.kind === "delta";
  const contract = build.kind === "delta" ? build.spender : "transaction" in build ? build.transaction.to : null;
  const name = isOrder ? build.report.checks.find(({ field }) => field === "domain.name")?.actual : undefined;
  return (
    <section class="review-wallet">
      <p><Icon name="wallet" /> {isSigned ? texts.sign : texts.send}</p>
      {allowance ? (
        <>
          <Member name={texts.spender}>{whoIs(allowance.spender, reading, true)}</Member>
          <Member name={texts.amount}>{allowance.sum}</Member>
          {until && <Member name={words.review.facts.until}>{spanOf(Number(until), words)}</Member>}
        </>
      ) : (
        contract && <Member name={texts.contract}>{whoIs(contract, reading, true)}</Member>
      )}
      {name && <Member name={texts.name}>{name}</Member>}
      {state.hardware && (
        <>
          <Member name={texts.domainHash}>{state.hardware.domainHash}</Member>
          <Member name={texts.messageHash}>{state.hardware.messageHash}</Member>
        </>
      )}
    </section>
  );
}
