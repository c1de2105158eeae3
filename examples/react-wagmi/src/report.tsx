import type { Question, Report, TradeError } from "verified-swap";

/** The number of checks that passed; each of them once it is opened. Those that could not be made are counted by themselves. */
export function Checks({ report: { checks } }: { report: Report }) {
  const made = checks.filter(({ verdict }) => verdict !== "opaque" && verdict !== "unknown");
  const passed = made.filter(({ verdict }) => verdict === "ok");
  return (
    <details>
      <summary>
        {passed.length} of {made.length} checks passed{made.length < checks.length && `, ${checks.length - made.length} not verifiable here`}
      </summary>
      <ul>
        {checks.map(({ field, expected, actual, verdict }, place) => (
          <li key={place}>{field}: {actual} ({verdict}{expected !== actual && expected && `; asked: ${expected}`})</li>
        ))}
      </ul>
    </details>
  );
}

/** A tick for each thing that only the user can say yes to. The ticked ones go into `accept`. */
export function Questions({ questions, accepted, onChange }: { questions: Question[]; accepted: string[]; onChange(accepted: string[]): void }) {
  return questions.map(({ id, text }) => (
    <label key={id} className="question">
      <input type="checkbox" checked={accepted.includes(id)}
        onChange={({ target }) => onChange(target.checked ? [...accepted, id] : accepted.filter((other) => other !== id))} />
      {text}
    </label>
  ));
}

/** The value that differs, as it was asked for and as it was built. Nothing of it was signed. */
export function Refusal({ error: { field, expected, actual, report } }: { error: TradeError }) {
  return (
    <section className="refusal">
      <h2>Not what you asked for</h2>
      <p>The wallet was not opened for this. Check that failed: {field}.</p>
      <dl><dt>You asked</dt><dd>{expected}</dd><dt>The service built</dt><dd>{actual}</dd></dl>
      {report && <Checks report={report} />}
    </section>
  );
}
