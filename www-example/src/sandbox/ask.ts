import type { VerifiedSwapElement } from "verified-swap/element";
import type { SwapRefusal } from "verified-swap/swap";
import type { LieWords } from "./lies.ts";

/* Asks the element for a review as its user does: types the amount again, and presses its button. */

const PATIENCE_MS = 30_000;
const LOOK_MS = 50;
const EXAMPLE = "100";

/** Titles of a review, with the path that they are of. */
const REVIEWS: Record<string, LieWords["path"]> = { "What you are signing": "gasless", "What you are sending": "market" };

/**
 * The refusal; `"review"` if there is a review, and nothing was refused. Null if the form cannot be asked for a swap of that
 * path, or `isCurrent` ends it.
 */
export async function askForReview(
  element: VerifiedSwapElement,
  path: LieWords["path"],
  isCurrent: () => boolean,
): Promise<SwapRefusal | "review" | null> {
  let refusal: SwapRefusal | null = null;
  const onRefused = ({ detail }: CustomEvent<SwapRefusal>): void => void (refusal = detail);
  element.addEventListener("refused", onRefused as EventListener);
  try {
    await backToForm(element);
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end && isCurrent(); await pause()) {
      if (refusal) return refusal;
      const review = REVIEWS[element.shadowRoot?.querySelector(".heading")?.textContent ?? ""];
      if (review) return review === path ? "review" : null;
      buttonOf(element, /^Review swap$/)?.click();
    }
    return null;
  } finally {
    element.removeEventListener("refused", onRefused as EventListener);
  }
}

/** Leaves what the element shows for its form, which asks for a new price. */
export async function backToForm(element: VerifiedSwapElement): Promise<void> {
  buttonOf(element, /^(Back|New swap)/)?.click();
  await pause();
  buttonOf(element, /^Swap$/)?.click();
  retype(element);
}

/** The button of this name, if it can be pressed. */
function buttonOf(element: VerifiedSwapElement, name: RegExp): HTMLButtonElement | undefined {
  const all = [...(element.shadowRoot?.querySelectorAll("button") ?? [])];
  const isOpen = (one: HTMLButtonElement): boolean => !one.disabled && one.ariaDisabled !== "true" && one.checkVisibility();
  return all.find((one) => name.test(one.ariaLabel ?? one.textContent.trim()) && isOpen(one));
}

/** A price of before the lie is given up by that. */
function retype(element: VerifiedSwapElement): void {
  const inputs = [...(element.shadowRoot?.querySelectorAll("input") ?? [])];
  const field = inputs.find(({ labels }) => labels?.[0]?.textContent === "You pay");
  if (!field) return;
  const amount = /[1-9]/.test(field.value) ? field.value : EXAMPLE;
  for (const text of ["", amount]) {
    field.value = text;
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LOOK_MS));
