import { twapSchedule } from "verified-swap";
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { briefPrice, CheckGroups, counted, Technical, Unjudged } from "../../../examples/review-components/src/index.ts";
import { messages } from "../messages/en.ts";
import { readerOf } from "../state/checks.ts";
import { stalePrice } from "../state/failure.ts";
import { percent } from "../state/money.ts";
import {
  isConsent,
  isOnePrompt,
  isStale,
  isUnlisted,
  isPriced,
  nameChains,
  QUOTE_LIFE_SECS,
  waitsFor,
  type Build,
  type State,
} from "../state/state.ts";
import { lacksConsent } from "../state/consents.ts";
import { movedWords, reviewOf } from "../state/renewal.ts";
import type { Failure, Remedy } from "../state/parts.ts";
import { askedNext, isLast, isOfOther, lastStep } from "../state/steps.ts";
import { nowSecs } from "../client/terms.ts";
import { buildLines, planOf } from "./build-lines.ts";
import { busyWords } from "./busy.ts";
import { Consents } from "./consents.tsx";
import { useScene } from "./context.ts";
import { AgeRing } from "./parts/age-ring.tsx";
import { Choice } from "./parts/choice.tsx";
import { Icon } from "./parts/icon.tsx";
import { Lines } from "./parts/lines.tsx";
import { UnlistedWarning } from "./parts/unlisted.tsx";
import { BuildRail } from "./rail.tsx";
import { Schedule } from "./schedule.tsx";
import { SpenderBeside, StepPanel, Steps, titleOf } from "./step-panel.tsx";
import { boundOf } from "./price-check.ts";
import { Message } from "./trouble.tsx";

const texts = messages.review;
const CONSENTS = [
  ["signature", texts.consentBy.signature],
  ["transaction", texts.consentBy.transaction],
] as const;

/** What the user is about to permit, sign or send: each prompt of the wallet before it opens. */
export function Review(): VNode {
  const { state, store, swap } = useScene();
  const busy = waitsFor(state);
  const asked = askedNext(state);
  const last = lastStep(state);
  const isCancel = asked?.kind === "cancel";
  // Orders that are cancelled by a signature have nothing to do with what was built before.
  const build = (isCancel && asked.isSigned) || isOfOther(asked, state) ? null : state.build;
  // What is held back is all there is to see, until the order is built.
  const title = texts.titles[asked && (isLast(asked) || !build) ? asked.kind : last];
  const heading = useRef<HTMLHeadingElement>(null);
  const step = `${asked?.kind} ${build && reviewOf(state, build)}`;
  const before = useRef(step);
  // Another step, or another review, has another button in the same place: nobody presses it by mistake, and its heading
  // is read. A renewed build is the same review: who reads it stays where they are.
  useLayoutEffect(() => {
    if (before.current !== step) (document.getElementById("step-title") ?? heading.current)?.focus();
    before.current = step;
  });
  const hasConsent = build?.kind === "delta" && (state.hasCode || state.together) && !state.asked && !state.isHeld;
  return (
    <section class={build ? "stage review" : "stage review alone"} aria-labelledby="review-title">
      <div class="title">
        <button
          type="button"
          class="quiet-button"
          aria-label={isCancel && asked.from !== "compose" ? texts.backThere : texts.back}
          disabled={busy !== null}
          onClick={() => swap.back()}
        >
          <Icon name="back" />
        </button>
        <h1 id="review-title" tabIndex={-1} ref={heading}>
          {title}
        </h1>
      </div>
      {build && (
        <div class="said">
          <p class="sentence">
            <Said text={nameChains(state, build.report.sentence)} />
          </p>
          {build.kind === "delta" && <BuildRail build={build} />}
          <Unlisted build={build} />
        </div>
      )}
      <Steps />
      <div class="review-body">
        <div class="review-side">
          {asked && <StepPanel asked={asked} />}
          {build && <Lines lines={buildLines(state, build)} ticked />}
          {build && <Slices build={build} />}
        </div>
        {build && <Checks build={build} signing={texts.signing[last]} />}
        {state.asked?.kind === "permit" && <Technical payload={state.asked.data} reader={readerOf(state)} />}
      </div>
      <div class="review-end">
        {hasConsent && (
          <Choice
            name="consent"
            legend={texts.consentBy.legend}
            options={CONSENTS}
            value={isConsent(state) ? "transaction" : "signature"}
            onChoose={(consent) => store.set({ consent, failure: null })}
          />
        )}
        <Plan />
      </div>
      <Confirm build={build} />
    </section>
  );
}

/** The package's own words, all of them; addresses do not shout. */
function Said({ text }: { text: string }): VNode {
  const parts = text.split(/(0x[0-9a-fA-F]+(?:\.{3}[0-9a-fA-F]+)?)/);
  return <>{parts.map((part, place) => (place % 2 === 1 ? <span class="mono">{part}</span> : part))}</>;
}

/** Tokens of no list, where some are traded. */
function Unlisted({ build }: { build: Build }): VNode | null {
  const { state } = useScene();
  const { src, dest } = state.pair ?? state;
  if (build.kind === "transaction") return null;
  return <>{[src, dest].map((token) => isUnlisted(token) && <UnlistedWarning key={token.address} token={token} />)}</>;
}

/** How many checks passed, what nobody can judge, and all of them side by side. */
function Checks({ build, signing }: { build: Build; signing: string }): VNode {
  const { state } = useScene();
  const { report } = build;
  const reader = readerOf(state, report);
  const unusual = counted(report, "unusual");
  return (
    <div class="checks-all">
      <p class={unusual > 0 ? "checks-count unusual" : "checks-count"}>
        <Icon name={unusual > 0 ? "warning" : "tick"} /> {texts.passed(counted(report), unusual)}
      </p>
      <Distance build={build} />
      <CheckGroups key={reviewOf(state, build)} report={report} signing={signing} reader={reader} />
      <Unjudged report={report} reader={reader} />
      <Technical report={report} payload={"transaction" in build ? build.transaction : null} reader={reader} />
    </div>
  );
}

/** How far what is guaranteed lies from the quote, and from what others say it is worth. */
function Distance({ build }: { build: Build }): VNode | null {
  const { distanceBps, price } = build.report;
  const bound = boundOf(build);
  const words = [
    // One's own price has nothing to do with the quote.
    distanceBps !== undefined && bound !== "own" && texts.distance(percent(distanceBps), bound === "most"),
    price && price.belowBps !== null && texts.judged[bound](briefPrice(price.text)),
  ].filter(Boolean);
  return words.length > 0 ? <p class="quiet">{words.join(" ")}</p> : null;
}

/** The wallet's prompts, in words. */
function Plan(): VNode | null {
  const { state } = useScene();
  const { build, asked, failure } = state;
  if (!build || asked) return null;
  const consents = isConsent(state) || failure?.remedy === "consent";
  return <p class="plan quiet">{planOf(build, (state.pair ?? state).src, consents, isOnePrompt(state))}</p>;
}

/** Of a failure: its button does what was under review. */
const GOES_ON: readonly Remedy[] = ["confirm", "approve", "consent", "replace"];

/** The one button, and what it will do. */
function Confirm({ build }: { build: Build | null }): VNode {
  const { state, store, swap } = useScene();
  const { ageSecs, build: drawn } = state;
  const busy = waitsFor(state);
  const question = busy ? null : movedWords(state);
  const moved: Failure | null = question === null ? null : { message: question, button: texts.moved.take, remedy: "take" };
  const failure = state.failure ?? moved ?? (isOld(state) && !busy ? stalePrice() : null);
  const isAging = isPriced(build);
  const goesOn = failure === null || GOES_ON.includes(failure.remedy);
  const mayAsk = build !== null || state.questions.length > 0;
  const isHeldBack = mayAsk && !busy && goesOn && lacksConsent(state);
  const words = busy
    ? busyWords(busy)
    : (isHeldBack ? texts.accept : isAging ? texts.age(ageSecs) : "");
  // The second click of a double click was meant for what was there at the first. A key's is none.
  const press = ({ detail }: MouseEvent): void => {
    // What is drawn is what is confirmed, and a newer build may wait to be drawn.
    if (busy || isHeldBack || detail > 1 || store.get().build !== drawn) return;
    if (failure) swap.remedy(failure);
    else void swap.confirm();
  };
  return (
      <div class="action">
        {!busy && <SpenderBeside />}
        {mayAsk && <Consents />}
        <div class="status">
          {!failure && !busy && isAging && <AgeRing spent={ageSecs / QUOTE_LIFE_SECS} />}
          <Message failure={failure} words={words} />
        </div>
        <button type="button" class="primary" aria-disabled={busy !== null || isHeldBack} onClick={press}>
          {failure?.button ?? buttonOf(state)}
        </button>
        <Otherwise failure={busy ? null : failure} />
      </div>
  );
}

/** What the user may choose instead of what is advised. */
function Otherwise({ failure }: { failure: Failure | null }): VNode | null {
  const { swap } = useScene();
  const other = failure?.other;
  if (!other) return null;
  return (
    <div class="choices-row">
      <button type="button" class="link" onClick={() => swap.remedy({ ...failure, ...other })}>
        {other.button}
      </button>
    </div>
  );
}

function buttonOf(state: State): string {
  const asked = askedNext(state);
  if (asked) return titleOf(asked, state);
  const last = lastStep(state);
  if (isOnePrompt(state) && state.build?.approval) return texts.buttons.together[last === "consent" ? last : "send"];
  return texts.buttons[last];
}

/** The slices of an order in parts over time. */
function Slices({ build }: { build: Build }): VNode | null {
  const { state } = useScene();
  const twap = build.kind === "delta" ? build.twap : undefined;
  const { src, dest } = state.pair ?? state;
  if (!twap) return null;
  const sells = state.side === "SELL";
  return <Schedule slices={twapSchedule(twap, nowSecs())} token={sells ? src : dest} sells={sells} />;
}

function isOld(state: State): boolean {
  return !isLast(state.asked) && isPriced(state.build) && isStale(state);
}
