// A simulated clock, a browser's tabs on it, and a service with a book of orders, for the tests of the schedule.
import { source } from "../../xtask/node/source.mjs";

const { Watches, watch } = await source("watch");

const TERMINAL = new Set(["COMPLETED", "FAILED", "EXPIRED", "CANCELLED", "REFUNDED"]);
const WAITING = new Set(["PENDING", "AWAITING_SIGNATURE", "ACTIVE", "SUSPENDED"]);
/** Unix milliseconds when the clock begins. */
const BEGAN = 1_800_000_000_000;

/** The id of an order. */
export const id = (index) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
const indexOf = (text) => Number(text.slice(24));

/** The orders from one to another, by their ids and their owner. */
export const named = (from, to = from + 1) => ({ orders: Array.from({ length: to - from }, (_, at) => ({ id: id(from + at), owner: "owner" })) });

/** A clock that stands still while anything works, and jumps whenever everything waits. */
class Clock {
  now = 0;
  #timers = new Set();

  after(ms, end) {
    const timer = { at: this.now + ms, end };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  wait(ms) {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  async run(tasks) {
    let isDone = false;
    const all = Promise.all(tasks).finally(() => (isDone = true));
    all.catch(() => {});
    for (;;) {
      await new Promise(setImmediate);
      if (isDone) return all;
      const next = Math.min(...[...this.#timers].map(({ at }) => at));
      if (next === Infinity) throw new Error("everything waits, and nothing for the time");
      this.now = Math.max(this.now, next);
      for (const timer of [...this.#timers]) {
        if (timer.at <= this.now && this.#timers.delete(timer)) timer.end();
      }
    }
  }
}

/** Orders of one owner as the service lists them. */
export class Book {
  sort = "newest";
  largestPage = 1_000;
  isAway = false;
  /** The members that its pages leave out. */
  silent = [];
  /** Answers to come instead of the book's: functions of the request. */
  next = [];
  always = undefined;
  afterPage = () => {};
  asked = [];
  #orders = [];
  #changes = [];

  constructor(clock) {
    this.clock = clock;
  }

  post(status, more = {}) {
    this.#orders.push({ status, updated: this.clock.now, more });
    return this.#orders.length - 1;
  }

  change(index, status, at = this.clock.now) {
    Object.assign(this.#orders[index], { status, updated: at });
  }

  changeAt(at, index, status) {
    this.#changes.push({ at, index, status });
  }

  /** The answer to a request: `{ order }` or `{ page }`. */
  answer(request) {
    const { now } = this.clock;
    this.#changes = this.#changes.filter(({ at, index, status }) => at > now || this.change(index, status, at));
    this.asked.push([now, request.page ? `${request.page.isEnded ? "ended" : "open"} ${request.page.page}/${request.page.limit}` : String(indexOf(request.order))]);
    const own = this.next.shift() ?? this.always;
    const answer = own?.(request);
    if (answer) return answer;
    if (this.isAway) return { retryMs: 0 };
    return request.page ? this.#page(request.page) : this.#one(indexOf(request.order));
  }

  #one(index) {
    const order = this.item(index);
    return order ? { items: [order] } : { status: 404 };
  }

  item(index) {
    const order = this.#orders[index];
    return order && { id: id(index), status: order.status, updatedAt: String(order.updated).padStart(13, "0"), ...order.more };
  }

  #page(page) {
    const found = [...this.#orders.keys()].filter((index) => TERMINAL.has(this.#orders[index].status) === page.isEnded);
    if (this.sort === "newest") found.reverse();
    if (this.sort === "lastChanged") found.sort((one, other) => this.#orders[other].updated - this.#orders[one].updated);
    const items = found.slice((page.page - 1) * page.limit, page.page * page.limit).map((index) => this.item(index));
    const frame = { total: found.length, limit: page.limit, hasMore: found.length > page.page * page.limit };
    this.afterPage(this);
    if (items.length > this.largestPage) return { isTooLarge: true };
    for (const name of this.silent) delete frame[name];
    return { items, ...frame };
  }
}

export const failure = (code, status) => Object.assign(new Error(code), { name: "TradeError", code, status });

/** Requests leave one a second, three at once. */
class Line {
  #at = -Infinity;

  async turn(clock) {
    this.#at = Math.max(this.#at + 1_000, clock.now - 2_000);
    if (this.#at > clock.now) await clock.wait(this.#at - clock.now);
  }
}

export class Browser {
  clock = new Clock();
  locks = new Map();
  tabs = [];
  line = undefined;

  tab(book) {
    const tab = new Tab(this, book);
    this.tabs.push(tab);
    return tab;
  }
}

/** A tab: what it has of the browser, and the module's rounds. */
export class Tab {
  isVisible = true;
  latencyMs = 0;
  watches = new Watches();
  inboxes = new Set();
  wakes = new Set();
  /** The locks that were asked for and not closed. */
  locks = new Set();
  line = new Line();
  /** Since when the service does not find an order that it handed out, by its id. */
  handedOut = new Set();
  told = [];

  constructor(browser, book) {
    [this.browser, this.clock, this.book] = [browser, browser.clock, book];
  }

  see(isVisible) {
    this.isVisible = isVisible;
    if (isVisible) this.wake();
  }

  wake() {
    for (const end of [...this.wakes]) end();
  }

  publish(message) {
    for (const tab of this.browser.tabs) {
      if (tab === this || tab.inboxes.size === 0) continue;
      this.clock.after(0, () => {
        for (const messages of tab.inboxes) messages.push(message);
        tab.wake();
      });
    }
  }

  shell(isAborted) {
    const { clock } = this;
    return {
      now: () => BEGAN + clock.now,
      unixMs: () => BEGAN + clock.now,
      isVisible: () => this.isVisible,
      wake: (ms, end) => {
        const stop = clock.after(ms, end);
        this.wakes.add(end);
        return () => {
          stop();
          this.wakes.delete(end);
        };
      },
      lock: (name) => {
        // The other tabs learn of a lock that is given back after what was sent to them before; this one at once.
        const { locks } = this.browser;
        const got = !locks.has(name) || locks.get(name).leaving === this;
        const mine = {};
        if (got) locks.set(name, mine);
        const giveBack = () => {
          mine.leaving = this;
          clock.after(0, () => locks.get(name) === mine && locks.delete(name));
        };
        this.locks.add(mine);
        const close = () => this.locks.delete(mine) && got && giveBack();
        return { got: Promise.resolve(got), close };
      },
      inbox: () => {
        const messages = [];
        this.inboxes.add(messages);
        return { next: () => messages.shift(), close: () => this.inboxes.delete(messages) };
      },
      isAborted,
    };
  }

  /** The entries of an answer about these orders. */
  #told(items, { orders: texts, takesNew, index: asked }, place) {
    const told = [];
    const orders = texts.map((text) => JSON.parse(text));
    const placeOf = new Map(orders.map((order, index) => [order.id, index]));
    items.forEach((item, at) => {
      const known = asked ?? placeOf.get(item.id);
      const places = known === undefined ? (takesNew ? [null] : []) : [known];
      for (const index of places) {
        const order = index === null ? {} : orders[index];
        const text = JSON.stringify(item);
        const facts = { index, id: item.id, isEnded: TERMINAL.has(item.status), chainId: item.chainId ?? null, updatedAt: item.updatedAt ?? "" };
        const isSame = order.isEnded || order.digest === text;
        const { deadline = null } = item;
        const lapsesAt = deadline !== null && WAITING.has(item.status) ? deadline + 3_600 : null;
        const reported = isSame || item.lie ? null : { known: { id: item.id, owner: "owner" }, text, digest: text, deadline, lapsesAt };
        told.push({ ...facts, reported, contradiction: item.lie && !isSame ? { place: `${place}.${at}`, text } : null });
      }
    });
    return told;
  }

  #read(round, answer) {
    const { items, total = null, hasMore = null, limit } = answer;
    const told = this.#told(items, round, round.page ? "page" : "order");
    if (!round.page) {
      if (told[0]?.contradiction) throw failure("SERVICE_MALFORMED");
      return { told, owner: "owner" };
    }
    return { told, page: { ...round.page, size: limit ?? round.page.limit, count: items.length, total, hasMore } };
  }

  module(plan, isAborted) {
    return {
      plan: async () => ({ isTransaction: false, orders: [], account: null, chains: [], intervalMs: 2_000, maxIntervalMs: 55_000, lockPrefix: "watch/", ...plan }),
      round: async (round) => {
        await (this.browser.line ?? this.line).turn(this.clock);
        if (isAborted()) throw failure("ABORTED");
        const request = round.page ? { page: round.page } : { order: JSON.parse(round.orders[round.index]).id };
        const answer = this.book.answer(request);
        if (this.latencyMs) await this.clock.wait(this.latencyMs);
        if (answer.retryMs !== undefined) return { told: [], retryMs: answer.retryMs };
        if (answer.isTooLarge && round.mayShrink) return { told: [], isTooLarge: true };
        if (answer.isTooLarge) throw failure("SERVICE_MALFORMED");
        if (answer.status === 404 && this.handedOut.has(request.order)) {
          const known = round.text ? [] : this.#told([{ id: request.order, status: "PENDING" }], round, "order");
          return { told: known, unseen: { since: round.unseenSince ?? BEGAN + this.clock.now, isOver: false } };
        }
        if (answer.status) throw failure("SERVICE_REJECTED", answer.status);
        this.publish(JSON.stringify({ page: round.page, answer }));
        return this.#read(round, answer);
      },
      hear: async ({ message, orders, lists }) => {
        const { page, answer } = JSON.parse(message);
        if (!answer) return null;
        const told = this.#read({ page, orders, takesNew: true }, answer);
        return page ? told : { ...told, told: told.told.filter(({ index }) => index !== null) };
      },
      refuse: async ({ place }) => {
        throw Object.assign(failure("SERVICE_MALFORMED"), { field: place });
      },
      show: async ({ text, ended, unseenSince }) => {
        const order = JSON.parse(text);
        return { order: { ...order, ended, unseenSince }, told: order.id };
      },
      told: async (told) => void this.told.push([this.clock.now, told]),
      look: async ({ isSeen }) => this.look(isSeen),
    };
  }

  /** Follows until it ends, or that time has come; notes what it yields. */
  async follow(what, until, options = {}) {
    if (options.after) await this.clock.wait(options.after);
    const seen = new Seen();
    let isAborted = false;
    const stop = this.clock.after(until - this.clock.now, () => {
      isAborted = true;
      this.wake();
    });
    try {
      const module = this.module(what, () => isAborted);
      for await (const order of watch(this.watches, module, this.shell(() => isAborted))) {
        seen.changes.push([this.clock.now, order.id, order.status, order]);
        await options.body?.(order);
        if (seen.changes.length === options.most) break;
      }
    } catch (error) {
      seen.error = error;
    }
    stop();
    seen.at = this.clock.now;
    return seen;
  }
}

class Seen {
  changes = [];
  error = undefined;

  /** The statuses of an order, one after the other. */
  of(index) {
    return this.changes.filter(([, one]) => one === id(index)).map(([, , status]) => status);
  }

  /** When each order was seen in a status, by its index. */
  when(status) {
    return new Map(this.changes.filter(([, , one]) => one === status).map(([at, one]) => [indexOf(one), at]));
  }
}
