// The first price of a page, requested while the module is loading. It holds no rule of a trade: the module takes the
// answer only for the very request that it would send itself, and checks it like any other. Requests that are not
// plain, or may not leave at once, are left to the module.
import { membersOf, type Members } from "./module.ts";
import type { Tabs } from "./tabs.ts";
import type { CallOptions, ClientOptions } from "./types.ts";

/** Milliseconds after which the answer is no longer taken: the price would be too old. */
const FRESH_MS = 5_000;
/** How long lock and storage may take, each, in milliseconds: nothing waits for them. */
const COUNT_LIMIT_MS = 5_000;
const DAY_MS = 86_400_000;

const BASE_URL = /^(https:\/\/[\w.-]+|http:\/\/(localhost|127\.0\.0\.1))(:\d+)?(\/[\w.~-]+)*$/;
const INTEGER = /^(0|[1-9]\d{0,77})$/;
/** An address with its checksum: only the module can make one. */
const ADDRESS = /^0x(?=.*[a-f])(?=.*[A-F])[\da-fA-F]{40}$/;
/** The query of crates/trade/src/service/quotes.rs, in its order: the pattern of each value that needs no other spelling. */
const QUERY: Record<string, RegExp> = {
  chainId: INTEGER,
  srcToken: ADDRESS,
  destToken: ADDRESS,
  amount: INTEGER,
  srcDecimals: INTEGER,
  destDecimals: INTEGER,
  mode: /^(ALL|DELTA|MARKET)$/,
  side: /^(SELL|BUY)$/,
  userAddress: ADDRESS,
  partner: /^[\w.~-]+$/,
};

/** A page requests early once; the module counts its other requests. */
let isAsked = false;

/** Sends the request for this price, if it is plain and may leave at once: an `Early`, else undefined. */
export function askEarly(tabs: Tabs, options: ClientOptions, request: unknown, call: CallOptions = {}): Early | undefined {
  try {
    const url = isAsked || !tabs.isVisible() || !tabs.takesCache ? undefined : plainUrl(options, request);
    const { signal, ...more } = call;
    if (!url || Object.keys(more).length > 0 || signal?.aborted) return undefined;
    isAsked = true;
    return send(tabs, url, options, signal);
  } catch {
    return undefined;
  }
}

/** The URL that the module would use; undefined if that takes more than writing the values one after the other. */
function plainUrl(options: ClientOptions, request: unknown): string | undefined {
  const { baseUrl, partner = "anon", apiKey, storage } = options;
  if (apiKey !== undefined || storage !== undefined || !BASE_URL.test(baseUrl)) return undefined;
  const { account = options.account, mode = "DELTA", side = "SELL", srcSymbol, destSymbol, advanced, ...own } = membersOf(request) ?? {};
  const { chainName, destChainName, ...more } = membersOf(advanced) ?? {};
  const members: Members = { ...own, mode, side, partner, ...(account !== undefined && { userAddress: account }) };
  if (Object.keys(more).length > 0 || Object.keys(members).some((name) => !QUERY[name])) return undefined;
  // Left out, they are in a table that the module has.
  if (members.srcDecimals === undefined || members.destDecimals === undefined) return undefined;
  const stated = Object.keys(QUERY).filter((name) => name in members);
  const isPlain = (name: string) => typeof members[name] !== "object" && QUERY[name]?.test(String(members[name]));
  if (!stated.every(isPlain)) return undefined;
  return `${baseUrl}/v2/quote?${stated.map((name) => `${name}=${members[name]}`).join("&")}`;
}

/**
 * Sends the request, if no tab sent one lately, by what they keep where it can be read at once. It is noted there before it
 * leaves, and counted behind it. Where nothing can be kept so, the request is left to the module.
 */
function send(tabs: Tabs, url: string, { baseUrl, advanced }: ClientOptions, signal: AbortSignal | undefined): Early | undefined {
  const { perSecond = 1, burst = 3, perDay = 3_000 } = advanced?.rateLimit ?? {};
  const key = `rateLimit/${baseUrl}`;
  const interval = Math.ceil(1_000 / perSecond);
  const [last, now] = [countOf(tabs.stamp(key)), Date.now()];
  if (!last || !(burst > 1 && perSecond >= 1)) return undefined;
  const [fullAt, , , limitedUntil, strictUntil, , , , urgentUntil] = last;
  const spent = spend(last, interval);
  const isFree = Math.max(fullAt, limitedUntil, strictUntil, urgentUntil) <= now && spent[SENT] <= perDay;
  if (!isFree || tabs.stamp(key, spent.join(" ")) !== spent.join(" ")) return undefined;
  const early = new Early(url, signal);
  count(tabs, key, interval).catch(() => {});
  return early;
}

/** Counts the request for all tabs. The module, and others who want to count meanwhile, wait for the lock. */
async function count(tabs: Tabs, key: string, interval: number) {
  tabs.open(undefined, COUNT_LIMIT_MS);
  const lock = tabs.lock(key, COUNT_LIMIT_MS);
  try {
    const stored = (await lock.got) && (await tabs.load(key, COUNT_LIMIT_MS));
    const last = Array.isArray(stored) && countOf(stored.find(([name]) => name === key)?.[1] ?? null);
    if (last) await tabs.store(key, spend(last, interval).join(" "), false, COUNT_LIMIT_MS);
  } finally {
    lock.close();
  }
}

/** The place of the day's requests among the numbers of a count. */
const SENT = 2;

/**
 * A count, as crates/trade/src/service/token_bucket.rs writes it: times in unix milliseconds, but for the day and the number
 * of its requests. Behind them are the requests that wait in other tabs, and until when.
 */
type Counted = [
  fullAt: number, day: number, sent: number, limitedUntil: number, strictUntil: number, postsUntil: number, writtenAt: number,
  ...waiting: [number, number, ...number[]],
];

const isCounted = (numbers: number[]): numbers is Counted => numbers.length >= 9;

/** The count that a text states, null if there is none yet; undefined for another text. */
function countOf(text: string | null | undefined): Counted | undefined {
  const parts = text === null ? Array<string>(9).fill("0") : String(text).split(" ");
  const numbers = parts.map(Number);
  return isCounted(numbers) && parts.every((part) => /^\d+$/.test(part)) ? numbers : undefined;
}

/** A count with one request more. */
function spend([fullAt, day, sent, limitedUntil, strictUntil, postsUntil, , ...waiting]: Counted, interval: number): Counted {
  const now = Date.now();
  const today = Math.floor(now / DAY_MS);
  const count = day === today ? sent : 0;
  return [Math.max(fullAt, now) + interval, today, count + 1, limitedUntil, strictUntil, postsUntil, now, ...waiting];
}

/** A request that left, as `src/early.rs` takes it. */
export class Early {
  /** Empty once its answer was taken, or is too old. */
  url: string;
  #ending = new AbortController();
  #answer: Promise<Response>;

  constructor(url: string, signal: AbortSignal | undefined) {
    this.url = url;
    this.#endBy(signal);
    setTimeout(() => this.#drop(), FRESH_MS);
    const { signal: ended } = this.#ending;
    const init: RequestInit = { credentials: "omit", cache: "no-store", redirect: "manual", headers: {}, signal: ended };
    this.#answer = Promise.resolve(fetch(url, init));
    // The rejection is reported to the code that takes the promise.
    this.#answer.catch(() => {});
  }

  take(signal: AbortSignal): Promise<Response> {
    this.url = "";
    this.#endBy(signal);
    return this.#answer;
  }

  #drop() {
    if (this.url) this.#ending.abort();
    this.url = "";
  }

  #endBy(signal: AbortSignal | undefined) {
    if (signal?.aborted) this.#ending.abort();
    signal?.addEventListener("abort", () => this.#ending.abort());
  }
}
