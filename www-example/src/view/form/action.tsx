import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { messages } from "../../messages/en.ts";
import { amountOf, QUOTE_LIFE_SECS } from "../../state/state.ts";
import { busyWords } from "../busy.ts";
import { useScene } from "../context.ts";
import type { Page } from "../page.ts";
import { AgeRing } from "../parts/age-ring.tsx";
import { Message } from "../trouble.tsx";
import { standing } from "./standing.ts";

const words = messages.form;

/** What the main button does, and Enter in a field of the form. */
export function pressMain({ store, swap }: Page): void {
  const { failure, ready } = standing(store.get());
  if (failure) swap.remedy(failure);
  else if (ready) void swap.review();
}

/** One line of status, and the one button that fits. */
export function Action(): VNode {
  const scene = useScene();
  const { state, pricing } = scene;
  const { text, failure, ready } = standing(state);
  const priced = state.quote !== null && failure === null;
  const renew = useRef<HTMLButtonElement>(null);
  const main = useRef<HTMLButtonElement>(null);
  // The button that replaces it takes the focus; once it is hidden, nobody knows any more that it had it.
  const hadFocus = renew.current !== null && renew.current === document.activeElement;
  useLayoutEffect(() => {
    if (hadFocus && !priced) main.current?.focus();
  });
  const label = state.busy ? busyWords(state.busy) : state.tab === "swap" ? words.reviewSwap : words.reviewOrder;
  return (
    <div class="action">
      <div class="status">
        {/* What stands beside the amount is nobody's mistake, and not said twice. */}
        <Message failure={failure?.ofAmount ? null : failure} words={text === amountOf(state).problem ? words.standing.enterAmount : text} />
        {priced && <AgeRing spent={state.ageSecs / QUOTE_LIFE_SECS} />}
        <button
          ref={renew}
          type="button"
          class="link renew"
          hidden={!priced}
          onClick={() => void pricing.refresh()}
        >
          {words.refresh}
        </button>
      </div>
      <button
        ref={main}
        type="button"
        class="primary"
        aria-disabled={!failure && !ready}
        onClick={() => pressMain(scene)}
      >
        {failure?.button ?? label}
      </button>
    </div>
  );
}
