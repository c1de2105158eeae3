import type { VNode } from "preact";
import { NATIVE_TOKEN } from "verified-swap";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SwapReview, SwapState } from "../../src/types/swap.ts";
import type { Transaction } from "../../src/types/values.ts";
import { percent } from "../format.ts";
import type { Words } from "../messages.ts";
import { Icon } from "../parts/icon.tsx";
import { AddressText, Heading, Row, Rows, Sum } from "../parts/text.tsx";
import { trusted, useNow, useScene, type Scene } from "../scene.ts";
import { Cancelled } from "./cancelling.tsx";
import { CheckList } from "./check-list.tsx";
import { Facts } from "./facts.tsx";
import { Failure } from "./failure.tsx";
import { Consents, consentsOf, type Consent } from "./questions.tsx";
import { readingOf, type Reading } from "./reading.ts";
import { allowanceOf, buttonWords, stepNote, stepsOf, stepWords, type Step, type StepName } from "./steps.ts";
import { Signed, Technical } from "./technical.tsx";
import { isWalletOpen, WalletOpen } from "./wallet-open.tsx";

/** From here on the user has to know how far a price is below the market, in bps. */
const FAR_BPS = 1_000;
const FAR = "far";

/** The review of what is about to be agreed to: facts, the next prompt, its button, then every check. */
export function Review(): VNode {
  const scene = useScene();
  const { state, words } = scene;
  const { review } = state;
  if (!review) return <Waiting />;
  const reading = readingFor(review, scene);
  const { steps, now } = stepsOf(review);
  const step = steps[now];
  const title = titleOf(steps);
  const isSent = "transaction" in review.build || (review.build.kind === "prompt" && step?.paysGas === true);
  return (
    <div class="review">
      <Title>{words.review.titles[title]}</Title>
      {title === "cancel" && <Cancelled review={review} />}
      {title === "withdraw" && "transaction" in review.build && <Withdrawn transaction={review.build.transaction} />}
      {review.figures && <Facts review={review} figures={review.figures} />}
      {step && <StepLine review={review} steps={steps} now={now} reading={reading} />}
      {step ? <Action review={review} step={step} reading={reading} /> : state.failure && <Failure failure={state.failure} />}
      {review.build.report.checks.length > 0 && <CheckList report={review.build.report} reading={reading} />}
      <Signed sentence={(review.prompt ?? review.build.report).sentence} isSent={isSent} />
      <Technical review={review} />
    </div>
  );
}

/** The contract that pays out a deposit, and the amount, as the last word of the calldata has it. */
function Withdrawn({ transaction: { to, data, chainId } }: { transaction: Transaction }): VNode {
  const texts = useScene().words.review.wallet;
  const amount = BigInt(`0x${data.slice(-64)}`).toString();
  return (
    <Rows>
      <Row name={texts.amount}><Sum chainId={chainId} token={NATIVE_TOKEN} decimals={18} amount={amount} isExact /></Row>
      <Row name={texts.contract}><AddressText address={to} /></Row>
    </Rows>
  );
}

/** A view without a review: it is being built, or could not be. */
function Waiting(): VNode {
  const { state, words } = useScene();
  return (
    <div class="review">
      <Title>{words.review.titles.sign}</Title>
      {state.failure ? <Failure failure={state.failure} /> : <p class="quiet">{state.busy && words.review.busy[state.busy]}</p>}
    </div>
  );
}

function Title({ children }: { children: string }): VNode {
  const { swap, words } = useScene();
  return (
    <div class="review-title">
      <button type="button" class="icon-button" aria-label={words.review.back} onClick={() => swap.back()}>
        <Icon name="back" />
      </button>
      <Heading>{children}</Heading>
    </div>
  );
}

/** The reading of a review. */
function readingFor({ figures, build }: SwapReview, scene: Scene): Reading {
  const traded = "maxSpent" in build ? build : null;
  return readingOf(scene, { figures, report: build.report, build: traded, feeBps: traded?.feeBps ?? null });
}

const TITLES: Partial<Record<StepName, keyof Words["review"]["titles"]>> = {
  send: "send", sendBoth: "send", consent: "consent", consentBoth: "consent", cancelSigned: "cancel", cancelSent: "cancel",
  withdraw: "withdraw",
};

/** The title, by the prompt that the trade is about. */
function titleOf(steps: readonly Step[]): keyof Words["review"]["titles"] {
  const isApproval = steps.length > 0 && steps.every(({ name }) => name === "allow" || name === "reset");
  return isApproval ? "allow" : steps.map(({ name }) => TITLES[name]).find((title) => title !== undefined) ?? "sign";
}

interface StepProps {
  review: SwapReview;
  reading: Reading;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `Step 1 of 2: let Delta 0x8aBb…b720 take exactly 100 USDC (gas)`, and the prompts after it. */
function StepLine({ review, steps, now, reading }: StepProps & { steps: readonly Step[]; now: number }): VNode {
  const texts = reading.words.review.step;
  const heading = useStepFocus(steps[now]?.name);
  const wordsOf = (step: Step): string => {
    const gas = step.paysGas ? texts.gas : texts.noGas;
    const cost = step.isCertain ? gas : `${gas}, ${step.name === "permit" ? texts.elseApproval : texts.uncertain}`;
    return `${stepWords(step, allowanceOf(step, review, reading), review, reading)} (${cost})`;
  };
  const step = steps[now];
  const note = step && stepNote(step, allowanceOf(step, review, reading), review, reading);
  return (
    <section class="review-step">
      <h3 tabIndex={-1} ref={heading}>
        {step && (steps.length > 1 ? texts.of(now + 1, steps.length) + wordsOf(step) : capital(wordsOf(step)))}
      </h3>
      {note && <p class="quiet">{note}</p>}
      {steps.length > now + 1 && (
        <ol class="review-plan" start={now + 2} aria-label={texts.plan}>
          {steps.slice(now + 1).map((next) => <li key={next.name}><bdi>{capital(wordsOf(next))}</bdi></li>)}
        </ol>
      )}
    </section>
  );
}

/**
 * Moves the focus to the heading of a step that took the place of another one, so that its button is not pressed by mistake;
 * and where the button that had it went away.
 */
function useStepFocus(name: StepName | undefined): { current: HTMLHeadingElement | null } {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef({ name, hadFocus: false });
  useLayoutEffect(() => {
    const root = heading.current?.getRootNode();
    const hasFocus = root instanceof ShadowRoot && root.activeElement !== null;
    const isLost = before.current.hadFocus && !hasFocus && document.activeElement === document.body;
    if (before.current.name !== name || isLost) heading.current?.focus({ preventScroll: isLost });
    before.current = { name, hadFocus: hasFocus || isLost };
  });
  return heading;
}

/** The questions, and the one button; or the open wallet, a failure, a newer price. */
function Action({ review, step, reading }: StepProps & { step: Step }): VNode {
  const { swap, state, words } = useScene();
  const [accepted, setAccepted] = useState<string[]>([]);
  const { moved, failure, busy } = state;
  useRenewal(review, words);
  if (failure) return <Failure failure={failure} />;
  if (moved) return <Moved review={review} moved={moved} reading={reading} onTake={() => setAccepted([])} />;
  if (isWalletOpen(busy)) return <WalletOpen review={review} step={step} reading={reading} />;
  const isWaiting = busy !== null;
  const consents = consentsAsked(review, words);
  const isHeld = consents.some(({ id }) => !accepted.includes(id));
  const confirm = trusted<MouseEvent>(({ detail }) => {
    // The second click of a double click was meant for what was there at the first; a newer review may wait to be drawn.
    if (isWaiting || isHeld || detail > 1 || swap.state.review !== review) return;
    swap.confirm(accepted.filter((id) => !id.startsWith(FAR)));
  });
  return (
    <div class="review-action">
      <Consents consents={consents} accepted={accepted} onChange={setAccepted} />
      <p class="quiet" aria-live={isWaiting ? "polite" : undefined}>
        {isWaiting ? words.review.busy[busy] : isHeld ? words.review.open.accept : <Age state={state} />}
      </p>
      <button type="button" class="primary" aria-disabled={isWaiting || isHeld} onClick={confirm}>
        {buttonWords(step, allowanceOf(step, review, reading), review, reading)}
      </button>
    </div>
  );
}

/** The ticks before the next prompt: the package's questions, and a price far below the market. */
function consentsAsked({ questions, figures, isAgreed }: SwapReview, words: Words): Consent[] {
  const far = figures?.belowMarketBps ?? 0;
  const isAsked = isAgreed || questions.some(({ reason }) => reason === "slippageHigh");
  const own = far >= FAR_BPS && !isAsked ? [{ id: `${FAR} ${figures?.src.token} ${figures?.dest.token} ${figures?.payAtMost}`, text: words.review.open.far(percent(far)) }] : [];
  return [...own, ...consentsOf(questions, words)];
}

/** A price that took the place of the first one is announced once: nothing of it needs the user. */
function useRenewal(review: SwapReview, words: Words): void {
  const { announce } = useScene();
  useEffect(() => {
    if (review.isRenewed) announce(words.review.open.notWorse);
  }, [review.isRenewed]);
}

/** The age of the price, in steps of ten seconds. */
function Age({ state }: { state: SwapState }): VNode | null {
  const now = useNow();
  const { quote, figures, isAgreed } = state.review ?? {};
  // The user's own price has no age.
  if (!quote || isAgreed || figures?.kind === "limit") return null;
  const secs = Math.max(0, now - Math.floor(quote.receivedAtMs / 1000));
  return <>{useScene().words.review.age(secs - (secs % 10))}</>;
}

/** A newer price that is worse, or another trade: the old and the new number, and whether the user takes it. */
function Moved({ review, moved, reading, onTake }: StepProps & { moved: SwapReview; onTake(): void }): VNode {
  const { swap, words } = useScene();
  const take = trusted<MouseEvent>(({ detail }) => {
    if (detail > 1 || swap.state.moved !== moved) return;
    swap.accept();
    onTake();
  });
  return (
    <div class="review-action">
      <p role="alert">{movedWords(review, moved, reading)}</p>
      <button type="button" class="primary" onClick={take}>{words.review.buttons.take}</button>
    </div>
  );
}

function movedWords({ figures: before }: SwapReview, { figures: after }: SwapReview, { sum, words }: Reading): string {
  const texts = words.review.open.moved;
  if (!before || !after) return texts.other;
  const name = after.side === "BUY" ? "payAtMost" : after.arrival === "promised" ? "get" : "getAtLeast";
  const place = after.side === "BUY" ? after.src : after.dest;
  const [was, now] = [before[name], after[name]];
  if (was === null || now === null || was === now) return texts.other;
  const [wasText, nowText] = [was, now].map((amount) => sum(amount, place, after.side === "BUY" ? "up" : "down"));
  // A difference that six digits do not show has all of them.
  const [old, fresh] = wasText === nowText ? [sum(was, place, "exact"), sum(now, place, "exact")] : [wasText ?? "", nowText ?? ""];
  return texts[name === "payAtMost" ? "pay" : name === "get" ? "promised" : "get"](fresh, old);
}
