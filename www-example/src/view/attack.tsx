import type { TradeError } from "verified-swap";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { countJudged, isAllowed, refusalWords } from "../../../examples/review-components/src/index.ts";
import { messages } from "../messages/en.ts";
import { ATTACKS, countScore, untoldAfter, type AttackRun } from "../state/attack.ts";
import { readerOf } from "../state/checks.ts";
import type { State } from "../state/state.ts";
import { useScene } from "./context.ts";
import { Icon } from "./parts/icon.tsx";

const texts = messages.attack;
const PANEL = "attack-panel";

/** For the first screen: tells the next lie, says which one is told, and in the end the score. */
export function AttackButton(): VNode {
  const { attacks, state } = useScene();
  const { attack, attackShown, score, account, busy } = state;
  const untold = untoldAfter(undefined, score);
  function press(): void {
    if (!attack && untold && account) {
      if (!busy) void attacks.start(untold);
      return;
    }
    attacks.show(true);
    // A panel that is open already, as on a wide screen, is gone to.
    panelHeading()?.focus();
  }
  return (
    <button
      type="button"
      class={`attack-button ${attack ? "running" : untold ? "" : "over"}`}
      aria-expanded={attackShown}
      aria-controls={PANEL}
      aria-disabled={busy !== null}
      onClick={press}
    >
      {attack ? texts.running : untold ? texts.makeItLie : scoreOf(state)}
    </button>
  );
}

/** `8 lies, 0 prompts`; what went through is said, too. */
function scoreOf({ score }: State): string {
  const { told, missed, prompts } = countScore(score);
  if (told === 0) return texts.title;
  return missed === 0 ? texts.score(told, prompts) : texts.scoreMissed(told, missed, prompts);
}

/** Beside the form, on a phone below it; there a sheet once it is asked for, which folds to its name and buttons in an attack. */
export function AttackPanel(): VNode {
  const { attacks, state } = useScene();
  const { attack, attackShown, unknownAttack } = state;
  const isOver = attack !== null && attack.step !== "lying";
  const before = useRef({ isOver, attackShown });
  useEffect(() => {
    const isNews = (isOver && !before.current.isOver) || (attackShown && !before.current.attackShown);
    if (isNews) panelHeading()?.focus();
    before.current = { isOver, attackShown };
  });
  function close(): void {
    attacks.show(false);
    // What had the focus is hidden now.
    (attack ? panelHeading() : document.querySelector<HTMLElement>(".attack-button"))?.focus();
  }
  return (
    <section
      id={PANEL}
      class={`card attack ${attack ? "running" : ""} ${attackShown ? "shown" : ""}`}
      aria-labelledby="attack-title"
      onKeyDown={({ key }) => key === "Escape" && close()}
    >
      <div class="attack-head">
        {attack && <p class="quiet">{texts.count(positionOf(attack), ATTACKS.length)}</p>}
        <h2 id="attack-title" tabIndex={-1}>
          {attack ? texts.list[attack.name].title : scoreOf(state)}
        </h2>
        <button
          type="button"
          class="quiet-button attack-close"
          aria-label={attack ? texts.story : texts.close}
          aria-expanded={attack ? attackShown : undefined}
          onClick={attack ? () => attacks.show(!attackShown) : close}
        >
          <Icon name={attack ? "down" : "cross"} />
        </button>
      </div>
      {unknownAttack !== null && <p role="alert" class="problem">{texts.unknown}</p>}
      {attack ? <Run run={attack} /> : <Choice />}
    </section>
  );
}

/** The eight, each to be told; of those that were, what stopped it, and what it would have done. */
function Choice(): VNode {
  const { attacks, state } = useScene();
  const { score, busy, account, tab, starting } = state;
  const { told, prompts } = countScore(score);
  const isHeldBack = busy !== null || account === null;
  const intro = account === null && starting === null ? texts.needsWallet : told === 0 ? texts.intro : texts.scoreIntro(prompts);
  return (
    <>
      <p class="quiet">{intro}</p>
      {tab !== "swap" && <p class="quiet">{texts.onSwap}</p>}
      <ol class="attack-list">
        {ATTACKS.map(({ name, path }) => {
          const one = score[name];
          return (
            <li key={name}>
              <button type="button" aria-disabled={isHeldBack} onClick={() => isHeldBack || void attacks.start(name)}>
                <span>
                  {texts.list[name].title}
                  {one && <small>{one.would}</small>}
                </span>
                {one ? (
                  <strong class={one.step}>
                    {one.step === "stopped" && <Icon name="tick" />}
                    {texts.told[one.step](one.walletRequests)}
                  </strong>
                ) : (
                  <small>{texts.paths[path]}</small>
                )}
              </button>
            </li>
          );
        })}
      </ol>
      {told > 0 && told < ATTACKS.length && (
        <button type="button" class="secondary" aria-disabled={isHeldBack} onClick={() => isHeldBack || void attacks.rest()}>
          {texts.rest(ATTACKS.length - told)}
        </button>
      )}
    </>
  );
}

function Run({ run }: { run: AttackRun }): VNode {
  const { attacks, state } = useScene();
  const isWaiting = run.step === "lying";
  const left = ATTACKS.length - countScore(state.score).told;
  return (
    <>
      {run.step !== "failed" && <Steps run={run} />}
      <p>{texts.list[run.name].change}</p>
      {run.refusal && <BeforeAndAfter refusal={run.refusal} />}
      <Outcome run={run} />
      <div class="buttons">
        <button type="button" class="secondary" aria-disabled={state.busy !== null} onClick={() => void attacks.end()}>
          {texts.end}
        </button>
        <button type="button" class="primary" aria-disabled={isWaiting} onClick={() => void (isWaiting || attacks.next())}>
          {left === 0 ? texts.showScore : texts.next}
        </button>
      </div>
      {left > 1 && (
        <button type="button" class="link attack-rest" aria-disabled={isWaiting} onClick={() => isWaiting || void attacks.rest()}>
          {texts.rest(left)}
        </button>
      )}
    </>
  );
}

const STEPS = ["asking", "lying", "stopped"] as const;

function Steps({ run }: { run: AttackRun }): VNode {
  const reached = STEPS.findIndex((step) => step === run.step);
  // What is over without a stop has come as far as the lie.
  const at = reached === -1 ? 1 : reached;
  return (
    <ol class="attack-steps">
      {STEPS.map((step, index) => (
        <li key={step} class={index <= at ? "reached" : ""} aria-current={index === at ? "step" : undefined}>
          {texts.steps[step]}
        </li>
      ))}
    </ol>
  );
}

/** As the refusal beside it shows them. */
function BeforeAndAfter({ refusal }: { refusal: TradeError }): VNode {
  const { state } = useScene();
  const reader = readerOf(state, refusal.report);
  const { name, asked, received } = refusalWords(refusal, reader);
  const { field = "", expected = "" } = refusal;
  return (
    <div class="attack-change">
      <h3>{name}</h3>
      <dl>
        <div>
          <dt>{isAllowed({ field, expected }, reader) ? reader.texts.allows : reader.texts.asked}</dt>
          <dd>{asked}</dd>
        </div>
        <div class="lied">
          <dt>{reader.texts.served}</dt>
          <dd>{received}</dd>
        </div>
      </dl>
    </div>
  );
}

function Outcome({ run: { step, refusal, walletRequests } }: { run: AttackRun }): VNode {
  const report = refusal?.report;
  const checks = report?.checks ?? [];
  const judged = report ? countJudged(report) : 0;
  const failed = checks.filter(({ verdict }) => verdict === "mismatch");
  return (
    <div class={`attack-outcome ${step}`}>
      <p role="status">{texts.outcome[step]}</p>
      {step === "stopped" && (
        <dl>
          <div>
            <dt>{texts.check}</dt>
            <dd class="mono">{refusal?.field}</dd>
            {checks.length > 0 && <dd class="quiet">{texts.counted(failed.length, judged)}</dd>}
          </div>
          <div>
            <dt>{texts.wallet}</dt>
            <dd class="quiet">{texts.walletAsked(walletRequests)}</dd>
          </div>
        </dl>
      )}
    </div>
  );
}

function positionOf(run: AttackRun): number {
  return ATTACKS.findIndex(({ name }) => name === run.name) + 1;
}

function panelHeading(): HTMLElement | null {
  return document.getElementById("attack-title");
}
