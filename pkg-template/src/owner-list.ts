// The orders that a client follows, and the one request that covers the most of those that are due.
//
// A single order is requested by itself. Several of one owner are covered by one request, however many they are: up to
// `MANY` open ones by a page that has them all; more by the number of orders that have ended, which only grows, so that no
// end can hide behind a new order. When it has grown, pages are read until the end is found. An order that is missing in
// a complete list of the open ones is requested by itself.

/** The most open orders of an owner that are read whole each time. */
export const MANY = 50;
/**
 * The most orders due together that are requested one by one, if their owner has more open ones than `MANY`: the number of
 * ended orders shows only ends, no other changes.
 */
const FEW = 4;
/** How many of the ended orders are requested along with their number: the latest, if the service sorts so. */
const GLANCE = 10;
/** How often more than `MANY` open orders are read whole, in milliseconds. */
const SWEEP_MS = 600_000;
/** How long after its last message another tab counts as a follower of the owner's other orders, in milliseconds. */
const ANSWERED_MS = 60_000;
/** The most orders that the service puts on a page. */
const LARGEST_PAGE = 1_000;
/** The most orders that one list may have; more pages are not read. */
const MOST_LISTED = 100_000;
/** The time for which an order is not requested again that the service does not find: up to a minute, an hour, and later. */
const [LATE_MS, LOST_MS] = [60_000, 3_600_000];
const [LATE_PAUSE_MS, LOST_PAUSE_MS] = [55_000, 600_000];
/** The number of contradictory answers in a row after which they are an error. */
export const MAX_CONTRADICTIONS = 8;

/** An order's identity, by which the module verifies what is reported of it. */
export interface Known {
  /** The service's id. */
  readonly id?: string;
  /** The EIP-712 hash. */
  readonly hash?: string;
  /** The account that signed it. */
  readonly owner?: string;
  /** The source chains that it may be on; none for any. */
  readonly chains?: readonly number[];
  /** The order as the app passed it in, as JSON text. */
  readonly given?: string;
}

/** An order that the service does not find, though it handed it out. */
export interface Unseen {
  /** Since when, unix milliseconds. */
  readonly since: number;
  /** Whether the chain shows that it cannot be filled any more. */
  readonly isOver: boolean;
}

/** An order as an answer of the service has it, verified by the module. */
export interface Reported {
  readonly known: Known;
  /** The order as it came, as JSON text. */
  readonly text: string;
  /** The same for two texts that differ in nothing but the order of their members. */
  readonly digest: string;
  /** Until when it may be filled, unix seconds. */
  readonly deadline: number | null;
  /** When it is followed no more unless its status changes, unix seconds. */
  readonly lapsesAt: number | null;
}

/** An entry of an answer: about an order that is followed, or another one of the owner's. */
export interface Told {
  /** The place of the followed order in the request; null for an order that is not followed. */
  readonly index: number | null;
  readonly id: string;
  readonly isEnded: boolean;
  /** The source chain, if stated. */
  readonly chainId: number | null;
  readonly updatedAt: string;
  /** The report; null if it is as before. */
  readonly reported: Reported | null;
  /** The place and text of what contradicts. */
  readonly contradiction: { readonly place: string; readonly text: string } | null;
}

/** A page of an owner's orders: those that are open, or those that have ended. */
export interface Page {
  readonly owner: string;
  readonly isEnded: boolean;
  readonly page: number;
  readonly limit: number;
}

/** A page as the service answered it. */
export interface PageAnswer extends Page {
  /** How many orders it has, and how many fit on a page of the service. */
  readonly count: number;
  readonly size: number;
  /** How many orders the list has, if it says so. */
  readonly total: number | null;
  /** Whether pages follow, if it says so. */
  readonly hasMore: boolean | null;
}

/** An order that is followed. Times are milliseconds of the monotonic clock, turns count changes. */
export interface Order {
  known: Known;
  /** The service's last report; undefined before the first answer. */
  reported: Reported | undefined;
  isEnded: boolean;
  chainId: number | null;
  /** The turn in which the report changed last; 0 before the first answer. */
  changed: number;
  /** When the service last reported it, changed or not. */
  reportedMs: number;
  /** The turn in which it was last requested, or a request would have shown its end; and when that was. */
  covered: number;
  sinceMs: number;
  /** How long after that it is to be requested again; undefined if no watch waits for it. */
  pauseMs: number | undefined;
  /** A complete list of the open orders did not have it: it has ended, or the list is late. */
  isMissing: boolean;
  /** The list of the ended orders did not have it either. */
  wasSought: boolean;
  /** The followers of all the owner's orders have it. */
  isListed: boolean;
  unseen: (Unseen & { readonly askedMs: number }) | undefined;
  /** How many answers about it in a row were of no use, and the last of these failures, once waiting does not help. */
  failures: number;
  failure: unknown;
  /** How many watches have it. */
  watches: number;
}

/** Pages of a list that are read one after the other: the next one, and when the first was requested. */
type Search = { isEnded: boolean; page: number; limit: number; beganMs: number };

/** The service's lists of an owner's orders, as far as read. */
export interface OwnerList {
  readonly owner: string;
  /** How many are open, and how many had ended when it was last known which; undefined before the first list. */
  open: number | undefined;
  ended: number | undefined;
  /** The page size to request: smaller once an answer was too large. */
  limit: number;
  search: Search | undefined;
  /** When the open orders were last read as a whole. */
  sweptMs: number | undefined;
  /** The open orders were requested last, not the ended ones. */
  askedOpen: boolean;
  /** The service refuses its list: each order is requested by itself. */
  isRefused: boolean;
  /** When another tab last passed on orders that are not followed here. */
  answeredMs: number | undefined;
  covered: number;
  sinceMs: number;
  pauseMs: number | undefined;
  /** The watches of all the owner's orders, by their queues of new orders. */
  readonly arrivals: Set<Order[]>;
  /** The latest `updatedAt` when following all of them began: what ended before is history. Undefined: not known yet. */
  beganAt: string | undefined;
  latest: string;
  /** The ids of the orders that ended since. */
  readonly idsEnded: Set<string>;
  failure: unknown;
  failures: number;
}

/** A request to the service about one order or several. */
export type Request = { readonly order: Order } | { readonly page: Page };

const pages = (count: number | undefined, limit: number) => Math.ceil((count ?? 0) / limit);
const isFollowed = (list: OwnerList) => list.arrivals.size > 0;

/** For how many milliseconds an order is not requested again that is unseen; 0 while a replica may only be late. */
export function unseenPause(unseen: Unseen | undefined, unixMs: number): number {
  const passed = unseen ? unixMs - unseen.since : 0;
  if (passed < LATE_MS) return 0;
  return passed < LOST_MS ? LATE_PAUSE_MS : LOST_PAUSE_MS;
}

/** The orders that a client follows: each once, whichever watches have it, so that one answer serves all. */
export class Following {
  readonly orders = new Set<Order>();
  readonly #lists = new Map<string, OwnerList>();
  turn = 0;

  /** The followed orders of an owner. */
  of(owner: string): Order[] {
    return [...this.orders].filter((order) => order.known.owner === owner);
  }

  /** The followed order with that identity; a new one if there is none. */
  join(known: Known): Order {
    const same = (one: string | undefined, other: string | undefined) => one !== undefined && one === other;
    for (const order of this.orders) {
      if (!same(order.known.id, known.id) && !same(order.known.hash, known.hash)) continue;
      order.known = { ...(known.given === undefined ? {} : { given: known.given }), ...order.known };
      order.watches++;
      return order;
    }
    const order = newOrder(known);
    this.orders.add(order);
    return order;
  }

  /** A watch gives an order up. */
  leave(order: Order): void {
    if (--order.watches <= 0) this.orders.delete(order);
  }

  list(owner: string): OwnerList {
    let list = this.#lists.get(owner);
    if (!list) this.#lists.set(owner, (list = newList(owner)));
    return list;
  }

  /** The accounts of which all orders are followed. */
  accounts(): string[] {
    return [...this.#lists.values()].filter(isFollowed).map((list) => list.owner);
  }

  /** Nothing was followed, so that the lists are old. */
  forgetLists(): void {
    this.#lists.clear();
  }
}

const newOrder = (known: Known): Order => ({
  known,
  reported: undefined,
  isEnded: false,
  chainId: null,
  changed: 0,
  reportedMs: 0,
  covered: 0,
  sinceMs: 0,
  pauseMs: undefined,
  isMissing: false,
  wasSought: false,
  isListed: false,
  unseen: undefined,
  failures: 0,
  failure: undefined,
  watches: 1,
});

const newList = (owner: string): OwnerList => ({
  owner,
  open: undefined,
  ended: undefined,
  limit: LARGEST_PAGE,
  search: undefined,
  sweptMs: undefined,
  askedOpen: false,
  isRefused: false,
  answeredMs: undefined,
  covered: 0,
  sinceMs: 0,
  pauseMs: undefined,
  arrivals: new Set(),
  beganAt: undefined,
  latest: "",
  idsEnded: new Set(),
  failure: undefined,
  failures: 0,
});

/** Notes that an order, or a list, was just looked up. */
export function cover(one: Order | OwnerList, turn: number, now: number): void {
  [one.covered, one.sinceMs, one.pauseMs] = [turn, now, undefined];
}

/** Counts an unusable answer: an error at the `most`th in a row. */
export function fail(one: Order | OwnerList, error: unknown, limit: number): void {
  one.failures++;
  if (one.failures >= limit) [one.failure, one.failures] = [error, 0];
}

/** Begins to read all ended, or all open, orders. */
function begin(list: OwnerList, isEnded: boolean, limit: number, now: number): Request {
  list.search = { isEnded, page: 1, limit, beganMs: now };
  return { page: { owner: list.owner, isEnded, page: 1, limit } };
}

/**
 * Looks for `ends` orders that are known to have ended: among the ended ones, or by their absence from the open ones,
 * whichever takes fewer requests. New orders can only be found among the ended ones.
 */
function seek(list: OwnerList, ends: number, now: number): void {
  const byAbsence = pages(list.open, list.limit) + ends;
  begin(list, isFollowed(list) || pages(list.ended, list.limit) <= byAbsence, list.limit, now);
}

/** The request for the number of the ended orders, and some of them. */
const glance = (list: OwnerList): Request => ({
  page: { owner: list.owner, isEnded: true, page: 1, limit: Math.min(GLANCE, list.limit) },
});

/** The request that an earlier answer left open. `orders` are the owner's. */
export function followUp(list: OwnerList, orders: readonly Order[], now: number): Request | undefined {
  if (list.isRefused) return undefined;
  if (list.search) {
    const { isEnded, page, limit } = list.search;
    return { page: { owner: list.owner, isEnded, page, limit } };
  }
  const missing = orders.filter((order) => order.isMissing);
  const unsought = missing.filter((order) => !order.wasSought).length;
  if (unsought > pages(list.ended, list.limit) + 1) return begin(list, true, list.limit, now);
  const [first] = missing;
  if (first) return { order: first };
  // Orders that ended before are history, so their end has to be known at once.
  const needsEnded = isFollowed(list) && list.beganAt === undefined && list.sweptMs !== undefined;
  return needsEnded ? glance(list) : undefined;
}

/**
 * The request to send when `due`, or the list itself, is due; or the milliseconds to wait without one: the whole list is
 * requested again after `gapMs` at the earliest. `orders` are the owner's.
 */
export function nextRequest(
  list: OwnerList,
  due: Order | undefined,
  orders: readonly Order[],
  now: number,
  gapMs: number,
): Request | number {
  // Orders that would be due soon are covered by the same request, and from then on at the same time.
  const isNear = ({ pauseMs, sinceMs }: Order) => pauseMs !== undefined && now - sinceMs >= Math.ceil(pauseMs / 2);
  const near = orders.filter(isNear).length;
  const isLarge = (list.open ?? near) > MANY;
  const isHeard = list.answeredMs !== undefined && now - list.answeredMs <= ANSWERED_MS;
  const isAlone = near <= 1 && (isLarge || orders.length <= FEW) && !isHeard;
  if (due && (list.isRefused || (!isFollowed(list) && (isAlone || (isLarge && near <= FEW))))) return { order: due };
  const gap = list.sinceMs + gapMs - now;
  if (gap > 0 && list.covered > 0) return gap;
  return isLarge ? nextOfMany(list, now) : nextOfAll(list, now);
}

/** The number of ended orders has to be known before all are read: later ends are then noticed. */
function nextOfMany(list: OwnerList, now: number): Request {
  const isSwept = list.sweptMs !== undefined && now - list.sweptMs < SWEEP_MS;
  return isSwept || list.ended === undefined ? glance(list) : begin(list, false, list.limit, now);
}

/** An order that came and ended between two reads would be missed in the list of the open ones. */
function nextOfAll(list: OwnerList, now: number): Request {
  const isTurn = isFollowed(list) && list.askedOpen && list.beganAt !== undefined;
  return isTurn ? glance(list) : begin(list, false, Math.min(MANY, list.limit), now);
}

/**
 * Notes that another tab is about to read these pages: this one would go on with them if the other stopped, and not begin
 * with pages of another size.
 */
export function joinSearch(list: OwnerList, { isEnded, page, limit }: Page, now: number): void {
  list.answeredMs = now;
  const isOther = list.search?.isEnded !== isEnded || list.search.limit === limit;
  if (page !== 1 || (isEnded && limit <= GLANCE) || (list.search && isOther)) return;
  list.search = { isEnded, page, limit, beganMs: now };
}

/** Takes over entries about orders that are followed; returns how many have newly ended. */
export function takeOrders(following: Following, orders: readonly Order[], told: readonly Told[], now: number): number {
  let ends = 0;
  for (const one of told) {
    const order = one.index === null ? undefined : orders[one.index];
    if (!order) continue;
    const wasOpen = !order.isEnded;
    if (one.contradiction && wasOpen) [order.isMissing, order.wasSought] = [true, true];
    else {
      takeOrder(following, order, one, now);
      if (wasOpen && order.isEnded) ends++;
    }
  }
  return ends;
}

/** Takes over a report of an order. A final status stays. */
export function takeOrder(following: Following, order: Order, told: Told, now: number): void {
  const isNew = told.reported !== null && !order.isEnded;
  const wasUnseen = order.unseen !== undefined;
  if (isNew) takeReport(order, told);
  const turn = ++following.turn;
  if (isNew || wasUnseen) order.changed = turn;
  [order.unseen, order.isMissing, order.wasSought] = [undefined, false, false];
  [order.failures, order.failure, order.reportedMs] = [0, undefined, now];
  cover(order, turn, now);
}

/** Takes over what is known of an order. */
export function takeReport(order: Order, { reported, isEnded, chainId }: Told): void {
  if (!reported) return;
  const { given } = order.known;
  order.known = { ...reported.known, ...(given === undefined ? {} : { given }) };
  [order.reported, order.isEnded, order.chainId] = [reported, isEnded, chainId];
}

/** Takes over a page. `orders` are those of the request. */
export function takePage(
  following: Following,
  page: PageAnswer,
  orders: readonly Order[],
  told: readonly Told[],
  clock: { readonly now: number; readonly unixMs: number },
): void {
  const list = following.list(page.owner);
  const { failures } = list;
  let ends = takeOrders(following, orders, told, clock.now);
  for (const one of told) ends += meet(following, list, orders, one, clock.now);
  if (list.failures === failures) list.failures = 0;
  list.askedOpen = !page.isEnded;
  const isNext = isNextOf(list.search, page);
  const search = isNext ? list.search : undefined;
  if (isNext) list.search = undefined;
  const { isLast, read } = extent(page);
  if (page.isEnded) countEnded(list, page, read, search ? Infinity : ends, clock.now);
  const wasSmall = list.open === undefined || list.open <= MANY;
  // More pages than those read so far may follow.
  if (!page.isEnded) list.open = page.total ?? (isLast ? read : Math.max(read, list.open ?? 0));
  if (search && !isLast) {
    // Longer lists are not read whole each time: orders that are due are requested in another way.
    const isLeft = !page.isEnded && wasSmall && (list.open ?? 0) > MANY;
    if (!isLeft) list.search = { ...search, page: search.page + 1 };
    return;
  }
  // An order that is followed only since the request left was not looked for.
  const asked = new Set(orders);
  const owned = following.of(page.owner).filter((order) => asked.has(order));
  if (search) endSearch(list, search, owned, clock);
  const turn = ++following.turn;
  for (const order of owned) cover(order, turn, clock.now);
  cover(list, turn, clock.now);
}

const isNextOf = (search: Search | undefined, { isEnded, page, limit }: Page) =>
  search !== undefined && search.isEnded === isEnded && search.page === page && search.limit === limit;

/** How many orders are read with a page, and whether it is the last one. */
function extent(page: PageAnswer): { read: number; isLast: boolean } {
  const read = (page.page - 1) * page.size + page.count;
  // A page that does not say what follows it is the last one if it is not full.
  const hasMore = page.hasMore ?? (page.total === null ? page.count >= page.size : read < page.total);
  return { read, isLast: !hasMore || page.count === 0 || read >= MOST_LISTED };
}

/** Takes over the number of the ended orders, of which `ends` are known here. */
function countEnded(list: OwnerList, { total }: PageAnswer, read: number, ends: number, now: number): void {
  // A number that is not told may have grown: the list is read whole.
  const grown = total === null ? Number.MAX_SAFE_INTEGER : Math.max(0, total - (list.ended ?? total));
  list.ended = total ?? read;
  if (list.beganAt === undefined && isFollowed(list) && list.sweptMs !== undefined) list.beganAt = list.latest;
  if (grown > ends) seek(list, grown - ends, now);
}

/** The last page of a list was read: an order that is not in it is missing. */
function endSearch(
  list: OwnerList,
  { isEnded, beganMs }: Search,
  orders: readonly Order[],
  { now, unixMs }: { readonly now: number; readonly unixMs: number },
): void {
  for (const order of orders) {
    const isLate = order.unseen && now - order.unseen.askedMs < unseenPause(order.unseen, unixMs);
    if (isEnded) order.wasSought = order.isMissing;
    else if (!order.isEnded && order.reportedMs < beganMs && !isLate) order.isMissing = true;
  }
  if (!isEnded) list.sweptMs = now;
}

/**
 * Processes an order of the list. Followers of all the owner's orders get it, if it is new to them. Returns 1 if it was
 * not followed, and has ended since they began.
 */
function meet(following: Following, list: OwnerList, orders: readonly Order[], told: Told, now: number): number {
  if (told.updatedAt > list.latest) list.latest = told.updatedAt;
  const known = told.index === null ? undefined : orders[told.index];
  const isHistory = list.beganAt === undefined || told.updatedAt <= list.beganAt;
  // An order that was given up, as long after its deadline, may still be listed.
  const isOld = (told.isEnded && isHistory) || list.idsEnded.has(told.id);
  if (!isFollowed(list) || isOld || known?.isListed) return 0;
  if (known) return announce(following, list, known), 0;
  if (told.contradiction) return fail(list, told.contradiction, MAX_CONTRADICTIONS), 0;
  if (!told.reported) return 0;
  const order = following.join({ ...told.reported.known, owner: list.owner });
  takeOrder(following, order, told, now);
  announce(following, list, order);
  following.leave(order);
  return told.isEnded ? 1 : 0;
}

/** Hands an order to the followers of all the owner's orders. */
function announce(following: Following, list: OwnerList, order: Order): void {
  order.isListed = true;
  for (const arrivals of list.arrivals) {
    order.watches++;
    following.orders.add(order);
    arrivals.push(order);
  }
}
