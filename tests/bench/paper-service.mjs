/**
 * The service, on paper: answers of the right shape and price, in the page, without network, so that only the client's own
 * work is left to measure. It speaks this package's dialect (/v2) and the one Velora's SDK 9.5.4 speaks.
 *
 * Without a recording it computes each answer (order hashes included) and keeps it; with one it hands the answers out again
 * in the order they were recorded, which costs next to nothing.
 */
import { DELTA_ENDPOINTS, deltaBlock } from "./paper-delta.mjs";
import { MARKET_ENDPOINTS, marketBlock } from "./paper-market.mjs";
import { OTC_ENDPOINTS } from "./paper-otc.mjs";

export const BASE_URL = "https://service.example";

export class PaperService {
  #recording = new Map();
  #played;
  /** How many requests it has answered. */
  requests = 0;

  constructor(tapes) {
    this.#played = tapes && { tapes, position: new Map() };
  }

  /** In place of the global `fetch`. */
  fetch = async (input, init) => {
    const request = typeof input === "object" && "url" in input ? input : null;
    const url = new URL(request ? request.url : input);
    const method = request ? request.method : (init?.method ?? "GET");
    const [endpoint, answer] = endpointOf(method, url);
    this.requests += 1;
    const body = this.#played ? this.#next(endpoint) : await this.#recorded(endpoint, answer, url, request, init);
    return new Response(body, { status: 200, headers: { "content-type": "application/json" } });
  };

  /** The record: texts by endpoint, in order. */
  tapes() {
    return Object.fromEntries(this.#recording);
  }

  #next(endpoint) {
    const { tapes, position } = this.#played;
    const at = position.get(endpoint) ?? 0;
    const tape = tapes[endpoint] ?? [];
    if (at >= tape.length) throw new Error(`the recording has ${tape.length} answers of ${endpoint}, one more was asked for`);
    position.set(endpoint, at + 1);
    return tape[at];
  }

  async #recorded(endpoint, answer, url, request, init) {
    const sent = request ? await request.text() : init?.body;
    const text = JSON.stringify(answer(url.searchParams, sent ? JSON.parse(sent) : null));
    if (!this.#recording.has(endpoint)) this.#recording.set(endpoint, []);
    this.#recording.get(endpoint).push(text);
    return text;
  }
}

/** A price on the path that was asked for. */
function quote(query) {
  const amount = query.get("amount");
  return query.get("mode") === "MARKET" ? { market: marketBlock(amount) } : { delta: deltaBlock(amount) };
}

const ENDPOINTS = { "GET /v2/quote": ["quote", quote], ...DELTA_ENDPOINTS, ...MARKET_ENDPOINTS, ...OTC_ENDPOINTS };

/** Name and answer of what was asked for. */
function endpointOf(method, url) {
  const endpoint = ENDPOINTS[`${method} ${url.pathname}`];
  if (!endpoint) throw new Error(`the paper service has no ${method} ${url.pathname}`);
  return endpoint;
}
