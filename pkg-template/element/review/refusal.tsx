import type { VNode } from "preact";
import type { Check } from "../../src/types/report.ts";
import type { SwapRefusal } from "../../src/types/swap.ts";
import type { TradeError } from "../../src/types/errors.ts";
import { Icon } from "../parts/icon.tsx";
import { Heading } from "../parts/text.tsx";
import { useScene, type Scene } from "../scene.ts";
import { CheckList } from "./check-list.tsx";
import { consequenceOf, isRule, isSender, nameOf } from "./checks.ts";
import { atPrice } from "./facts.tsx";
import { isBeforeFee, lessFee, plain, readingOf, valueOf, type Reading } from "./reading.ts";
import { ReportCopy } from "./technical.tsx";

/** A payload that was not as requested: what was asked beside what was built, by the refusal's own report. */
export function Refusal(): VNode {
  const scene = useScene();
  const { state: { refusal }, swap, words } = scene;
  const texts = words.review.refusal;
  if (!refusal) return <Heading>{texts.title}</Heading>;
  const { error, prompts } = refusal;
  const report = error.report;
  const reading = readingFor(refusal, scene);
  const main = mainOf(error);
  const isPrice = main.field.endsWith(".price");
  return (
    <div class="review refusal">
      <div class="review-title">
        <span class="review-stop"><Icon name="stop" /></span>
        <Heading>{isPrice ? texts.price : texts.title}</Heading>
      </div>
      <p class="review-stopped"><Icon name="wallet" /> {prompts > 0 ? texts.stoppedLater(prompts) : texts.stopped}</p>
      <Sides refusal={refusal} main={main} reading={reading} />
      <p class="review-consequence">{consequenceOf(main, reading)}</p>
      <button type="button" class="primary" onClick={() => (swap.back(), swap.refresh())}>{texts.newPrice}</button>
      <button type="button" class="secondary" onClick={() => swap.back()}>{texts.toForm}</button>
      {report && <CheckList report={report} reading={reading} />}
      <p class="quiet">{texts.checkFailed(plain(main.field))}</p>
      {report && <ReportCopy report={report} />}
    </div>
  );
}

/** The check that failed, as the error names it. */
function mainOf({ field = "", expected = "", actual = "" }: TradeError): Check {
  return { field, expected, actual, verdict: "mismatch" };
}

/** The reading of what was asked; the fee is the built one, or the quote's. */
function readingFor({ error: { report }, quote, figures }: SwapRefusal, scene: Scene): Reading {
  const built = report?.checks.find(({ field }) => field.endsWith("feeBps"))?.actual;
  const feeBps = /^\d+$/.test(built ?? "") ? Number(built) : (quote?.feeBps ?? null);
  return readingOf(scene, { figures, report, build: quote, feeBps });
}

/** The facts of a trade in a report, in the order of the review, with their names there; the first check of each counts. */
const FACTS = [
  ["pay", /(srcAmount|totalSrcAmount|fromAmount)$/],
  ["get", /(order|data)\.(destAmount|totalDestAmount|toAmount)$/],
  ["to", /\.beneficiary$/],
  ["until", /\.deadline$/],
  ["contract", /(spender|verifyingContract|transaction\.to)$/],
] as const;
const [[, PAY], [, GET]] = FACTS;

/** One row: its name, the asked and the built value. */
interface Side {
  name: string;
  asked: string;
  built: string;
  isDifferent: boolean;
}

function Sides({ refusal, main, reading }: { refusal: SwapRefusal; main: Check; reading: Reading }): VNode {
  const scene = useScene();
  const texts = scene.words.review.refusal;
  const rows = sidesOf(refusal, main, reading, scene);
  return (
    <table class="review-sides">
      <thead>
        <tr>
          <td />
          <th scope="col">{isRule(main, reading.isOwnTime) ? texts.allowed : texts.asked}</th>
          <th scope="col">{texts.built}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, asked, built, isDifferent }) => (
          <tr key={name} class={isDifferent ? "differs" : undefined}>
            <th scope="row">{isDifferent && <Icon name="cross" />}{name}</th>
            <td><bdi>{asked}</bdi></td>
            <td><bdi>{isDifferent ? <mark>{built}</mark> : built}</bdi></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The values that differ first, then the facts that are as asked. */
function sidesOf({ error }: SwapRefusal, main: Check, reading: Reading, scene: Scene): Side[] {
  const checks = error.report?.checks ?? [];
  const others = checks.filter(({ verdict, field }) => verdict === "mismatch" && field !== main.field);
  // With a price that is too low, the least amount was computed from that price.
  const isPrice = main.field === "quote.price";
  const facts = FACTS.filter(([name]) => !isPrice || name !== "get").map(([, pattern]) => checks.find(({ field }) => pattern.test(field)));
  const asAsked = facts.filter((check) => check !== undefined).filter(({ verdict, field }) => verdict === "ok" && field !== main.field);
  return [main, ...others, ...asAsked].map((check) =>
    (check.field === "quote.price" ? priceSide(check, checks, reading, scene) : null) ?? sideOf(check, reading));
}

function sideOf(check: Check, reading: Reading): Side {
  const { field, expected, actual, verdict } = check;
  const { facts, wallet } = reading.words.review;
  const isDifferent = verdict === "mismatch";
  const isFeeOpen = isBeforeFee(check, reading);
  // The least that a Market transaction may pay out is asked for after the fee.
  const asked = isFeeOpen && !field.endsWith("toAmount") ? lessFee(expected, reading) : expected;
  const built = isSender(check) ? expected : isFeeOpen ? lessFee(actual, reading) : actual;
  const [want, has] = [asked, built].map((value) => valueOf(field, value, reading, !isDifferent || !value.includes("0x")));
  const fact = FACTS.find(([, pattern]) => pattern.test(field))?.[0];
  const name = fact === undefined ? nameOf(field, reading.words) : fact === "contract" ? wallet.contract : facts[fact];
  // A value that is within what was asked is as asked.
  return { name, asked: (isDifferent ? (want ?? "") : (has ?? "")).replace(/^at (least|most) /, ""), built: has ?? "", isDifferent };
}

/** The market's amount beside the offered one, by amounts and prices of the report. */
function priceSide({ actual }: Check, checks: readonly Check[], reading: Reading, scene: Scene): Side | null {
  const texts = reading.words.review.refusal;
  const fixed = checks.find(({ field }) => (reading.side === "SELL" ? PAY : GET).test(field));
  const amount = fixed && /^\d+$/.test(fixed.actual) ? (isBeforeFee(fixed, reading) ? lessFee(fixed.actual, reading) : fixed.actual) : null;
  const places = { ...reading, dest: reading.arrives };
  const [market, offered] = [/\(\w+ (\d+\.\d+)/, /this (\d+\.\d+)/].map((price) => atPrice(places, amount, price.exec(actual)?.[1], scene));
  const share = /^\d+(?:\.\d+)? %/.exec(actual)?.[0];
  if (!market || !offered || !share) return null;
  const place = reading.side === "SELL" ? reading.arrives : reading.src;
  const [asked, built] = [market, offered].map((sum) => reading.sum(sum, place, "nearest"));
  return { name: texts.priceName, asked: texts.market(asked ?? ""), built: texts.below(built ?? "", share), isDifferent: true };
}
