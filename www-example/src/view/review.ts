import type { Check, DeltaBuild, Report } from "verified-swap";
import { element, fill, icon, setText } from "../element.ts";
import { exact, percent, rounded } from "../money.ts";
import { isStale, QUOTE_LIFE_SECS, short } from "../state.ts";
import { stalePrice } from "../failure.ts";
import { ageRing } from "./age-ring.ts";
import { busyWords } from "./busy.ts";
import { figureRow } from "./figure.ts";
import type { Page } from "./page.ts";

const BACK = "M12 4 6 10l6 6";

/** What the user is about to sign: the sentence, the figures, every check. */
export function review({ store, swap }: Page): HTMLElement {
  const sentence = element("p", { class: "sentence" });
  const list = element("dl", { class: "rows" });
  const rows = {
    paid: figureRow(list, "You pay at most"),
    received: figureRow(list, "Arrives at least"),
    receiver: figureRow(list, "Receiver"),
    fee: figureRow(list, "Fee included"),
    deadline: figureRow(list, "Good until"),
  };
  const summary = element("summary", {});
  const checks = element("div", { class: "checks" });
  const details = element("details", { class: "report" }, summary, checks);
  const plan = element("p", { class: "plan quiet" });
  const ring = ageRing();
  const message = element("p", { class: "message" });
  const button = element("button", { type: "button", class: "primary", onclick: press });
  const back = element("button", { type: "button", class: "quiet-button", "aria-label": "Back to the form", onclick: () => swap.compose() }, icon(BACK));

  function press(): void {
    const state = store.get();
    const failure = state.failure ?? (isStale(state) ? stalePrice() : null);
    if (state.busy) return;
    if (failure) swap.remedy(failure);
    else void swap.confirm();
  }

  let shown: DeltaBuild | null = null;
  store.subscribe((state) => {
    const { build, src, dest, busy } = state;
    if (state.stage !== "review" || !build) return;
    if (shown?.orderHash !== build.orderHash) {
      setText(sentence, build.report.sentence);
      rows.paid.figure.show(rounded(build.maxSpent, src.decimals, "up"), exact(build.maxSpent, src.decimals), src.symbol);
      rows.received.figure.show(rounded(build.minReceived, dest.decimals, "down"), exact(build.minReceived, dest.decimals), dest.symbol);
      const own = build.beneficiary === build.owner;
      rows.receiver.figure.show(own ? `You, ${short(build.owner)}` : short(build.beneficiary), own ? `You, ${build.owner}` : build.beneficiary);
      rows.fee.figure.show(percent(build.feeBps));
      rows.deadline.figure.show(new Date(build.deadline * 1000).toLocaleTimeString([], { timeStyle: "short" }));
      setText(summary, summaryOf(build.report));
      fill(checks, ...tableOf(build.report));
    }
    shown = build;
    const failure = state.failure ?? (isStale(state) && !busy ? stalePrice() : null);
    setText(plan, planOf(build, src.symbol, exact(build.approval?.amount ?? "0", src.decimals)));
    setText(message, failure?.message ?? (busy ? busyWords(busy) : `Price ${state.ageSecs} s old`));
    message.classList.toggle("problem", failure !== null);
    ring.show(failure || busy ? null : state.ageSecs / QUOTE_LIFE_SECS);
    setText(button, failure?.button ?? (build.approval ? `Approve ${src.symbol} and sign` : "Sign"));
    button.setAttribute("aria-disabled", String(busy !== null));
    back.toggleAttribute("disabled", busy !== null);
  });

  return element(
    "section",
    { class: "stage", "aria-labelledby": "review-title" },
    element("div", { class: "title" }, back, element("h1", { id: "review-title", tabindex: -1 }, "What you are signing")),
    sentence,
    list,
    details,
    plan,
    element("div", { class: "action" }, element("div", { class: "status" }, ring.node, message), button),
  );
}

function planOf(build: DeltaBuild, symbol: string, amount: string): string {
  if (!build.approval) return "One prompt: your signature. It costs nothing.";
  const approve = `approve exactly ${amount} ${symbol} for ${short(build.approval.spender)}, then sign.`;
  return build.approval.resetFirst
    ? `Three prompts, once for this token: take back the old approval, ${approve}`
    : `Two prompts, once for this token: ${approve}`;
}

function summaryOf({ checks }: Report): string {
  const passed = checks.filter(({ verdict }) => verdict === "ok").length;
  const rest = checks.length - passed;
  return rest === 0 ? `All ${passed} checks passed` : `${passed} checks passed, ${rest} cannot be judged from outside`;
}

function tableOf({ checks, digest, domainSeparator, structHash }: Report): HTMLElement[] {
  const list = element("ul", { class: "check-list" });
  for (const check of checks) list.append(line(check));
  const hashes = element("dl", { class: "members" });
  for (const [name, hash] of Object.entries({ "Digest": digest, "Domain separator": domainSeparator, "Struct hash": structHash })) {
    if (hash) hashes.append(element("div", {}, element("dt", {}, name), element("dd", {}, hash)));
  }
  return [list, hashes];
}

const VERDICTS: Record<Check["verdict"], string> = { ok: "Matches", mismatch: "Differs", opaque: "Cannot be judged", unknown: "Unknown" };

function line({ field, expected, actual, verdict }: Check): HTMLElement {
  return element(
    "li",
    { class: `check ${verdict}` },
    element("span", { class: "check-field" }, field),
    element("span", { class: "check-verdict" }, VERDICTS[verdict]),
    element("span", { class: "check-values" }, expected === actual ? actual : `asked ${expected}, received ${actual}`),
  );
}
