// The schedule of watches: when the service is asked for the orders that are followed, and a node for a transaction. The
// module verifies each answer, and says what it means.
//
// Nothing runs in the background. The state is one for all watches of a client: the first waiting watch that is due
// sends the request for all of them, and the module passes the answer on to the other tabs. They verify it themselves,
// and then are not due. So there is no leader that could be frozen, and none to be elected.
import {
  Following,
  MANY,
  MAX_CONTRADICTIONS,
  cover,
  fail,
  followUp,
  joinSearch,
  nextRequest,
  takeOrders,
  takePage,
  takeReport,
  unseenPause,
} from "./owner-list.ts";
import type { Known, Order, OwnerList, Page, PageAnswer, Request, Told, Unseen } from "./owner-list.ts";
import { isTradeError, tradeError } from "./reading.ts";
import type * as published from "./types.ts";

/** The longest pause while something changed within `LIVELY_MS`, and that time, in milliseconds. */
const [LIVELY_PAUSE_MS, LIVELY_MS] = [15_000, 300_000];
/** How long after its deadline an order is requested more often, in seconds. */
const ENDING_SECS = 60;
/** The factor of the pauses while the page is hidden. */
const HIDDEN_FACTOR = 4;
/** How long another tab may take to send its request, in milliseconds. It may be frozen; then this tab sends its own. */
const PATIENCE_MS = 30_000;
/** How often the lock is tried meanwhile, in milliseconds. */
const LOCKED_MS = 1_000;
/** The refusals in a row after which it is an error that the service no longer reports what it reported before. */
const MAX_REFUSALS = 3;
/** The smallest page size that is requested. */
const SMALLEST_PAGE = 10;
/** The topic of messages between tabs: an answer of the service, and its request. */
const TOPIC = "orders";

/** How often is asked: the pause after a change, and the longest one, in milliseconds. */
export interface Pace {
  readonly intervalMs: number;
  readonly maxIntervalMs: number;
}

/** The argument and options of a watch, as the module read them. */
export interface Plan extends Pace {
  readonly isTransaction: boolean;
  readonly orders: readonly Known[];
  /** The account of which all orders are followed, and the source chains; none for all. */
  readonly account: string | null;
  readonly chains: readonly number[];
  /** The beginning of the names of the locks of this service. */
  readonly lockPrefix: string;
}

/** An order of a round, as JSON text: however many there are, each is one value. */
export type AskedText = string;

/** An order of a round, as the module takes it. */
export interface Asked extends Known {
  /** The digest of its last report, and its deadline by that. */
  readonly digest?: string;
  readonly deadline?: number | null;
  /** Its status no longer changes: what is reported of it is not looked at. */
  readonly isEnded: boolean;
}

/** One round: a request, and the orders that its answer may be about. */
export interface Round {
  readonly orders: readonly AskedText[];
  readonly page?: Page;
  /** Whether orders are wanted that are not followed yet, and whether a smaller page may be requested. */
  readonly takesNew?: boolean;
  readonly mayShrink?: boolean;
  /** The place of a single order in `orders`, its last report, deadline, and since when it is unseen. */
  readonly index?: number;
  readonly text?: string;
  readonly deadline?: number | null;
  readonly unseenSince?: number;
}

/** The outcome of a round. A failure that does not pass rejects. */
export interface Answer {
  readonly told: readonly Told[];
  readonly page?: PageAnswer;
  /** The owner of a single order. */
  readonly owner?: string;
  /** The service does not find the order, which it handed out; `told` has what is known of it, if nothing was reported. */
  readonly unseen?: Unseen;
  /** The answer has more bytes than are read. */
  readonly isTooLarge?: boolean;
  /** The failure may pass: the milliseconds that the service names, or 0. */
  readonly retryMs?: number;
}

/** A change as the app gets it. */
export type Change = published.Order | published.SentTransaction;

/** A change, for the app; and what the ledger notes once the app has it. */
export interface Shown {
  readonly order: Change;
  readonly told: unknown;
}

/** The state of a transaction at a look; without `sent` the look failed, and that may pass. */
export interface Look {
  readonly sent?: published.SentTransaction;
  readonly isEnded?: boolean;
  readonly told?: unknown;
}

/** The module: each function is one round, and decides what an answer means. */
export interface Module {
  plan(): Promise<Plan>;
  round(round: Round): Promise<Answer>;
  /** Verifies an answer that another tab passed on; null if it is none of this service. */
  hear(round: { readonly message: string; readonly orders: readonly AskedText[]; readonly lists: readonly string[] }): Promise<Answer | null>;
  /** Rejects with the error for an order that contradicts. */
  refuse(contradiction: object): Promise<never>;
  show(change: object): Promise<Shown>;
  told(told: unknown): Promise<unknown>;
  look(look: { readonly isSeen: boolean }): Promise<Look>;
}

/** The tab: clocks, timers, locks, messages; and the end of the watch by the caller's signal or with the client. */
export interface Shell {
  /** Milliseconds on a clock that only goes forward. */
  now(): number;
  unixMs(): number;
  isVisible(): boolean;
  /** Calls `end` after so many milliseconds, and whenever the page comes into view or a message arrives, until it is forgotten. */
  wake(ms: number, end: () => void): () => void;
  lock(name: string): { readonly got: Promise<boolean | null>; close(): void };
  inbox(topic: string): Inbox;
  isAborted(): boolean;
}

interface Inbox {
  next(): string | undefined;
  close(): void;
}

/** The pause after one of `pauseMs` that showed no change, the last change being `quietMs` ago. */
export function slower({ intervalMs, maxIntervalMs }: Pace, pauseMs: number, quietMs: number): number {
  const longest = quietMs < LIVELY_MS ? Math.max(LIVELY_PAUSE_MS, intervalMs) : Infinity;
  return Math.min(Math.floor((Math.max(pauseMs, intervalMs) * 3) / 2), longest, maxIntervalMs);
}

const aborted = () => tradeError("aborted by the caller", { code: "ABORTED" });

/** The watches of one client: the orders that they follow, and the right to send a request, which one has at a time. */
export class Watches {
  readonly following = new Following();
  /** No request is sent before: the last one failed. */
  retryMs = 0;
  isAsking = false;
  readonly #waiting = new Set<() => void>();
  #inbox: Inbox | undefined;
  #seats = 0;

  /** Opens the inbox that all watches share; `leave` closes it after the last one. */
  enter(shell: Shell): Inbox {
    if (this.#seats++ === 0) this.following.forgetLists();
    return (this.#inbox ??= shell.inbox(TOPIC));
  }

  leave(): void {
    if (--this.#seats > 0) return;
    this.#inbox?.close();
    this.#inbox = undefined;
  }

  /** Waits so many milliseconds, or until another watch has an answer or gives up the right to send. */
  wait(shell: Shell, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        forget();
        this.#waiting.delete(end);
        resolve();
      };
      this.#waiting.add(end);
      const forget = shell.wake(ms, end);
    });
  }

  wake(): void {
    this.following.turn++;
    for (const end of [...this.#waiting]) end();
  }
}

/** Yields each change of what is followed, until its status no longer changes. The ledger is told after the caller's body. */
export async function* watch(watches: Watches, module: Module, shell: Shell): AsyncGenerator<Change, void> {
  const plan = await module.plan();
  if (plan.isTransaction) return yield* followTransaction(watches, module, shell, plan);
  const following = new Watch(watches, module, shell, plan);
  const inbox = following.enter();
  try {
    for (let change; (change = await following.next(inbox)); ) yield* hand(module, await module.show(change));
  } finally {
    following.leave();
  }
}

async function* hand(module: Module, { order, told }: Shown): AsyncGenerator<Change, void> {
  try {
    yield order;
  } finally {
    if (told) await module.told(told);
  }
}

async function* followTransaction(watches: Watches, module: Module, shell: Shell, pace: Pace): AsyncGenerator<Change, void> {
  let [last, pauseMs, changedMs] = ["", 0, 0];
  for (;;) {
    if (pauseMs > 0) await watches.wait(shell, pauseMs);
    if (shell.isAborted()) throw aborted();
    const { sent, isEnded, told } = await module.look({ isSeen: last !== "" });
    const text = JSON.stringify(sent);
    if (!sent || text === last) {
      pauseMs = slower(pace, pauseMs, shell.now() - changedMs);
      continue;
    }
    [last, pauseMs, changedMs] = [text, pace.intervalMs, shell.now()];
    yield* hand(module, { order: sent, told });
    if (isEnded) return;
  }
}

/** The orders of one watch: their changes, and the pauses between requests. */
class Watch {
  readonly #watches: Watches;
  readonly #module: Module;
  readonly #shell: Shell;
  readonly #plan: Plan;
  /** The orders, by the turn of the last change that was returned. */
  readonly #seen = new Map<Order, number>();
  /** New orders of the account. */
  readonly #arrivals: Order[] = [];
  /** The pause after a request, none before the first; the turn of that request; whether something was returned since. */
  #pauseMs = 0;
  #looked = 0;
  #hasChanged = false;
  /** When something was returned last. */
  #changedMs = 0;
  #wasHidden = false;
  /** Since when another tab has had the lock without passing on an answer. */
  #lockedMs: number | undefined;

  constructor(watches: Watches, module: Module, shell: Shell, plan: Plan) {
    [this.#watches, this.#module, this.#shell, this.#plan] = [watches, module, shell, plan];
  }

  get #following(): Following {
    return this.#watches.following;
  }

  get #list(): OwnerList | undefined {
    return this.#plan.account === null ? undefined : this.#following.list(this.#plan.account);
  }

  /** Joins the watches of this client. */
  enter(): Inbox {
    const inbox = this.#watches.enter(this.#shell);
    this.#changedMs = this.#shell.now();
    for (const known of this.#plan.orders) {
      const order = this.#following.join(known);
      if (this.#seen.has(order)) this.#following.leave(order);
      else this.#seen.set(order, 0);
    }
    const list = this.#list;
    if (!list) return inbox;
    for (const order of this.#following.of(list.owner)) {
      if (order.isEnded) continue;
      order.watches++;
      this.#arrivals.push(order);
    }
    list.arrivals.add(this.#arrivals);
    // All open orders have to be found.
    [list.sweptMs, list.askedOpen] = [undefined, false];
    return inbox;
  }

  leave(): void {
    this.#list?.arrivals.delete(this.#arrivals);
    for (const order of [...this.#seen.keys(), ...this.#arrivals]) this.#following.leave(order);
    this.#watches.leave();
    this.#watches.wake();
  }

  /** Waits until an order differs from its last returned state; undefined once all have ended. */
  async next(inbox: Inbox): Promise<object | undefined> {
    for (;;) {
      if (await this.#hear(inbox)) this.#lockedMs = undefined;
      this.#takeArrivals();
      const change = this.#takeChange();
      if (change) return change;
      if (this.#seen.size === 0 && !this.#list) return undefined;
      if (this.#shell.isAborted()) throw aborted();
      await this.#takeFailure();
      this.#setPause();
      const step = this.#step();
      if (typeof step === "number") await this.#watches.wait(this.#shell, step);
      else await this.#askAlone(step, inbox);
    }
  }

  /** Takes over the answers of other tabs; returns whether there were any. */
  async #hear(inbox: Inbox): Promise<boolean> {
    let hasMessage = false;
    for (let message; (message = inbox.next()) !== undefined; ) {
      hasMessage = true;
      const orders = [...this.#following.orders];
      const answer = await this.#module.hear({ message, orders: orders.map(asked), lists: this.#following.accounts() });
      if (answer) this.#takeHeard(answer, orders);
    }
    return hasMessage;
  }

  #takeHeard({ page, owner, told }: Answer, orders: readonly Order[]): void {
    const [now, following] = [this.#shell.now(), this.#following];
    if (page) {
      joinSearch(following.list(page.owner), page, now);
      takePage(following, page, orders, told, { now, unixMs: this.#shell.unixMs() });
    } else {
      takeOrders(following, orders, told, now);
      if (owner !== undefined && told.length === 0) following.list(owner).answeredMs = now;
    }
    this.#watches.wake();
  }

  /** Takes over the account's new orders. */
  #takeArrivals(): void {
    const { chains } = this.#plan;
    for (const order of this.#arrivals.splice(0)) {
      const isMine = !order.reported || chains.length === 0 || (order.chainId !== null && chains.includes(order.chainId));
      if (isMine && !this.#seen.has(order)) this.#seen.set(order, 0);
      else this.#following.leave(order);
    }
  }

  /** The oldest change that was not returned yet. Forgets an order that has ended. */
  #takeChange(): object | undefined {
    let oldest: Order | undefined;
    for (const [order, seen] of this.#seen) {
      if (order.changed > seen && (!oldest || order.changed < oldest.changed)) oldest = order;
    }
    const order = oldest ?? [...this.#seen.keys()].find((one) => this.#hasLapsed(one));
    if (!order) return undefined;
    const { known, reported, isEnded, unseen } = order;
    const ended = oldest ? (unseen?.isOver ? "chain" : null) : "deadline";
    if (isEnded || ended) this.#forget(order);
    else this.#seen.set(order, order.changed);
    if (!isEnded) [this.#hasChanged, this.#changedMs] = [true, this.#shell.now()];
    return { known, text: reported?.text ?? "null", ended, unseenSince: unseen?.since ?? null };
  }

  #forget(order: Order): void {
    this.#seen.delete(order);
    this.#following.leave(order);
    if (this.#list && order.known.id !== undefined) this.#list.idsEnded.add(order.known.id);
  }

  /** Whether following it is no longer of use: long after its deadline it was still reported as waiting to be filled. */
  #hasLapsed({ reported, reportedMs }: Order): boolean {
    const toldSecs = (this.#shell.unixMs() - (this.#shell.now() - reportedMs)) / 1_000;
    return typeof reported?.lapsesAt === "number" && toldSecs >= reported.lapsesAt;
  }

  /** Throws the failure to read an order, or the list, if waiting does not help. */
  async #takeFailure(): Promise<void> {
    const list = this.#list;
    const failed = [...this.#seen.keys(), ...(list ? [list] : [])].find((one) => one.failure !== undefined);
    if (!failed) return;
    const { failure } = failed;
    failed.failure = undefined;
    if (isContradiction(failure)) await this.#module.refuse({ ...failure, owner: list?.owner });
    throw failure;
  }

  /** Sets the pause from the result of the last request, and has the orders wait no longer than that. */
  #setPause(): void {
    const [shell, list] = [this.#shell, this.#list];
    let looked = list?.covered ?? 0;
    for (const { covered } of this.#seen.keys()) looked = Math.max(looked, covered);
    if (looked > this.#looked) this.#lookAgain(looked);
    const isBack = shell.isVisible() && this.#wasHidden;
    this.#wasHidden = !shell.isVisible();
    const pauseMs = isBack ? this.#plan.intervalMs : this.#pauseMs;
    const sooner = (known: number | undefined) => Math.min(known ?? pauseMs, pauseMs);
    for (const order of this.#seen.keys()) {
      order.pauseMs = Math.max(sooner(order.pauseMs), unseenPause(order.unseen, shell.unixMs()));
    }
    if (list) list.pauseMs = sooner(list.pauseMs);
  }

  /** A request was answered: the next pause. */
  #lookAgain(looked: number): void {
    const { intervalMs, maxIntervalMs } = this.#plan;
    this.#looked = looked;
    const isMany = this.#seen.size > MANY;
    if (isMany) this.#pauseMs = maxIntervalMs;
    else if (this.#hasChanged) this.#pauseMs = intervalMs;
    else this.#slowDown();
    this.#hasChanged = false;
    const now = Math.floor(this.#shell.unixMs() / 1_000);
    const isEnding = ({ reported }: Order) => {
      const deadline = reported?.deadline ?? Infinity;
      return deadline <= now && now <= deadline + ENDING_SECS;
    };
    if (!isMany && [...this.#seen.keys()].some(isEnding)) this.#pauseMs = Math.min(this.#pauseMs, intervalMs * 2);
  }

  #slowDown(): void {
    this.#pauseMs = slower(this.#plan, this.#pauseMs, this.#shell.now() - this.#changedMs);
  }

  /** The next request, or the milliseconds to wait. */
  #step(): Request | number {
    const now = this.#shell.now();
    const retry = this.#watches.retryMs - now;
    if (retry > 0) return retry;
    const list = this.#list;
    const owners = new Set([list?.owner, ...[...this.#seen.keys()].map(({ known }) => known.owner)]);
    for (const owner of owners) {
      const left = owner === undefined ? undefined : followUp(this.#following.list(owner), this.#following.of(owner), now);
      if (left) return left;
    }
    const [at, due] = this.#soonest(now);
    const listAt = list ? this.#end(list) : Infinity;
    if (Math.min(at, listAt) > now) return Math.min(at, listAt) - now;
    return this.#request(listAt <= now ? undefined : due, now);
  }

  #request(due: Order | undefined, now: number): Request | number {
    const owner = due ? due.known.owner : this.#list?.owner;
    if (owner !== undefined) {
      return nextRequest(this.#following.list(owner), due, this.#following.of(owner), now, this.#plan.intervalMs);
    }
    return due ? { order: due } : LOCKED_MS;
  }

  /** When the pause of an order, or of the list, is over. */
  #end({ sinceMs, pauseMs }: Order | OwnerList): number {
    return sinceMs + (pauseMs ?? 0) * (this.#shell.isVisible() ? 1 : HIDDEN_FACTOR);
  }

  /** The order that has been due for the longest time, and since when: with more than can be asked for, no other would get its turn. */
  #soonest(now: number): readonly [number, Order | undefined] {
    const unixMs = this.#shell.unixMs();
    let [soonest, due]: [number, Order | undefined] = [Infinity, undefined];
    for (const order of this.#seen.keys()) {
      let at = this.#end(order);
      const deadline = this.#seen.size > MANY ? undefined : order.reported?.deadline;
      // A second after the deadline, when the service may have noticed it; unless the order was read since.
      const noticeMs = typeof deadline === "number" ? (deadline + 1) * 1_000 : -Infinity;
      if (unixMs - (now - order.sinceMs) < noticeMs) at = Math.min(at, now + Math.max(0, noticeMs - unixMs));
      if (at < soonest) [soonest, due] = [at, order];
    }
    return [soonest, due];
  }

  /** Sends the request, unless another tab or watch sends one about the same owner now. */
  async #askAlone(request: Request, inbox: Inbox): Promise<void> {
    const lock = await this.#lock(request);
    if (lock === undefined || this.#watches.isAsking) {
      lock?.close();
      return this.#watches.wait(this.#shell, LOCKED_MS);
    }
    this.#watches.isAsking = true;
    try {
      // The tab that had the lock before has passed on its answer.
      if (!(await this.#hear(inbox))) await this.#ask(request);
    } finally {
      lock.close();
      this.#watches.isAsking = false;
      this.#watches.wake();
    }
  }

  /** The lock; undefined if another tab has it, and may still be answered. One that does not answer is frozen. */
  async #lock(request: Request): Promise<{ close(): void } | undefined> {
    const owner = "page" in request ? request.page.owner : request.order.known.owner;
    if (owner === undefined) return { close() {} };
    const lock = this.#shell.lock(this.#plan.lockPrefix + owner);
    const got = await lock.got;
    if (got !== false) {
      if (got) this.#lockedMs = undefined;
      return lock;
    }
    const now = this.#shell.now();
    this.#lockedMs ??= now;
    if (now - this.#lockedMs >= PATIENCE_MS) return lock;
    lock.close();
    return undefined;
  }

  /** Sends the request, and takes over the answer. A failure that may pass slows down. */
  async #ask(request: Request): Promise<void> {
    const orders = [...this.#following.orders];
    try {
      const answer = await this.#module.round(this.#round(request, orders));
      if (answer.isTooLarge && "page" in request) shrink(this.#following.list(request.page.owner), request.page);
      else if (answer.retryMs !== undefined) this.#retryAfter(answer.retryMs);
      else this.#take(request, answer, orders);
    } catch (error) {
      if (isTradeError(error, "ABORTED")) throw error;
      this.#retryAfter(secondsNamed(error) * 1_000);
      this.#fail(request, error);
    }
  }

  #round(request: Request, orders: readonly Order[]): Round {
    const round = { orders: orders.map(asked) };
    if ("page" in request) {
      const list = this.#following.list(request.page.owner);
      return { ...round, page: request.page, takesNew: list.arrivals.size > 0, mayShrink: list.limit > SMALLEST_PAGE };
    }
    const { reported, unseen } = request.order;
    const known = reported ? { text: reported.text, deadline: reported.deadline } : {};
    return { ...round, ...known, ...(unseen ? { unseenSince: unseen.since } : {}), index: orders.indexOf(request.order) };
  }

  #take(request: Request, { page, told, unseen }: Answer, orders: readonly Order[]): void {
    const [now, following] = [this.#shell.now(), this.#following];
    if (page) return takePage(following, page, orders, told, { now, unixMs: this.#shell.unixMs() });
    if (unseen && "order" in request) return this.#miss(request.order, unseen, told[0]);
    takeOrders(following, orders, told, now);
  }

  /** The service does not find an order that it handed out. */
  #miss(order: Order, unseen: Unseen, known: Told | undefined): void {
    if (known) takeReport(order, known);
    const [turn, now] = [++this.#following.turn, this.#shell.now()];
    if (order.unseen?.isOver !== unseen.isOver) order.changed = turn;
    order.unseen = { ...unseen, askedMs: now };
    [order.isMissing, order.wasSought, order.failures] = [false, false, 0];
    cover(order, turn, now);
  }

  #retryAfter(ms: number): void {
    this.#slowDown();
    this.#watches.retryMs = this.#shell.now() + Math.max(ms, this.#pauseMs);
  }

  #fail(request: Request, error: unknown): void {
    const contradicts = isTradeError(error, "SERVICE_MALFORMED");
    if ("order" in request) {
      const { order } = request;
      const isKnown = order.reported !== undefined && order.unseen === undefined;
      fail(order, error, contradicts ? MAX_CONTRADICTIONS : isKnown ? MAX_REFUSALS : 1);
      // The failure does not hold up the other orders.
      cover(order, ++this.#following.turn, this.#shell.now());
      return;
    }
    const list = this.#following.list(request.page.owner);
    fail(list, error, contradicts ? MAX_CONTRADICTIONS : 1);
    // Without the list, each order is requested by itself; new ones are not found.
    list.isRefused = list.arrivals.size === 0 && list.failure !== undefined;
    if (list.isRefused) list.failure = undefined;
  }
}

function asked({ known, reported, isEnded }: Order): AskedText {
  const last = reported ? { digest: reported.digest, deadline: reported.deadline } : {};
  const order: Asked = { ...known, ...last, isEnded };
  return JSON.stringify(order);
}

/** The seconds after which the service wants to be asked again. */
const secondsNamed = (error: unknown): number =>
  error instanceof Error && "retryAfterSecs" in error && typeof error.retryAfterSecs === "number" ? error.retryAfterSecs : 0;

/** Requests fewer orders per page, from the first page on. */
function shrink(list: OwnerList, page: Page): void {
  list.limit = Math.max(Math.ceil(page.limit / 2), SMALLEST_PAGE);
  if (list.search) list.search = { ...list.search, page: 1, limit: list.limit };
}

const isContradiction = (failure: unknown): failure is { place: string; text: string } =>
  typeof failure === "object" && failure !== null && "place" in failure && "text" in failure;
