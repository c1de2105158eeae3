// The module and the page as the schedule of watches (watch.ts) sees them: rounds, clocks, timers, and the other tabs.
import { inside } from "./reading.ts";
import type { Order, SentTransaction } from "./types.ts";
import type { Watch as Inner } from "./verified_swap.js";
import { watch } from "./watch.ts";
import type { Module, Shell, Watches } from "./watch.ts";

/** The longest time that a timer can be set to. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** `tabs.ts`, as far as a watch needs it. */
interface Tabs {
  now(): number;
  isVisible(): boolean;
  lock(name: string, limitMs: number): { readonly got: Promise<boolean | null>; close(): void };
  inbox(topic: string): { next(): string | undefined; close(): void };
  wakeBy(wake: () => void): void;
  forget(wake: () => void): void;
}

/** The functions that are called when the client ends. */
interface Endings {
  isClosed(): boolean;
  add(end: () => void): void;
  delete(end: () => void): void;
}

/** The waits that a signal ends: it has one listener, however many wait. */
const waiting = new WeakMap<AbortSignal, { readonly ends: Set<() => void>; readonly endAll: () => void }>();

/** Calls `end` when the signal aborts. Returns the function that takes this back. */
function whenAborted(signal: AbortSignal, end: () => void): () => void {
  let shared = waiting.get(signal);
  if (!shared) {
    const ends = new Set<() => void>();
    shared = { ends, endAll: () => [...ends].forEach((one) => one()) };
    waiting.set(signal, shared);
    signal.addEventListener("abort", shared.endAll);
  }
  const { ends, endAll } = shared;
  ends.add(end);
  return () => {
    ends.delete(end);
    if (ends.size > 0) return;
    signal.removeEventListener("abort", endAll);
    if (waiting.get(signal) === shared) waiting.delete(signal);
  };
}

/** Yields the changes of a watch that the module has, and frees it. */
export async function* follow(
  inner: Inner,
  watches: Watches,
  tabs: Tabs,
  endings: Endings,
  signal: AbortSignal | undefined,
): AsyncGenerator<Order | SentTransaction, void> {
  try {
    yield* watch(watches, moduleOf(inner), shellOf(tabs, endings, signal));
  } finally {
    inner.free();
  }
}

const moduleOf = (inner: Inner): Module => ({
  plan: () => inside(() => inner.call("plan", "{}"), false),
  round: (round) => inside(() => inner.call("round", JSON.stringify(round)), false),
  hear: (heard) => inside(() => inner.call("hear", JSON.stringify(heard)), false),
  refuse: (order) => inside(() => inner.call("refuse", JSON.stringify(order)), false),
  show: (change) => inside(() => inner.call("show", JSON.stringify(change)), false),
  told: (told) => inside(() => inner.call("told", JSON.stringify(told)), false),
  look: (look) => inside(() => inner.call("look", JSON.stringify(look)), false),
});

const shellOf = (tabs: Tabs, endings: Endings, signal: AbortSignal | undefined): Shell => ({
  now: () => tabs.now(),
  unixMs: () => Date.now(),
  isVisible: () => tabs.isVisible(),
  wake(ms, end) {
    const timer = setTimeout(end, Math.min(ms, MAX_TIMER_MS));
    tabs.wakeBy(end);
    endings.add(end);
    const leave = signal && whenAborted(signal, end);
    return () => {
      clearTimeout(timer);
      tabs.forget(end);
      endings.delete(end);
      leave?.();
    };
  },
  lock: (name) => tabs.lock(name, 0),
  inbox: (topic) => tabs.inbox(topic),
  isAborted: () => endings.isClosed() || signal?.aborted === true,
});
