import type { Order } from "verified-swap";
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { isOver } from "../client/errands.ts";
import { messages } from "../messages/en.ts";
import { historyOf } from "../state/history.ts";
import type { Errand } from "../state/parts.ts";
import type { State } from "../state/state.ts";
import { useScene } from "./context.ts";
import { endWords, errandName, isFine, isMoving, whereabouts } from "./order-story.ts";
import { Icon } from "./parts/icon.tsx";

const texts = messages.progress.dock;
const TOAST_MS = 12_000;
/** More pills than these are one that counts them. */
const PILLS = 2;

/** What goes on beside the view that is open: a pill for each, and a toast once it has ended. */
export function Dock(): VNode | null {
  const { state, errands } = useScene();
  const [open, setOpen] = useState(false);
  const beside = state.errands.filter(({ id }) => id !== state.shown);
  const news = beside.filter(({ isNews }) => isNews);
  const moving = beside.filter((errand) => !isOver(errand) && (errand.kind === "transaction" || isMoving(errand)));
  const isCounted = moving.length > PILLS;
  const resting = restingOf(state);
  if (news.length + moving.length + resting.length === 0) return null;
  const pill = (errand: Errand): VNode => <Pill key={errand.id} errand={errand} onOpen={() => setOpen(false)} />;
  return (
    <aside class="dock" aria-label={texts.title}>
      {news.map((errand) => (
        <Toast key={errand.id} errand={errand} onGone={() => errands.drop(errand.id)} />
      ))}
      {(!isCounted || open) && moving.map(pill)}
      {isCounted && (
        <button type="button" class="pill counted" aria-expanded={open} onClick={() => setOpen(!open)}>
          <span class="pulse" aria-hidden="true" />
          {texts.several(moving.length)}
          <Icon name="down" />
        </button>
      )}
      {resting.length > 0 && <Resting orders={resting} />}
    </aside>
  );
}

/** Orders that wait for their price or their next slice: leads to the one, or to the history. */
function Resting({ orders }: { orders: Order[] }): VNode {
  const { state, store, following } = useScene();
  const [first, ...others] = orders;
  const show = (): void => {
    if (state.busy || !first) return;
    if (others.length === 0) return following.open(first);
    store.set({ listed: "open" });
    // Once it is there.
    requestAnimationFrame(() => document.getElementById("recent-title")?.focus());
  };
  return (
    <button type="button" class="pill resting" aria-disabled={state.busy !== null} onClick={show}>
      {texts.resting(orders.length)}
    </button>
  );
}

/** All but the one in its own view. */
function restingOf(page: State): Order[] {
  return historyOf(page).flatMap(({ state, kind, order }) =>
    state === "open" && (kind === "limit" || kind === "twap") && order && order.orderHash !== page.shown ? order : [],
  );
}

function Pill({ errand, onOpen }: { errand: Errand; onOpen(): void }): VNode {
  const { state, errands } = useScene();
  const [name, where] = [errandName(state, errand), whereabouts(errand)];
  const show = (): void => {
    if (state.busy) return;
    onOpen();
    errands.show(errand.id);
  };
  return (
    <button
      type="button"
      class="pill"
      aria-label={texts.open(name, where)}
      aria-disabled={state.busy !== null}
      onClick={show}
    >
      <span class="pulse" aria-hidden="true" />
      <strong>{name}</strong> <span>{where}</span>
    </button>
  );
}

/** Goes by itself, unless somebody is at it. */
function Toast({ errand, onGone }: { errand: Errand; onGone(): void }): VNode {
  const { state, errands } = useScene();
  const [held, setHeld] = useState(false);
  const gone = useRef(onGone);
  gone.current = onGone;
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => gone.current(), TOAST_MS);
    return () => clearTimeout(timer);
  }, [held]);
  const words = endWords(state, errand);
  return (
    <div
      class={isFine(errand) ? "toast" : "toast wrong"}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <button
        type="button"
        class="toast-open"
        aria-disabled={state.busy !== null}
        onClick={() => !state.busy && errands.show(errand.id)}
      >
        <Icon name={isFine(errand) ? "tick" : "warning"} />
        <span>
          <strong>{errandName(state, errand)}</strong>
          {words}
        </span>
      </button>
      <button type="button" class="quiet-button" aria-label={texts.dismiss(words)} onClick={onGone}>
        <Icon name="cross" />
      </button>
    </div>
  );
}
