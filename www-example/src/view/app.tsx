import { hydrate, type VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { messages } from "../messages/en.ts";
import { allowances } from "./allowances.ts";
import { announcer } from "./announcer.ts";
import { AttackPanel } from "./attack.tsx";
import { SceneContext, useScene } from "./context.ts";
import { Footer } from "./footer.tsx";
import { Compose } from "./form/compose.tsx";
import { Tabs } from "./form/tabs.tsx";
import { Header } from "./header.tsx";
import { Intro } from "./intro.tsx";
import { Mounted } from "./mounted.tsx";
import { OfferView } from "./otc/offer.tsx";
import { OfferList } from "./otc/offers.tsx";
import { OtcForm } from "./otc/otc-form.tsx";
import type { Page } from "./page.ts";
import { progress } from "./progress.ts";
import { recent } from "./recent.ts";
import { Refused } from "./refused.tsx";
import { Review } from "./review.tsx";
import { sent } from "./sent.ts";
import { CannotStart } from "./trouble.tsx";
import { unfinished, unfinishedList } from "./unfinished.ts";

/** The HTML has the first screen already. */
export function hydratePage(page: Page): void {
  hydrate(<App page={page} />, document.getElementById("page")!);
}

export function App({ page }: { page: Page }): VNode {
  const [state, setState] = useState(page.store.get());
  useEffect(() => page.store.subscribe(setState), [page]);
  return (
    <SceneContext.Provider value={{ ...page, state }}>
      <Header />
      <main data-stage={state.stage} data-settled={state.orders !== null}>
        <Intro />
        <div class="trade">
          <Tabs />
          <Card />
        </div>
        <div class="aside">
          <AttackPanel />
          <Mounted make={unfinishedList} />
          <Mounted make={recent} />
          <OfferList />
          <Mounted make={allowances} />
          <Forgetful />
        </div>
      </main>
      <Footer />
      <Mounted make={announcer} />
    </SceneContext.Provider>
  );
}

const FACES = { progress, sent, unfinished };

/** One face at a time: the form, a review, a refusal, an order on its way. */
function Card(): VNode {
  const { stage, tab, inFlight, offerShown, trade, starting } = useScene().state;
  const trouble = typeof starting === "object" ? starting : null;
  const face = trouble ? "none" : stage === "compose" && tab === "otc" ? "otc" : stage;
  const card = useRef<HTMLDivElement>(null);
  // A new step or another order moves the focus to its heading. A tab keeps the focus.
  const step = `${stage} ${inFlight?.orderHash} ${offerShown?.orderHash} ${trade?.id}`;
  const before = useRef(step);
  const focused = useRef<Element | null>(null);
  useEffect(() => document.addEventListener("focusin", ({ target }) => (focused.current = target as Element)), []);
  useLayoutEffect(() => {
    // So does losing the focused element.
    const isLost = document.activeElement === document.body && focused.current?.getClientRects().length === 0;
    if (step !== before.current || isLost) heading(card.current)?.focus();
    before.current = step;
  });
  return (
    <div class="card swap" ref={card}>
      {trouble && <CannotStart trouble={trouble} />}
      <Compose hidden={face !== "compose"} />
      {Object.entries(FACES).map(([name, make]) => (
        <Mounted key={name} make={make} hidden={name !== face} />
      ))}
      {face === "otc" && <OtcForm />}
      {face === "offer" && offerShown && <OfferView order={offerShown} />}
      {stage === "review" && <Review />}
      {stage === "refused" && <Refused />}
    </div>
  );
}

function heading(card: HTMLElement | null): HTMLElement | undefined {
  return [...(card?.querySelectorAll("h1") ?? [])].find((node) => node.checkVisibility());
}

/** Said once where the browser keeps nothing. */
function Forgetful(): VNode | null {
  const { journal } = useScene().state;
  return journal === "stored" ? null : <p class="quiet">{messages.start.forgetful}</p>;
}
