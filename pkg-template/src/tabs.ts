// State that a client shares with the other tabs of its origin: entries, locks, messages; and whether the user sees the
// page. The module reads it (src/tabs.rs). A missing feature is `false` or `null`: nothing here rejects. A storage
// that is there and fails does not count as missing: its answer is a text with the reason.
import { takeLock, type GiveBack } from "./locks.ts";
import { Absent, Database, Entries, allowed, hasDatabase, lack, type Read } from "./storage.ts";
import type { JournalState, JournalStorage } from "./types.ts";

/** The longest time that a timer can be set to. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** How long the browser may take to answer about a lock once the wait for it is over, in milliseconds. */
const SILENT_MS = 2_000;

/** The clients of this page that have no channel. */
const here = new Set<Tabs>();

/** The last time by the machine's clock, and by how much that was set back since the page began. */
let [lastMs, lostMs] = [0, 0];

/** The answer of a storage that fails is a text with the reason; null if there is none. */
export type Stored<Result> = Promise<Result | string | null>;

/** The messages of a topic that were not taken yet. */
export interface Inbox {
  readonly topic: string;
  readonly messages: string[];
  /** The oldest message, or undefined. */
  next(): string | undefined;
  close(): void;
}

/** A lock that was asked for. */
export interface Lock {
  /** Whether it was taken; null if the browser does not answer. */
  readonly got: Promise<boolean | null>;
  /** Gives it back, or stops waiting for it. */
  close(): void;
}

/** Whether requests may name the option `cache`: Cloudflare's workerd refuses it. */
function findCacheOption() {
  try {
    return Boolean(new Request("http://localhost", { cache: "no-store" }));
  } catch {
    return false;
  }
}

export class Tabs {
  takesCache = findCacheOption();
  #wakes = new Set<() => void>();
  #inboxes = new Set<Inbox>();
  /** The listeners that read the journal again once it has changed. */
  #readers = new Set<() => void>();
  /** The functions that `close` calls: they end waits, and give locks back. */
  #ends = new Set<() => void>();
  #closing = new AbortController();
  #database: Database | undefined;
  #entries: Entries | undefined;
  #webLocks: LockManager | undefined;
  #channel: (BroadcastChannel & { unref?: () => unknown }) | undefined;
  #isOff = false;
  /** Whether counts are stamped: not beside the application's own storage. */
  #isStamped = false;
  /** Milliseconds that the browser's storage may take to open. */
  #limitMs: number | undefined;
  #missing: string | null = null;
  /** The reason why the last write failed. */
  #failure: string | undefined;

  /**
   * Starts to listen, and to open the database, which may take `limitMs`. `storage` is the application's, false, or
   * undefined. A second time it does nothing.
   */
  open(storage: JournalStorage | false | undefined, limitMs: number): void {
    if (this.#limitMs) return;
    this.#limitMs = limitMs;
    this.#isOff = storage === false;
    this.#isStamped = storage === undefined;
    this.#missing = lack();
    if (!this.#isOff && hasDatabase()) this.#database = new Database(limitMs);
    if (storage || (!this.#isOff && !this.#missing)) {
      this.#entries = new Entries(this.#missing ? undefined : this.#database, storage || undefined);
      this.#ask(limitMs, (entries) => entries.check());
    }
    // Outside browsers nothing else is shared, unless the application does.
    const isShared = storage || globalThis.location;
    if (isShared) this.#webLocks = allowed(() => navigator.locks);
    if (isShared) this.#channel = allowed(() => new BroadcastChannel("verified-swap"));
    if (this.#channel) {
      this.#channel.onmessage = ({ data }) => this.#hear(data);
      // In Node it would keep the process alive.
      this.#channel.unref?.();
    } else {
      here.add(this);
    }
    const { signal } = this.#closing;
    const see = () => {
      if (!this.isVisible()) return;
      this.#wake();
      // Changes that were not reported may have happened meanwhile.
      if (!this.#channel) this.#tellReaders();
    };
    globalThis.document?.addEventListener("visibilitychange", see, { signal });
    for (const event of ["pageshow", "online"]) globalThis.addEventListener?.(event, see, { signal });
  }

  /** The journal's state, as the client's method returns it. */
  async journal(): Promise<JournalState> {
    if (this.#isOff) return { state: "off", reason: "storage is false" };
    if (!this.#entries) return { state: "memory", reason: this.#missing };
    const answer = await this.#ask(this.#limitMs, (entries) => entries.check());
    if (answer === null) return { state: "memory", reason: this.#missing };
    const reason = typeof answer === "string" ? answer : this.#failure;
    if (reason) return { state: "unreadable", reason };
    return { state: "stored", reason: this.#missing ? `not sealed: ${this.#missing}` : null };
  }

  /** [name, text] of the entries whose names begin with `prefix`; on failures see `#ask`. */
  load(prefix: string, limitMs: number): Stored<readonly Read[]> {
    return this.#ask(limitMs, (entries) => entries.load(prefix));
  }

  /** Same as the method of the entries. */
  changes(prefix: string, since: number, limitMs: number): Stored<readonly [reading: number, entries: readonly Read[]]> {
    return this.#ask(limitMs, (entries) => entries.changes(prefix, since));
  }

  /**
   * The count of that name as it was last written by any tab, which is there at once, unlike the storage; null if there is
   * none, undefined where there is no place for it. With `text`, that is written first.
   */
  stamp(name: string, text?: string | null): string | null | undefined {
    const key = `verified-swap/${name}`;
    return allowed(() => {
      if (lack()) return undefined;
      if (text) localStorage.setItem(key, text);
      return localStorage.getItem(key);
    });
  }

  /** True once the entry is written; `text` null deletes it. */
  async store(name: string, text: string | null, isDurable: boolean, limitMs: number): Stored<true> {
    if (this.#isStamped && name.startsWith("rateLimit/")) this.stamp(name, text);
    const answer = await this.#ask(limitMs, async (entries) => {
      await entries.store(name, text, isDurable);
      return true as const;
    });
    this.#failure = typeof answer === "string" ? answer : undefined;
    if (name.startsWith("trade/")) this.#tellReaders();
    return answer;
  }

  /** Calls a function whenever the journal has changed, here or in another tab. Returns a function that ends that. */
  onJournal(reader: () => void): () => void {
    this.#readers.add(reader);
    return () => void this.#readers.delete(reader);
  }

  #tellReaders() {
    for (const reader of [...this.#readers]) reader();
  }

  /**
   * `got`, a promise of whether the lock was taken, null if the browser does not answer; `close()` gives it back, or stops
   * waiting for it.
   */
  lock(name: string, limitMs: number): Lock {
    if (this.#closing.signal.aborted) return { got: Promise.resolve(false), close() {} };
    const stop = new AbortController();
    const timers: ReturnType<typeof setTimeout>[] = [];
    const after = (ms: number, work: () => void) => timers.push(setTimeout(work, Math.min(ms, MAX_TIMER_MS)));
    let isOver = false;
    let giveBack: GiveBack | null;
    let answer: (isTaken: boolean | null) => void;
    const got = new Promise<boolean | null>((resolve) => (answer = resolve));
    const close = () => {
      isOver = true;
      timers.forEach(clearTimeout);
      this.#ends.delete(close);
      if (giveBack) return giveBack();
      stop.abort();
      answer(false);
    };
    this.#ends.add(close);
    if (limitMs) after(limitMs, () => stop.abort());
    after(limitMs + SILENT_MS, () => (answer(null), close()));
    takeLock(name, limitMs > 0, stop.signal, this.#webLocks).then((taken) => {
      timers.forEach(clearTimeout);
      giveBack = taken;
      if (isOver) giveBack?.();
      answer(Boolean(taken));
    });
    return { got, close };
  }

  /** Whether messages of other tabs arrive. */
  get hears() {
    return Boolean(this.#channel);
  }

  tell(topic: string, message: string): void {
    if (this.#channel) return this.#channel.postMessage([topic, message]);
    for (const other of here) if (other !== this) queueMicrotask(() => other.#hear([topic, message]));
  }

  /** `next()`, the oldest message that was not taken yet, or undefined; `close()`. */
  inbox(topic: string): Inbox {
    const messages: string[] = [];
    const inbox: Inbox = { topic, messages, next: () => messages.shift(), close: () => this.#inboxes.delete(inbox) };
    this.#inboxes.add(inbox);
    return inbox;
  }

  /** Calls a function whenever a pause is to end early, until `forget`. */
  wakeBy(wake: () => void): void {
    this.#wakes.add(wake);
  }

  forget(wake: () => void): void {
    this.#wakes.delete(wake);
  }

  /**
   * Unix milliseconds on a clock that only goes forward, so that two pages of one browser have comparable times. Where there
   * is no `performance` (MetaMask's Snaps), by the machine's clock: what that is set back by does not pass here.
   */
  now() {
    const { performance: clock } = globalThis;
    const ms = clock && clock.timeOrigin + clock.now();
    if (ms) return ms;
    const now = Date.now();
    lostMs += Math.max(0, lastMs - now);
    return (lastMs = now) + lostMs;
  }

  /** Whether the user sees the page. Workers have none. */
  isVisible() {
    return globalThis.document?.visibilityState !== "hidden";
  }

  /** Leaves no listener, timer, lock, channel or connection behind. */
  close() {
    this.#closing.abort();
    for (const end of [...this.#ends]) end();
    this.#inboxes.clear();
    this.#channel?.close();
    this.#channel = undefined;
    here.delete(this);
    this.#database?.close();
  }

  /** A script of the same origin may send anything. */
  #hear(data: unknown) {
    const [topic, message] = Array.isArray(data) ? data : [];
    const inboxes = [...this.#inboxes].filter((inbox) => inbox.topic === topic && typeof message === "string");
    for (const { messages } of inboxes) messages.push(message);
    if (inboxes.length > 0) this.#wake();
    if (topic === "journal") this.#tellReaders();
  }

  #wake() {
    for (const wake of [...this.#wakes]) wake();
  }

  /** The result of work on the entries; null if there is no storage; a text with the reason if it has no answer. */
  async #ask<Result>(limitMs: number | undefined, work: (entries: Entries) => Promise<Result>): Stored<Result> {
    const entries = this.#entries;
    if (!entries) return null;
    return new Promise((resolve) => {
      const end = (answer: Result | string | null) => {
        clearTimeout(timer);
        this.#ends.delete(close);
        resolve(answer);
      };
      const fail = (error: unknown) => {
        if (error instanceof Absent) this.#missing = error.message;
        end(error instanceof Absent ? null : String(error));
      };
      const close = () => fail("the client is closed");
      const timer = setTimeout(fail, limitMs, `no answer from the storage within ${limitMs} ms`);
      this.#ends.add(close);
      if (this.#closing.signal.aborted) return close();
      work(entries).then(end, fail);
    });
  }
}
