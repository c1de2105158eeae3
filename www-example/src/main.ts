import { followHistory } from "./client/back.ts";
import { keepForm } from "./client/kept-form.ts";
import { createPage } from "./client/page.ts";
import { firstState } from "./state/state.ts";
import { createStore } from "./state/store.ts";
import { hydratePage } from "./view/app.tsx";

const store = createStore(firstState());
const page = createPage(store);
hydratePage(page);
page.attacks.begin();
keepForm(store);
followHistory(store, page.swap.compose);

setInterval(tick, 1000);
document.addEventListener("visibilitychange", tick);
window.addEventListener("offline", () => store.set({ online: false }));
window.addEventListener("online", goOnline);
if (!navigator.onLine) store.set({ online: false });
void page.start();

/** Once a second: prices get old, and what failed is tried again. */
function tick(): void {
  const { starting } = store.get();
  const isDue = typeof starting === "object" && starting !== null && Date.now() >= (starting.retryAt ?? Infinity);
  if (isDue && navigator.onLine && !document.hidden) void page.start();
  else {
    page.pricing.tick();
    page.swap.tick();
  }
}

/** A build under review, or an order in progress, has its own price. */
function goOnline(): void {
  store.set({ online: true, failure: null });
  const { starting, stage } = store.get();
  if (typeof starting === "object" && starting !== null) void page.start();
  else if (stage === "compose") void page.pricing.refresh();
}
