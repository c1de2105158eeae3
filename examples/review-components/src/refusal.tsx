import type { Check, TradeError } from "verified-swap";
import { CheckGroups, Unjudged } from "./check-groups";
import { consequenceOf, counted, countJudged, failedChecks, isAllowed, nameOf, plain, refusalWords, valueOf } from "./checks";
import { Icon } from "./icon";
import type { Reader } from "./reader";
import { ReportButtons } from "./technical";

export interface RefusalProps {
  /** What a call threw: VERIFY_MISMATCH. */
  error: TradeError;
  reader: Reader;
  /** How often the wallet was opened in this trade before; left out where nobody has counted. */
  prompts?: number | undefined;
  /** The id of the title, which takes the focus by script, for `aria-labelledby` and `focus()`. */
  titleId?: string;
  /** The level of its title among the page's headings. Default 2. */
  level?: 1 | 2 | 3;
}

/** A refusal: what was asked for, what the service put, what that would have done, and that nothing happened. */
export function Refusal({ error, reader, prompts, titleId, level = 2 }: RefusalProps) {
  const texts = reader.texts.refusal;
  const words = refusalWords(error, reader);
  const { report, field = "", expected = "", actual = "" } = error;
  const main: Check = { field, expected, actual, verdict: "mismatch" };
  const consequence = consequenceOf(main, reader);
  const others = report ? failedChecks(report).filter((check) => check.field !== field || check.actual !== actual) : [];
  const [Title, Heading] = [`h${level}` as "h2", `h${level + 1}` as "h3"];
  return (
    <div className="vs-refusal">
      <div className="vs-title">
        <span className="vs-stop">
          <Icon name="stop" />
        </span>
        <Title id={titleId} tabIndex={-1}>
          {words.title}
        </Title>
      </div>
      <p className="vs-sentence">{words.sentence}</p>
      <div className="vs-never-opened">
        <Icon name="wallet" />
        <div>
          <Heading className="vs-heading">{prompts === undefined ? texts.notForThis : prompts === 0 ? texts.neverOpened : texts.notAgain}</Heading>
          <p className="vs-quiet">{texts.prompts(prompts)}</p>
        </div>
      </div>
      <dl className="vs-sides">
        <div>
          <dt>{isAllowed(main, reader) ? reader.texts.allows : reader.texts.asked}</dt>
          <dd>{words.asked}</dd>
        </div>
        <div className="vs-differs">
          <dt>{reader.texts.served}</dt>
          <dd>
            <Marked text={words.received} other={words.asked} />
          </dd>
        </div>
      </dl>
      {consequence && (
        <div className="vs-consequence">
          <Heading className="vs-heading">{texts.worse}</Heading>
          <p>{consequence}</p>
        </div>
      )}
      <p className="vs-quiet vs-failed-field">{texts.checkFailed(plain(field || "unknown"))}</p>
      {others.length > 0 && (
        <div className="vs-also-failed">
          <Heading className="vs-heading">{texts.alsoFailed}</Heading>
          <ul>
            {others.map((check, place) => (
              <li key={place}>
                {nameOf(check.field, reader)}: {valueOf(check.field, check.actual, reader, true)}. {consequenceOf(check, reader)}
              </li>
            ))}
          </ul>
        </div>
      )}
      {report && (
        <div className="vs-checks-all">
          <Heading className="vs-heading">{reader.texts.failed(counted(report, "mismatch"), countJudged(report))}</Heading>
          <CheckGroups report={report} reader={reader} signing={reader.texts.served} />
          <p className="vs-quiet">{reader.texts.passed(counted(report), counted(report, "unusual"))}</p>
          <Unjudged report={report} reader={reader} />
        </div>
      )}
      {report && (
        <div className="vs-tell">
          <p className="vs-quiet">{texts.tell}</p>
          <ReportButtons report={{ field, expected, actual, ...report }} reader={reader} />
        </div>
      )}
    </div>
  );
}

/** What differs, marked: the characters of an address, otherwise all of it. */
function Marked({ text, other }: { text: string; other: string }) {
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
  return <>{runs.map((run, place) => (run.same ? run.text : <mark key={place}>{run.text}</mark>))}</>;
}
