// A module of the extension's, in the world of its content scripts. The page's part is in `content.html`.
addEventListener("message", async ({ source, data: { settings } }) => {
  if (source !== window || !settings) return;
  const [{ createClient }, { swap }] = await Promise.all(["node_modules/verified-swap/index.js", "swap.js"].map((name) => import(chrome.runtime.getURL(name))));
  const result = await swap(createClient, settings).then(
    (value) => ({ value }),
    (error) => ({ error: `${error.code} ${error.stack}` }),
  );
  postMessage({ result });
});
