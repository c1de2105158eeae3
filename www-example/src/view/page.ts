import { element } from "../element.ts";
import type { Page } from "../page.ts";
import { allowances } from "./allowances.ts";
import { announcer } from "./announcer.ts";
import { compose } from "./compose.ts";
import { header } from "./header.ts";
import { liar } from "./liar.ts";
import { offer } from "./offer.ts";
import { offers } from "./offers.ts";
import { otcForm } from "./otc-form.ts";
import { progress } from "./progress.ts";
import { recent } from "./recent.ts";
import { refused } from "./refused.ts";
import { review } from "./review.ts";
import { sent } from "./sent.ts";
import { tabs } from "./tabs.ts";
import { unfinished, unfinishedList } from "./unfinished.ts";

export function renderPage(page: Page): void {
  const faces = {
    compose: compose(page),
    otc: otcForm(page),
    review: review(page),
    refused: refused(page),
    progress: progress(page),
    sent: sent(page),
    offer: offer(page),
    unfinished: unfinished(page),
  };
  document.body.replaceChildren(
    header(page),
    element(
      "main",
      {},
      element("div", { class: "trade" }, tabs(page), element("div", { class: "card swap" }, ...Object.values(faces))),
      element(
        "div",
        { class: "aside" },
        liar(page),
        unfinishedList(page),
        recent(page),
        offers(page),
        allowances(page),
        forgetful(page),
      ),
    ),
    announcer(page),
  );

  let focused: Element | null = null;
  document.addEventListener("focusin", ({ target }) => (focused = target as Element));
  let before: string | null = null;
  page.store.subscribe((state) => {
    const { stage, tab, inFlight, offerShown, trade } = state;
    const face = stage === "compose" && tab === "otc" ? "otc" : stage;
    for (const [name, section] of Object.entries(faces)) section.hidden = name !== face;
    // A new step or another order moves the focus to its heading, and so does losing the focused element. A tab keeps
    // the focus.
    const step = `${stage} ${inFlight?.orderHash} ${offerShown?.orderHash} ${trade?.id}`;
    const isLost = document.activeElement === document.body && focused?.getClientRects().length === 0;
    if (before !== null && (step !== before || isLost)) faces[face].querySelector<HTMLElement>("h1")?.focus();
    before = step;
  });
}

/** Said once where the browser keeps nothing. */
function forgetful({ store }: Page): HTMLElement {
  const node = element("p", { class: "quiet" }, "Nothing is kept here: a reload forgets what is under way.");
  store.subscribe(({ journal }) => (node.hidden = journal === "stored"));
  return node;
}

/** Shown in place of everything when the page cannot start. */
export function renderUnavailable(error: unknown): void {
  document.body.replaceChildren(
    element(
      "main",
      {},
      element(
        "div",
        { class: "card swap" },
        element("h1", {}, "This page cannot start"),
        element("p", {}, error instanceof Error ? error.message : String(error)),
        element("button", { type: "button", class: "primary", onclick: () => location.reload() }, "Try again"),
      ),
    ),
  );
}
