import type { DeltaBuild } from "verified-swap";
import { element, icon, setText } from "../element.ts";
import { exact, percent, rounded } from "../money.ts";
import { isStale, QUOTE_LIFE_SECS, short } from "../state.ts";
import { stalePrice } from "../failure.ts";
import { ageRing } from "./age-ring.ts";
import { busyWords } from "./busy.ts";
import { figureRow } from "./figure.ts";
import type { Page } from "./page.ts";
import { reportView } from "./report.ts";

const BACK = "M12 4 6 10l6 6";
const TICK = "m4.5 10.5 3.8 3.8 7.2-8";

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
  for (const row of Object.values(rows)) row.figure.node.after(icon(TICK));
  const report = reportView();
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
      const selling = build.request.side === "SELL";
      setText(sentence, build.report.sentence);
      setText(rows.paid.name, selling ? "You pay" : "You pay at most");
      rows.paid.figure.show(rounded(build.maxSpent, src.decimals, "up"), exact(build.maxSpent, src.decimals), src.symbol);
      rows.received.figure.show(rounded(build.minReceived, dest.decimals, "down"), exact(build.minReceived, dest.decimals), dest.symbol);
      const own = build.beneficiary === build.owner;
      rows.receiver.figure.show(own ? `You, ${short(build.owner)}` : short(build.beneficiary), own ? `You, ${build.owner}` : build.beneficiary);
      rows.fee.figure.show(percent(build.feeBps));
      rows.deadline.figure.show(new Date(build.deadline * 1000).toLocaleTimeString([], { timeStyle: "short" }));
      report.show(build.report);
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
    report.node,
    plan,
    element("div", { class: "action" }, element("div", { class: "status" }, ring.node, message), button),
  );
}

function planOf(build: DeltaBuild, symbol: string, amount: string): string {
  if (!build.approval) return "One prompt: your signature. It costs nothing.";
  const approve = `approve exactly ${amount} ${symbol} for ${short(build.approval.spender)}, then sign.`;
  return build.approval.resetFirst
    ? `Three prompts: take back the old approval, ${approve}`
    : `Two prompts: ${approve}`;
}
