import { element, icon, setText } from "./element.ts";
import type { Page } from "./page.ts";
import { refusalWords } from "./refusal-words.ts";
import { reportView } from "./report.ts";

const STOP = "M7 3h6l4 4v6l-4 4H7l-4-4V7zM10 6.5v4.2m0 2.6v.2";

/** A refusal: what was asked for, what the service put, and that nothing happened. */
export function refused({ store, swap }: Page): HTMLElement {
  const heading = element("h1", { id: "refused-title", tabindex: -1 });
  const sentence = element("p", { class: "sentence" });
  const asked = element("dd", { class: "mono" });
  const received = element("dd", { class: "mono" });
  const field = element("p", { class: "quiet" });
  const report = reportView();
  const button = element("button", { type: "button", class: "primary", onclick: () => swap.compose() });

  store.subscribe((state) => {
    if (!state.refusal) return;
    const words = refusalWords(state.refusal, state);
    setText(heading, words.title);
    setText(sentence, words.sentence);
    setText(button, state.tab === "otc" ? "Back to the form" : "Get a new price");
    setText(asked, words.asked);
    setText(received, words.received);
    setText(field, `Check that failed: ${state.refusal.field ?? "unknown"}. Nothing was signed and nothing was sent.`);
    report.show(state.refusal.report ?? null);
  });

  return element(
    "section",
    { class: "stage refused", "aria-labelledby": "refused-title" },
    element("div", { class: "title" }, element("span", { class: "stop" }, icon(STOP)), heading),
    sentence,
    element(
      "dl",
      { class: "sides" },
      element("div", {}, element("dt", {}, "You asked for"), asked),
      element("div", { class: "differs" }, element("dt", {}, "The service put"), received),
    ),
    field,
    report.node,
    element("div", { class: "action" }, button),
  );
}
