/** The work of a page that opens: a price, and a gasless order. The measurement has put `job` there. */

/** With one side's `connect`; `done` resolves to milliseconds since the navigation, and what the page downloaded. */
export function firstTrade(connect) {
  const { world, wallet, lookMs } = globalThis.job;
  const look = () => lookMs && new Promise((resolve) => setTimeout(resolve, lookMs));
  const at = {};
  const mark = (name) => {
    if (name !== "quote") return;
    document.querySelector("#price").textContent = "a price";
    at.quoteMs = performance.now();
    const files = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    at.bytes = files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  };
  globalThis.done = connect(world, wallet)
    .then((trades) => trades.gasless("100000000", mark, { look }))
    .then(() => ({ ...at, postedMs: performance.now() }));
}
