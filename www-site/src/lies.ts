import * as verify from "verified-swap/verify";
import recorded, { type Vector } from "verified-swap/vectors";
import { type Content, byId, element, rows } from "./element.ts";

const GROUPS: Record<Vector["verifier"], string> = {
  verifyOrder: "Orders to sign", verifyTransaction: "Transactions", verifyOtc: "OTC orders", verifyFill: "Fills of OTC orders", verifyPermit: "Permits", verifyCancellation: "Cancellations",
};

/** One payload as the verifier has judged it just now. */
interface Judged {
  vector: Vector;
  report: verify.Report | undefined;
  error: verify.TradeError | undefined;
}

const { vectors, now } = recorded;
const isLie = ({ expected }: Vector): boolean => expected.verdict === "refused";
const score = byId("score", HTMLElement);
const button = byId("lie", HTMLButtonElement);

/** Runs the verifier. A wallet would be asked if it returns a report. */
function judged(vector: Vector): Judged {
  // The verifiers take what a service could send, whatever it is.
  const run: (input: never) => verify.Report = verify[vector.verifier];
  try {
    return { vector, report: run({ ...vector.input, now } as never), error: undefined };
  } catch (error) {
    if (!verify.isTradeError(error)) throw error;
    return { vector, report: undefined, error };
  }
}

/** The outcome by what ran, and whether it is the recorded one. */
function outcome({ vector: { expected }, report, error }: Judged): { word: string; tone: string; isExpected: boolean } {
  if (error) return { word: "refused", tone: "refused", isExpected: expected.verdict === "refused" && error.code === expected.code && (!expected.field || error.field === expected.field) };
  if (report?.questions.length) return { word: "asks you first", tone: "asked", isExpected: expected.verdict === "question" };
  return { word: "says what was asked", tone: "passed", isExpected: expected.verdict === "ok" };
}

/** The line that differs: what was asked, and what the payload has. */
function difference({ error }: Judged): Content {
  if (!error) return undefined;
  const sides = [["Asked", error.expected ?? ""], ["In the payload", error.actual ?? ""]] as const;
  return element("div", { class: "difference" }, element("code", {}, error.field ?? ""), rows(sides.map(([name, value]) => [name, cut(value)] as const)));
}

const cut = (value: string): string => (value.length > 160 ? `${value.slice(0, 157)}…` : value);

function report({ report, error }: Judged): HTMLElement {
  const checks = (report ?? error?.report)?.checks ?? [];
  if (!checks.length) return element("p", {}, error?.message ?? "");
  const cells = checks.map(({ field, expected, actual, verdict }) => element("tr", { class: verdict }, element("th", { scope: "row" }, field), element("td", {}, cut(expected)), element("td", {}, cut(actual)), element("td", {}, verdict)));
  const head = element("tr", {}, ...["Member", "Asked", "In the payload", "Verdict"].map((name) => element("th", { scope: "col" }, name)));
  return element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Report" }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...cells)));
}

function row(one: Judged): HTMLElement {
  const { word, tone, isExpected } = outcome(one);
  const name = one.vector.name.replace(/^[^:]*: /, (start) => (start.startsWith("order:") ? "" : start));
  const details = element("details", {}, element("summary", {}, element("span", {}, name), element("strong", { class: tone }, isExpected ? word : `${word}, which is not what was recorded`)));
  details.addEventListener("toggle", () => details.append(report(one)), { once: true });
  return element("li", { class: isLie(one.vector) ? "lie" : "honest" }, details, one.report && element("p", { class: "aside" }, one.report.sentence), difference(one));
}

const count = (many: number, one: string, more = `${one}s`): string => `${many} ${many === 1 ? one : more}`;

/** Judges all, and counts what was judged: a prompt for each lie that was not refused. */
async function makeItLie(): Promise<void> {
  button.disabled = true;
  const lists = new Map<string, HTMLElement>();
  const all: Judged[] = [];
  byId("results", HTMLElement).replaceChildren();
  for (const vector of vectors) {
    const one = judged(vector);
    all.push(one);
    const title = GROUPS[vector.verifier];
    let list = lists.get(title);
    if (!list) {
      list = element("ul", { class: "results" });
      lists.set(title, list);
      byId("results", HTMLElement).append(element("h3", {}, title), list);
    }
    const shown = row(one);
    if (!isLie(vector)) {
      list.append(shown);
    } else {
      list.insertBefore(shown, list.querySelector(".honest"));
      showScore(all);
      // A frame for each lie: the count is seen to run.
      await new Promise(requestAnimationFrame);
    }
  }
  showScore(all);
  const honest = all.filter(({ vector }) => !isLie(vector));
  const asked = honest.filter((one) => one.report?.questions.length).length;
  const others = all.filter((one) => !outcome(one).isExpected).length;
  byId("honest", HTMLElement).textContent = `${count(honest.filter(({ report }) => report).length - asked, "honest payload")} passed, and ${count(asked, "one is a question", "are a question")} for you first.${others ? ` ${count(others, "answer differs", "answers differ")} from the recorded ones.` : ""}`;
  byId("announced", HTMLElement).textContent = score.textContent;
  button.textContent = "Again";
  button.disabled = false;
}

function showScore(all: Judged[]): void {
  const lies = all.filter(({ vector }) => isLie(vector));
  const prompts = lies.filter(({ report }) => report).length;
  score.textContent = `${count(lies.length, "lie")}. ${count(prompts, "prompt")}.`;
  score.classList.toggle("missed", prompts > 0);
}

try {
  await verify.init();
  const first = vectors.find((vector) => !isLie(vector));
  if (first) byId("results", HTMLElement).append(element("ul", { class: "results" }, row(judged(first))));
  button.disabled = false;
  button.addEventListener("click", () => void makeItLie());
} catch (error) {
  byId("honest", HTMLElement).textContent = `The checks could not be loaded: ${error instanceof Error ? error.message : String(error)}`;
}
