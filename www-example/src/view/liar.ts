import { element } from "./element.ts";
import { LIES, tellLie, type Lie } from "../sandbox/sandbox.ts";
import type { Page } from "./page.ts";

const WORDS: Record<Lie, string> = {
  none: "Honest",
  receiver: "Receiver",
  minimum: "Minimum",
  spender: "Spender",
  deadline: "Deadline",
  price: "Price",
  marketReceiver: "Market receiver",
  marketMinimum: "Market minimum",
  marketTo: "Market contract",
};

/** "Make the service lie": shows what this package protects from. */
export function liar({ store, pricing }: Page): HTMLElement {
  const radios = LIES.map((kind) => {
    const radio = element("input", {
      type: "radio",
      name: "lie",
      value: kind,
      checked: kind === "none",
      onchange: () => void tell(kind),
    });
    return element("label", { class: "chip" }, radio, element("span", {}, WORDS[kind]));
  });

  async function tell(lie: Lie): Promise<void> {
    await tellLie(lie);
    store.set({ lie });
    if (store.get().stage === "compose") await pricing.refresh();
  }

  return element(
    "section",
    { class: "card liar", "aria-labelledby": "liar-title" },
    element("h2", { id: "liar-title" }, "Make the service lie"),
    element(
      "p",
      { class: "quiet" },
      "Choose what the service falsifies, then swap. The page stops it before your wallet opens.",
    ),
    element(
      "fieldset",
      { class: "chips" },
      element("legend", { class: "visually-hidden" }, "What the service falsifies"),
      ...radios,
    ),
  );
}
