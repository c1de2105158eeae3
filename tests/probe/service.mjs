/** The service over HTTP, at the pace the free tier allows: one request a second. */

/** Between an answer and the next request, in milliseconds. */
const PAUSE_MS = 1_100;

/**
 * `ask(path, { query, body, headers })` answers `{ status, text, json, headers }` whatever the status. Whatever else asks
 * the service from here, this package too, waits its turn: `fetch` itself does. `rush` takes the same and waits for nothing.
 */
export function openService(baseUrl, pauseMs = /^http:\/\/(127\.|localhost|\[::1\])/.test(baseUrl) ? 0 : PAUSE_MS) {
  const unpaced = globalThis.fetch;
  let last = Promise.resolve();
  globalThis.fetch = (resource, options) => {
    const address = typeof resource === "string" || resource instanceof URL ? String(resource) : resource.url;
    if (!address.startsWith(baseUrl)) return unpaced(resource, options);
    const answer = last.then(() => unpaced(resource, options));
    const pause = () => new Promise((resolve) => setTimeout(resolve, pauseMs));
    last = answer.then(pause, pause);
    return answer;
  };
  const ask = async (path, options) => {
    await last;
    return request(fetch, path, options);
  };
  const rush = (path, options) => request(unpaced, path, options);
  async function request(fetch, path, { method, query, body, headers } = {}) {
    const search = query ? `?${new URLSearchParams(query)}` : "";
    const response = await fetch(`${baseUrl}${path}${search}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      body,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    return { status: response.status, text, json: parsed(text), headers: response.headers };
  }
  return { ask, rush };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `400 InvalidInput: details`, or the beginning of any other answer. */
export function told({ status, json, text }) {
  const type = json?.errorType ?? json?.error;
  const details = json?.details ?? json?.description ?? json?.message;
  if (status < 400) return `${status} accepted`;
  return `${status} ${type ? `${type}${details ? `: ${details}` : ""}` : `without errorType: ${text.slice(0, 120)}`}`;
}

/** `{ a: string, b: [number] }`: the shape of an answer, not its contents. */
export function shape(value, depth = 3) {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length ? `[${shape(value[0], depth - 1)} x ${value.length}]` : "[]";
  if (typeof value !== "object") return typeof value;
  if (depth === 0) return "{...}";
  const names = Object.keys(value);
  const shown = names.slice(0, 14).map((name) => `${name}: ${shape(value[name], depth - 1)}`);
  return `{${shown.join(", ")}${names.length > 14 ? `, ... ${names.length} in all` : ""}}`;
}
