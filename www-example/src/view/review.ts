import { twapSchedule } from "verified-swap";
import { element, icon, setText } from "./element.ts";
import { stalePrice } from "../state/failure.ts";
import { isConsent, isOnePrompt, isStale, QUOTE_LIFE_SECS, type Build, type State } from "../state/state.ts";
import { nowSecs } from "../client/terms.ts";
import { ageRing } from "./age-ring.ts";
import { buildLines, isSigned, planOf } from "./build-lines.ts";
import { busyWords } from "./busy.ts";
import { choice } from "./choice.ts";
import { lineList } from "./lines.ts";
import type { Page } from "./page.ts";
import { reportView } from "./report.ts";
import { scheduleView } from "./schedule.ts";

const BACK = "M12 4 6 10l6 6";
const CONSENTS = [
  ["signature", "Sign"],
  ["transaction", "Consent on chain"],
] as const;

/** What the user is about to sign or send: the sentence, the figures, every check. */
export function review({ store, swap }: Page): HTMLElement {
  const heading = element("h1", { id: "review-title", tabindex: -1 });
  const sentence = element("p", { class: "sentence" });
  const list = lineList(true);
  const schedule = scheduleView();
  const report = reportView();
  const consent = choice("consent", "How your account consents", CONSENTS, (chosen) =>
    store.set({ consent: chosen, failure: null }),
  );
  const plan = element("p", { class: "plan quiet" });
  const ring = ageRing();
  const message = element("p", { class: "message" });
  const button = element("button", { type: "button", class: "primary", onclick: press });
  const back = element(
    "button",
    { type: "button", class: "quiet-button", "aria-label": "Back to the form", onclick: () => swap.compose() },
    icon(BACK),
  );

  function press(): void {
    const state = store.get();
    const failure = state.failure ?? (isOld(state) ? stalePrice() : null);
    if (state.busy) return;
    if (failure) swap.remedy(failure);
    else void swap.confirm();
  }

  let shown: Build | null = null;
  store.subscribe((state) => {
    const { build, busy } = state;
    if (state.stage !== "review" || !build) return;
    const { src } = state.pair ?? state;
    const [consents, together] = [isConsent(state), isOnePrompt(state)];
    const signed = isSigned(build) && !consents;
    setText(heading, consents ? "What you consent to" : signed ? "What you are signing" : "What you are sending");
    consent.node.hidden = build.kind !== "delta" || !(state.hasCode || state.together);
    consent.show(consents ? "transaction" : "signature");
    if (shown?.sealed !== build.sealed) {
      setText(sentence, build.report.sentence);
      list.show(buildLines(state, build));
      const twap = build.kind === "delta" ? build.twap : undefined;
      schedule.show(twap ? twapSchedule(twap, nowSecs()) : [], state.side === "SELL" ? src : state.dest);
      report.show(build.report);
    }
    shown = build;
    const failure = state.failure ?? (isOld(state) && !busy ? stalePrice() : null);
    setText(plan, planOf(build, src, consents || failure?.remedy === "consent", together));
    setText(
      message,
      failure?.message ?? (busy ? busyWords(busy) : isPriced(build) ? `Price ${state.ageSecs} s old` : ""),
    );
    message.classList.toggle("problem", failure !== null);
    ring.show(failure || busy || !isPriced(build) ? null : state.ageSecs / QUOTE_LIFE_SECS);
    const verb = consents ? "consent" : signed ? "sign" : "send";
    setText(
      button,
      failure?.button ??
        (build.approval
          ? `Approve ${together ? "" : `${src.symbol} `}and ${verb}`
          : consents
            ? "Send your consent"
            : signed
              ? "Sign"
              : "Send"),
    );
    button.setAttribute("aria-disabled", String(busy !== null));
    back.toggleAttribute("disabled", busy !== null);
  });

  return element(
    "section",
    { class: "stage", "aria-labelledby": "review-title" },
    element("div", { class: "title" }, back, heading),
    sentence,
    list.node,
    schedule.node,
    report.node,
    consent.node,
    plan,
    element("div", { class: "action" }, element("div", { class: "status" }, ring.node, message), button),
  );
}

/** Whether it goes by a price that gets old. */
function isPriced({ kind }: Build): boolean {
  return kind === "delta" || kind === "market";
}

function isOld(state: State): boolean {
  return state.build !== null && isPriced(state.build) && isStale(state);
}
