import { hydrate, type VNode } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { messages } from "../messages/en.ts";
import { Announcer } from "./announcer.tsx";
import { AttackPanel } from "./attack.tsx";
import { PageContext, useScene } from "./context.ts";
import { Dock } from "./dock.tsx";
import { Footer } from "./footer.tsx";
import { Compose } from "./form/compose.tsx";
import { Tabs } from "./form/tabs.tsx";
import { Header } from "./header.tsx";
import { Intro } from "./intro.tsx";
import { askedNext } from "../state/steps.ts";
import type { Page } from "./page.ts";
import { OrderView } from "./progress.tsx";
import { HistoryList } from "./recent.tsx";
import { Refused } from "./refused.tsx";
import { Review } from "./review.tsx";
import { SentView } from "./sent.tsx";
import { TabTitle } from "./tab-title.tsx";
import { CannotStart } from "./trouble.tsx";
import { UnfinishedList, UnfinishedView } from "./unfinished.tsx";

/** The HTML has the first screen already. */
export function hydratePage(page: Page): void {
  hydrate(<App page={page} />, document.getElementById("page")!);
}

export function App({ page }: { page: Page }): VNode {
  return (
    <PageContext.Provider value={page}>
      <Screen />
    </PageContext.Provider>
  );
}

function Screen(): VNode {
  const { state } = useScene();
  return (
    <>
      <Header />
      <main data-stage={state.stage} data-settled={state.orders !== null}>
        <Intro />
        <div class="trade">
          <Tabs />
          <Card />
        </div>
        <div class="aside">
          <AttackPanel />
          <UnfinishedList />
          <HistoryList />
          <Forgetful />
        </div>
      </main>
      <Footer />
      <Dock />
      <Announcer />
      <TabTitle />
    </>
  );
}

/** One face at a time: the form, a review, a refusal, an order on its way. */
function Card(): VNode {
  const { state, store } = useScene();
  const { stage, shown, trade, starting } = state;
  const trouble = typeof starting === "object" ? starting : null;
  const card = useRef<HTMLDivElement>(null);
  // A new step or another order moves the focus to its heading. A tab keeps the focus.
  const step = `${stage} ${shown} ${trade?.id}`;
  const isCancel = stage === "review" && askedNext(state)?.kind === "cancel";
  const before = useRef({ step, isCancel });
  const focused = useRef<Element | null>(null);
  // What a cancellation was asked for with has the focus after it.
  const opener = useRef("");
  useLayoutEffect(() => {
    if (isCancel && !before.current.isCancel) opener.current = focused.current?.id ?? "";
    const asker = document.getElementById(opener.current) ?? cancelledEntry(opener.current);
    const returned = before.current.isCancel && !isCancel ? asker : null;
    if (step !== before.current.step) (returned ?? heading(card.current))?.focus();
    before.current = { step, isCancel };
  });
  useEffect(() => {
    document.addEventListener("focusin", ({ target }) => (focused.current = target as Element));
    // So does losing the focused element, which is known once all is drawn.
    return store.subscribe(() => setTimeout(keepFocus));
  }, [store]);
  function keepFocus(): void {
    const isLost = document.activeElement === document.body && focused.current?.getClientRects().length === 0;
    if (isLost) (cancelledEntry(focused.current?.id ?? "") ?? heading(card.current))?.focus();
  }
  return (
    <div class="card swap" ref={card}>
      {trouble && <CannotStart trouble={trouble} />}
      <Compose hidden={trouble !== null || stage !== "compose"} />
      <OrderView />
      <SentView />
      <UnfinishedView />
      {stage === "review" && <Review />}
      {stage === "refused" && <Refused />}
    </div>
  );
}

/** The order in the list whose button to cancel it had this id, and is gone. */
function cancelledEntry(id: string): HTMLElement | null {
  return id.startsWith("cancel-") ? document.getElementById(id.replace("cancel-", "open-")) : null;
}

function heading(card: HTMLElement | null): HTMLElement | undefined {
  return [...(card?.querySelectorAll("h1") ?? [])].find((node) => node.checkVisibility());
}

/** Said once where the browser keeps nothing. */
function Forgetful(): VNode | null {
  const { journal } = useScene().state;
  if (journal === "stored") return null;
  const isUnread = (journal as string) === "unreadable";
  return <p class="quiet">{isUnread ? messages.start.unreadable : messages.start.forgetful}</p>;
}
