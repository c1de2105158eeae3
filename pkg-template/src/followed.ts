// The module and the page as the schedule of watches (watch.ts) sees them: rounds, clocks, timers, and the other tabs.
import { inside } from "./reading.ts";
import { watch } from "./watch.ts";
import type { Answer, Look, Module, Plan, Shell, Shown, Watches } from "./watch.ts";

/** The longest time that a timer can be set to. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A watch as the module has it: each call takes JSON text. */
interface Inner {
  call(name: "plan", data: string): Promise<Plan>;
  call(name: "round", data: string): Promise<Answer>;
  call(name: "hear", data: string): Promise<Answer | null>;
  call(name: "refuse", data: string): Promise<never>;
  call(name: "show", data: string): Promise<Shown>;
  call(name: "told", data: string): Promise<unknown>;
  call(name: "look", data: string): Promise<Look>;
  free(): void;
}

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

/** Yields the changes of a watch that the module has, and frees it. */
export async function* follow(
  inner: Inner,
  watches: Watches,
  tabs: Tabs,
  endings: Endings,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown, void> {
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
    signal?.addEventListener("abort", end);
    return () => {
      clearTimeout(timer);
      tabs.forget(end);
      endings.delete(end);
      signal?.removeEventListener("abort", end);
    };
  },
  lock: (name) => tabs.lock(name, 0),
  inbox: (topic) => tabs.inbox(topic),
  isAborted: () => endings.isClosed() || signal?.aborted === true,
});
