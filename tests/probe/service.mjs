/** The service over HTTP, at the pace the free tier allows: one request a second. */

const PAUSE_MS = 1_100;

/** `ask(path, { query, body, headers })` answers `{ status, text, json, headers }` whatever the status. */
export function openService(baseUrl) {
  const local = /^http:\/\/(127\.|localhost|\[::1\])/.test(baseUrl);
  let free = 0;
  async function turn() {
    const wait = free - Date.now();
    free = Math.max(free, Date.now()) + (local ? 0 : PAUSE_MS);
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  }
  async function ask(path, { method, query, body, headers } = {}) {
    await turn();
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
  return { ask, turn, local };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `400 InvalidInput: details`, or the beginning of what else it said. */
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
