import type { Accounts } from "../accounts.ts";
import { element } from "../element.ts";
import type { Pricing } from "../pricing.ts";
import type { State } from "../state.ts";
import type { Store } from "../store.ts";
import type { Swap } from "../swap.ts";
import type { SandboxWallet } from "../wallet/sandbox-wallet.ts";
import { announcer } from "./announcer.ts";
import { compose } from "./compose.ts";
import { header } from "./header.ts";
import { liar } from "./liar.ts";
import { progress } from "./progress.ts";
import { recent } from "./recent.ts";
import { refused } from "./refused.ts";
import { review } from "./review.ts";

/** What the views read and what they may do. */
export interface Page {
  store: Store<State>;
  pricing: Pricing;
  swap: Swap;
  accounts: Accounts;
  sandboxWallet: SandboxWallet;
  unlocked: readonly string[];
}

export function renderPage(page: Page): void {
  const stages = { compose: compose(page), review: review(page), refused: refused(page), progress: progress(page) };
  document.body.replaceChildren(
    header(page),
    element(
      "main",
      {},
      element("div", { class: "card swap" }, ...Object.values(stages)),
      element("div", { class: "aside" }, liar(page), recent(page)),
    ),
    announcer(page),
  );

  let shown: State["stage"] | null = null;
  page.store.subscribe(({ stage }) => {
    if (stage === shown) return;
    for (const [name, section] of Object.entries(stages)) section.hidden = name !== stage;
    if (shown !== null) stages[stage].querySelector<HTMLElement>("h1")?.focus();
    shown = stage;
  });
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
