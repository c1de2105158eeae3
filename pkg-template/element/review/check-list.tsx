import type { VNode } from "preact";
import type { Check, Report } from "../../src/types/report.ts";
import { Icon } from "../parts/icon.tsx";
import { useScene } from "../scene.ts";
import { countsOf, groupsOf, isRule, isSender, nameOf, openWords, type CheckGroup } from "./checks.ts";
import { BY_APP, isBeforeFee, plain, valueOf, type Reading } from "./reading.ts";

const MARKS = { ok: "tick", unusual: "warning", mismatch: "cross", open: "unknown" } as const;

/** All checks, folded: how many passed, how many are not verifiable here, and each in its group. */
export function CheckList({ report, reading }: { report: Report; reading: Reading }): VNode {
  const texts = useScene().words.review.checks;
  const { judged, passed, unusual, failed, open } = countsOf(report);
  const verdict = failed > 0 ? "mismatch" : unusual > 0 ? "unusual" : "ok";
  // A prompt by itself has no list of those that passed.
  const counts = failed > 0 ? texts.failed(failed, judged) : passed > 0 && texts.passed(passed, judged);
  const words = [counts, unusual > 0 && texts.unusual(unusual)].filter(Boolean).join(", ");
  return (
    <details class="review-fold">
      <summary>
        {words && <><Mark verdict={verdict} /><bdi>{words}</bdi></>}
        {open > 0 && <span class="review-open"><Icon name="unknown" /> <bdi>{texts.notJudged(open)}</bdi></span>}
      </summary>
      {groupsOf(report, reading.isOwnTime).map((group) => <Group key={group.name} group={group} reading={reading} />)}
      {openWords(report, reading).map((text) => (
        <p key={text} class="review-group review-open"><Mark verdict="open" /> <bdi>{text}</bdi></p>
      ))}
    </details>
  );
}

function Mark({ verdict }: { verdict: keyof typeof MARKS }): VNode {
  const { marks } = useScene().words.review.checks;
  return (
    <span class={`review-mark ${verdict}`}>
      <Icon name={MARKS[verdict]} /><span class="visually-hidden">{marks[verdict]}: </span>
    </span>
  );
}

function Group({ group: { name, checks, verdict }, reading }: { group: CheckGroup; reading: Reading }): VNode {
  const texts = useScene().words.review.checks;
  const passed = checks.filter((check) => check.verdict === "ok").length;
  return (
    <details class={`review-group ${verdict}`} open={verdict !== "ok"}>
      <summary>
        <Mark verdict={verdict} /> <bdi>{texts.groups[name]}</bdi> <bdi class="review-count">{texts.count(passed, checks.length)}</bdi>
      </summary>
      <ul>{checks.map((check, place) => <CheckRow key={place} check={check} reading={reading} />)}</ul>
    </details>
  );
}

function CheckRow({ check, reading }: { check: Check; reading: Reading }): VNode {
  const texts = useScene().words.review.checks;
  const { field, expected, actual, verdict } = check;
  const isBrief = verdict === "ok";
  const found = expected.replace(BY_APP, "") === actual || isSender(check) ? expected : actual;
  const [asked, value] = [expected, found].map((text) => valueOf(field, text, reading, isBrief) || texts.nothing);
  const [name, path] = [nameOf(field, reading.words), plain(field)];
  return (
    <li class={`review-check ${verdict}`}>
      <span>{name}</span>
      <bdi>{isBeforeFee(check, reading) ? texts.beforeFee(value ?? "") : value}</bdi>
      {asked !== value && expected !== "" && (
        <small>{isRule(check, reading.isOwnTime) ? texts.allowed : texts.asked}: <bdi>{asked}</bdi></small>
      )}
      {name !== path && <small class="mono">{path}</small>}
    </li>
  );
}
