// A page's connection to a server, before it is needed.

const connected = /* @__PURE__ */ new Set<string>();

/** Has a page open its connection to a URL; that takes two round trips, and sends no request. */
export function connect(url: unknown): void {
  const head = globalThis.document?.head;
  if (!head || typeof url !== "string" || connected.has(url)) return;
  connected.add(url);
  // Anonymous, as the requests are: these would not use another connection.
  head.append(Object.assign(document.createElement("link"), { rel: "preconnect", href: url, crossOrigin: "anonymous" }));
}
