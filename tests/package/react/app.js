/** A form, a review, the account's orders and the journal, by the hooks. The test is the user, and sets what to mount. */
import { StrictMode, Suspense, createElement as h, useEffect, useState } from "react";
import { VerifiedSwapProvider, useOrders, useQuote, useSwap, useTrade, useTrades, useVerifiedSwap } from "verified-swap/react";

const PACE = { intervalMs: 100, maxIntervalMs: 300 };
/** Notes of the form's renders: whether a price was for another request than the one on show. */
export const seen = { renders: 0, strangers: 0 };

function Form({ settings }) {
  const { client, error, retry } = useVerifiedSwap();
  const [amount, setAmount] = useState(settings.request.amount);
  const { quote, isFetching, error: priceError, refresh } = useQuote(amount ? { ...settings.request, amount } : null);
  seen.renders++;
  if (quote && quote.request.amount !== amount) seen.strangers++;
  const { trade, state, review, reset } = useTrade();
  const start = () => trade(quote ?? { ...settings.request, amount }, { slippageBps: 100, ...PACE });
  const twice = () => (globalThis.same = start() === start());
  useEffect(() => {
    Object.assign(globalThis, { client, start, refresh, reset, review, tradeState: state });
  });
  const failure = error ?? priceError ?? state?.error;
  return h("form", { onSubmit: (event) => event.preventDefault() },
    h("input", { "aria-label": "Amount", value: amount, onChange: ({ target }) => setAmount(target.value) }),
    h("output", { id: "client" }, client ? "ready" : error ? "failed" : "loading"),
    h("output", { id: "price" }, quote ? quote.destAmount : isFetching ? "asking" : "none"),
    h("output", { id: "step" }, state?.step ?? "none"),
    h("output", { id: "error" }, failure ? [failure.name, failure.code, failure.action].join() : "none"),
    h("button", { onClick: twice, disabled: !client }, "Swap"),
    h("button", { onClick: retry }, "Retry"),
    review && h("dialog", { open: true, "aria-label": review.sentence },
      h("button", { onClick: review.confirm }, "Agree"),
      h("button", { onClick: review.decline }, "Decline")));
}

/** Two components that share a trade, in a boundary that the test suspends, and mounts anew by another `round`. */
function Shared({ settings, round }) {
  const [amount, setAmount] = useState(settings.request.amount);
  return h("section", null,
    h("input", { "aria-label": "Amount", value: amount, onChange: ({ target }) => setAmount(target.value) }),
    h(Suspense, { key: round, fallback: h("p", { id: "waiting" }, "waiting") },
      h(Gate), ["one", "other"].map((id) => h(Sharer, { key: id, id, request: { ...settings.request, amount } }))));
}

/** Suspends while the test wants it to. */
function Gate() {
  if (window.gate) throw window.gate;
  return null;
}

/** As in the guide: nothing of an earlier request, and no earlier failure, stands beside a price. */
function Sharer({ id, request }) {
  const { client } = useVerifiedSwap();
  const { quote, error, paused, refresh } = useQuote(request, { paused: Boolean(window.held) });
  const { trade, state, review, reset } = useTrade(request);
  if (window.gateInside) throw window.gateInside;
  const start = (slippageBps = 100) => trade(quote, { slippageBps, ...PACE });
  useEffect(() => {
    if (window.autostart && client) trade(request, { slippageBps: 100, ...PACE });
  }, [client]);
  useEffect(() => {
    globalThis[id] = { start, refresh, reset, review, quote, paused, error: state?.error };
  });
  return h("section", { "aria-label": id },
    h("output", { id: `${id}-price` }, quote?.destAmount ?? "none"),
    h("output", { id: `${id}-told` }, state ? (state.error?.code ?? state.step) : (error?.code ?? "nothing")),
    h("button", { onClick: () => start(), disabled: !quote }, `Swap ${id}`),
    review && id === "one" && h("dialog", { open: true, "aria-label": review.sentence },
      h("button", { onClick: review.confirm }, "Agree"), h("button", { onClick: review.decline }, "Decline")));
}

/** A form, its review and its trade by one hook. */
function Whole({ settings }) {
  const { srcToken, srcDecimals, srcSymbol, destToken, destDecimals, destSymbol, chainId } = settings.request;
  const [src, dest] = [[srcToken, srcDecimals, srcSymbol], [destToken, destDecimals, destSymbol]].map(([address, decimals, symbol]) => ({ chainId, address, decimals, symbol }));
  const { state, change, review, confirm } = useSwap({ form: { src, dest, amount: "100" } });
  seen.renders++;
  useEffect(() => void (globalThis.swapState = state), [state]);
  return h("section", null,
    h("input", { "aria-label": "Pay", value: state.form.amount, onChange: ({ target }) => change({ amount: target.value }) }),
    h("output", { id: "get" }, state.figures?.get ?? "none"),
    h("output", { id: "view" }, `${state.view} ${state.entry?.state ?? state.busy ?? "idle"}`),
    h("output", { id: "fault" }, state.failure?.error.code ?? "none"),
    h("button", { onClick: review }, "Review"),
    state.review && h("dialog", { open: true, "aria-label": state.review.build.report.sentence },
      h("button", { onClick: confirm, disabled: state.review.isAgreed && !state.review.prompt }, state.review.prompt?.purpose ?? "Agree")));
}

function Lists({ account }) {
  const { client } = useVerifiedSwap();
  const { orders, hasMore, fetchMore, refresh } = useOrders({ account, limit: 1 });
  const { trades, unfinished, resume } = useTrades({ account });
  const finish = ({ build, summary }) => client.submit(build, { request: { ...summary.request, minReceived: summary.minReceived } });
  return h("section", null,
    h("ol", { id: "orders" }, orders.map(({ id, status }) => h("li", { key: id }, status))),
    h("ol", { id: "trades" }, trades.map(({ id, kind, state }) => h("li", { key: id }, `${kind} ${state}`))),
    hasMore && h("button", { onClick: fetchMore }, "More"),
    h("button", { onClick: refresh }, "Refresh"),
    h("button", { onClick: () => resume().then((found) => (globalThis.resumed = found)) }, "Resume"),
    unfinished.map((trade) => h("button", { key: trade.id, onClick: () => finish(trade) }, `Sign ${trade.needs}`)));
}

/** `parts`: which of the four are mounted, and with which wallet. */
export function App({ settings, wallet, options = settings.options, parts = settings.parts, round, ...more }) {
  return h(StrictMode, null,
    h(VerifiedSwapProvider, { options, wallet: wallet && { wallet, account: settings.account }, ...more },
      parts.includes("form") && h(Form, { settings }),
      parts.includes("whole") && h(Whole, { settings }),
      parts.includes("shared") && h(Shared, { settings, round }),
      parts.includes("lists") && h(Lists, { account: settings.account })));
}
