import type { Check } from "verified-swap";
import type { VNode } from "preact";
import { messages } from "../messages/en.ts";
import { consequenceOf, counted, countJudged, failedChecks, isAllowed, nameOf, readerOf, valueOf } from "../state/checks.ts";
import { CheckGroups, Unjudged } from "./check-groups.tsx";
import { useScene } from "./context.ts";
import { refusalWords } from "../state/refusal-words.ts";
import { ReportButtons } from "./technical.tsx";

const texts = messages.review;
const STOP = "M7 3h6l4 4v6l-4 4H7l-4-4V7zM10 6.500v4.200m0 2.600v.200";
const WALLET = "M3 6.500h12.500A1.500 1.500 0 0 1 17 8v7a1.500 1.500 0 0 1-1.500 1.500h-11A1.500 1.500 0 0 1 3 15zM3 6.500 13 3.500v3M13.500 11.500h.01";

/** A refusal: what was asked for, what the service put, what that would have done, and that nothing happened. */
export function Refused(): VNode | null {
  const { state, swap } = useScene();
  const { refusal, prompts } = state;
  if (!refusal) return null;
  const words = refusalWords(refusal, state);
  const { report, field = "", expected = "", actual = "" } = refusal;
  const main: Check = { field, expected, actual, verdict: "mismatch" };
  const consequence = consequenceOf(main, state);
  const others = report ? failedChecks(report).filter((check) => check.field !== field || check.actual !== actual) : [];
  const reader = readerOf(state, report);
  return (
    <section class="stage refused" aria-labelledby="refused-title">
      <div class="title">
        <span class="stop">
          <Drawing path={STOP} />
        </span>
        <h1 id="refused-title" tabIndex={-1}>
          {words.title}
        </h1>
      </div>
      <p class="sentence">{words.sentence}</p>
      <div class="never-opened">
        <Drawing path={WALLET} />
        <div>
          <h2>{prompts === 0 ? texts.refusal.neverOpened : texts.refusal.notAgain}</h2>
          <p class="quiet">{texts.refusal.prompts(prompts)}</p>
        </div>
      </div>
      <dl class="sides">
        <div>
          <dt>{isAllowed(main, state) ? texts.allows : texts.asked}</dt>
          <dd>{words.asked}</dd>
        </div>
        <div class="differs">
          <dt>{texts.served}</dt>
          <dd>
            <Marked text={words.received} other={words.asked} />
          </dd>
        </div>
      </dl>
      {consequence && (
        <div class="consequence">
          <h2>{texts.refusal.worse}</h2>
          <p>{consequence}</p>
        </div>
      )}
      <p class="quiet failed-field">{texts.refusal.checkFailed(field || "unknown")}</p>
      {others.length > 0 && (
        <div class="also-failed">
          <h2>{texts.refusal.alsoFailed}</h2>
          <ul>
            {others.map((check, place) => (
              <li key={place}>
                {nameOf(check.field)}: {valueOf(check.field, check.actual, reader, true)}.{" "}
                {consequenceOf(check, state)}
              </li>
            ))}
          </ul>
        </div>
      )}
      {report && (
        <div class="checks-all">
          <h2>{texts.failed(counted(report, "mismatch"), countJudged(report))}</h2>
          <CheckGroups report={report} signing={texts.served} />
          <p class="quiet">{texts.passed(counted(report), counted(report, "unusual"))}</p>
          <Unjudged report={report} />
        </div>
      )}
      <div class="action">
        {report && (
          <>
            <p class="quiet">{texts.refusal.tell}</p>
            <ReportButtons report={{ field, expected, actual, ...report }} />
          </>
        )}
        <button type="button" class="primary" onClick={() => swap.compose()}>
          {state.tab === "otc" ? texts.back : texts.refusal.newPrice}
        </button>
      </div>
    </section>
  );
}

/** What differs, marked: the characters of an address, otherwise all of it. */
function Marked({ text, other }: { text: string; other: string }): VNode {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text) || !/^0x[0-9a-fA-F]{40}$/.test(other)) return <mark>{text}</mark>;
  const isEqual = (place: number): boolean => text[place]?.toLowerCase() === other[place]?.toLowerCase();
  // A digit or two are equal by chance.
  const same = (place: number): boolean =>
    [0, 1, 2, 3].some((back) => [0, 1, 2, 3].every((step) => isEqual(place - back + step)));
  const runs: { text: string; same: boolean }[] = [];
  for (let place = 0; place < text.length; place++) {
    const last = runs.at(-1);
    if (last?.same === same(place)) last.text += text[place];
    else runs.push({ text: text[place] ?? "", same: same(place) });
  }
  return <>{runs.map((run) => (run.same ? run.text : <mark>{run.text}</mark>))}</>;
}

function Drawing({ path }: { path: string }): VNode {
  return (
    <svg viewBox="0 0 20 20" class="icon" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  );
}
