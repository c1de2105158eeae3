// The figures of a trade, from its price to its end: one function, so that form, review, progress, receipt and list have the
// same numbers. Bounds and fees are the module's; what is not known stays null.
import { maxSpent, minReceived, NATIVE_TOKEN, normalizeToken, parseAddress, summarizeOrder } from "verified-swap";
import { isNativeInOrder } from "./order-summary.ts";
import { absent, fault, integer, maybeObject } from "./reading.ts";
import type {
  Address, Amount, Order, OrderSummary, PriceReport, Quote, QuoteRequest, SentTransaction, Trade, TwapRequest,
} from "./types.ts";
import { EMPTY_FORM, readDecimal, readUnits } from "./swap-form.ts";
import type { FiguredTrade, MadeTrade, MovedAmounts, SwapFigures, SwapForm } from "./types/swap.ts";

/** A request as it was given, or understood. */
type Requested = Pick<QuoteRequest, "chainId" | "destChainId" | "srcToken" | "destToken" | "srcDecimals" | "destDecimals" | "side">;
/** A form without its tokens, which are the quote's. */
type Terms = Omit<SwapForm, "src" | "dest">;
type Amounts = Pick<SwapFigures, "pay" | "payAtMost" | "get" | "getAtLeast">;

const [RATE_DIGITS, RATE_PLACES, USD_PLACES] = [6, 60, 12];

export function figuresOf(what: FiguredTrade): SwapFigures {
  if ("form" in what) return ofQuote(what.quote, { ...EMPTY_FORM, ...what.form });
  if ("build" in what) return ofBuild(what);
  return "order" in what ? ofOrder(what.order, what.trade, what.made) : ofTrade(what.trade, what.sent, what.moved, what.made);
}

function begun(request: Requested, kind: SwapFigures["kind"], receiver: Address | null): SwapFigures {
  const { chainId, destChainId = chainId, side = "SELL" } = request;
  const [src, dest] = [request.srcToken, request.destToken].map(normalizeToken);
  if (!src || !dest) return fault("request", "two tokens", request);
  return {
    kind, side, receiver,
    src: { chainId, token: src, decimals: request.srcDecimals ?? null },
    dest: { chainId: destChainId, token: dest, decimals: request.destDecimals ?? null },
    pay: null, payAtMost: null, get: null, getAtLeast: null, arrival: null, paid: null, received: null, betterBps: null,
    feeBps: null, gas: null, usd: { pay: null, get: null }, rate: null, belowMarketBps: null, aboveMarketBps: null,
    until: null, slices: null, filledPercent: 0, wraps: null,
  };
}

const isCrosschain = ({ chainId, destChainId = chainId }: Requested) => destChainId !== chainId;

function kindOf(request: Requested, isMarket: boolean, isSliced: boolean, isLimit: boolean): SwapFigures["kind"] {
  if (isMarket) return "market";
  return isSliced ? "slices" : isLimit ? "limit" : isCrosschain(request) ? "crosschain" : "swap";
}

/** The quote as the chosen route and a limit have it. The module takes a Market fee off the amount before it. */
function pricedAt(quote: Quote, route: number | null | undefined, limit?: Amount): Quote {
  const free = limit === undefined ? {} : quote.request.side === "SELL" ? { destAmount: limit } : { srcAmount: limit };
  if (quote.kind === "market") return { ...quote, sealed: "", destAmountAfterFee: null };
  return { ...quote, ...quote.alternatives[route ?? -1], ...free, sealed: "" };
}

/** The expected amounts of a quote. Where the service states no fee, nothing is known of what is left after it. */
function expected(quote: Quote): Pick<Amounts, "pay" | "get"> {
  const isFeeless = quote.kind === "market" && quote.request.side === "BUY";
  return { pay: maxSpent(quote, 0), get: isFeeless || quote.feeBps !== null ? minReceived(quote, 0) : null };
}

function ofQuote(quote: Quote, form: Terms): SwapFigures {
  const { request } = quote;
  const [isSale, isLimit] = [request.side === "SELL", form.kind === "limit"];
  const plan = quote.kind === "delta" ? quote.twap : undefined;
  const limit = isLimit ? limitAmountOf(form, request) : undefined;
  const priced = pricedAt(quote, form.route, limit ?? undefined);
  const bps = isLimit ? 0 : form.slippageBps;
  const most = plan && !isSale ? readUnits(form.slices.most, request.srcDecimals).amount : maxSpent(priced, bps);
  const isPromised = priced.kind === "delta" && priced.arrival === "promised";
  const amounts = { ...expected(priced), payAtMost: most, getAtLeast: isPromised ? null : minReceived(priced, bps) };
  const isUnread = limit === null && (isSale ? { get: null, getAtLeast: null } : { pay: null, payAtMost: null });
  const kind = kindOf(request, quote.kind === "market", Boolean(plan), isLimit);
  const figures = begun({ ...request, destToken: quote.destToken }, kind, request.beneficiary ?? request.account);
  const slices = plan ? slicesOf(plan.total, plan.numSlices, plan.intervalSecs) : null;
  return completed({ ...figures, ...amounts, ...isUnread, slices }, request, {
    quote, feeBps: quote.feeBps, reference: quote.reference === "pending" ? null : quote.reference,
    arrival: priced.kind === "delta" ? priced.arrival : null, limit: limit ?? null,
  });
}

function ofBuild({ build, quote, route }: MadeTrade): SwapFigures {
  const { request, report } = build;
  const isSale = request.side === "SELL";
  const [plan, destination] = build.kind === "delta" ? [build.twap, build.destination] : [];
  const isLimit = build.kind === "delta" && build.type === "LIMIT";
  const due = isLimit || !quote ? null : expected(pricedAt(quote, route));
  const amounts: Amounts = {
    pay: isSale || isLimit ? build.maxSpent : due?.pay ?? null,
    payAtMost: build.maxSpent,
    get: destination ? destination.expected : isSale && !isLimit ? due?.get ?? null : build.minReceived,
    getAtLeast: destination ? destination.minReceived : build.minReceived,
  };
  const kind = kindOf(request, build.kind === "market", Boolean(plan), isLimit);
  const figures = begun({ ...request, destToken: quote?.destToken ?? request.destToken }, kind, build.beneficiary);
  const slices = plan ? slicesOf(plan.total, plan.numSlices, plan.intervalSecs) : null;
  return completed({ ...figures, ...amounts, slices, until: build.deadline, belowMarketBps: report.price?.belowBps ?? null }, request, {
    quote, feeBps: build.feeBps, reference: report.price ?? null, arrival: destination?.arrival ?? null,
    limit: isLimit ? (isSale ? build.minDestAmount : build.maxSpent) : null,
  });
}

/** The part of the figures that a price adds to the amounts. */
interface Priced {
  quote: Quote | null;
  feeBps: number | null;
  reference: PriceReport | null;
  arrival: SwapFigures["arrival"];
  /** The limit before the fee. */
  limit: Amount | null;
}

function completed(figures: SwapFigures, request: Requested, { quote, feeBps, reference, arrival, limit }: Priced): SwapFigures {
  const { pay, get, slices } = figures;
  return {
    ...figures, feeBps, arrival,
    gas: gasOf(figures, quote, slices?.count ?? 1),
    usd: {
      pay: quote && pay && scaled(quote.srcUsd, pay, quote.srcAmount),
      get: quote && get && scaled(quote.destUsd, get, quote.destAmount),
    },
    rate: rateOf(pay, get, request),
    aboveMarketBps: limit === null || !quote ? null
      : figures.side === "SELL" ? moreBps(limit, quote.destAmount) : moreBps(quote.srcAmount, limit),
    wraps: wrapsOf(figures, reference),
  };
}

/** The native token is deposited by a transaction of its owner, whose gas the service does not state. */
function gasOf({ kind, src }: SwapFigures, quote: Quote | null, count: number): SwapFigures["gas"] {
  if (kind === "market") return { by: "account", usd: quote?.kind === "market" ? quote.gasCostUsd : null };
  if (src.token === NATIVE_TOKEN) return { by: "account", usd: null };
  return { by: "solver", usd: quote?.kind === "delta" && quote.gasFee ? scaled(quote.gasFee.amountUsd, String(count), "1") : null };
}

/** The wrapped form of a chain's native token is known where the two are one asset by the module's table. */
function wrapsOf({ src, dest }: SwapFigures, reference: PriceReport | null): SwapFigures["wraps"] {
  const other = src.token === NATIVE_TOKEN ? dest.token : dest.token === NATIVE_TOKEN ? src.token : NATIVE_TOKEN;
  const isOne = src.chainId === dest.chainId && other !== NATIVE_TOKEN && reference?.references.some(({ by }) => by === "asset");
  return isOne ? { contract: other } : null;
}

function ofOrder(order: Order, trade: Trade | null, made: MadeTrade | null | undefined): SwapFigures {
  const summary = summarizeOrder(order);
  const request = made?.build.request ?? requestOf(order, trade);
  const figures = made ? ofBuild(made) : listed(order, summary, request);
  const { slices } = figures;
  const arrived = order.transactions.filter(({ destinationTx }) => !summary.isCrosschain || destinationTx);
  const stated = (total: Amount, side: Order["input"], fills: (Amount | null)[]) =>
    total !== "0" && (!absent(side.executedAmount) || !fills.some(absent)) ? total : null;
  return outcome({
    ...figures,
    paid: stated(summary.spent, order.input, order.transactions.map(({ spentAmount }) => spentAmount)),
    received: stated(summary.received, order.output, arrived.map(({ receivedAmount }) => receivedAmount)),
    filledPercent: summary.filledPercent,
    slices: slices && summary.slices ? { ...slices, done: summary.slices.done, nextAt: summary.slices.nextNotBefore } : slices,
  }, request, order.status === "COMPLETED");
}

/** An order of the list in the form of a request; the journal has its decimals. */
function requestOf({ input, output, side }: Order, trade: Trade | null): Requested {
  const { srcDecimals, destDecimals } = swapRequest(trade) ?? {};
  const srcToken = isNativeInOrder(input.token) ? NATIVE_TOKEN : input.token;
  return { chainId: input.chainId, destChainId: output.chainId, srcToken, destToken: output.token, side, srcDecimals, destDecimals };
}

/** The figures of an order by its service alone, which states the bounds of slices, and no expectation. */
function listed(order: Order, { expectedSpent, expectedReceived, ...summary }: OrderSummary, request: Requested): SwapFigures {
  const struct = maybeObject(order.order, "order.order");
  const [isSale, isLimit, isSliced] = [order.side === "SELL", order.type === "LIMIT", summary.slices !== null];
  const figures = begun(request, kindOf(request, false, isSliced, isLimit), parseAddress(order.beneficiary));
  const whole = isSale ? figures.payAtMost ?? summary.maxSpent : summary.minReceived;
  const amounts: Amounts = {
    pay: isSale || isLimit ? summary.maxSpent : isSliced ? null : expectedSpent,
    payAtMost: summary.maxSpent,
    get: summary.isCrosschain ? expectedReceived : !isSale || isLimit ? summary.minReceived : isSliced ? null : expectedReceived,
    getAtLeast: summary.isCrosschain ? null : summary.minReceived,
  };
  const numSlices = Number(struct.numSlices);
  const total = struct[isSale ? "totalSrcAmount" : "totalDestAmount"] ?? whole;
  return completed({
    ...figures, ...amounts,
    until: absent(struct.deadline) ? secondsOf(order.expiresAt) : Number(integer(struct.deadline, "order.order.deadline")),
    slices: isSliced && !absent(total) ? slicesOf(integer(total, "order.order"), numSlices, Number(struct.interval)) : null,
  }, request, { quote: null, feeBps: feeOf(struct.partnerAndFee), reference: null, arrival: null, limit: null });
}

const secondsOf = (time: string) => (Number.isNaN(Date.parse(time)) ? null : Math.floor(Date.parse(time) / 1000));

/** The fee of an order, in bps: its last eight bits, if it names a partner. */
function feeOf(partnerAndFee: unknown): number | null {
  if (absent(partnerAndFee)) return null;
  const packed = integer(partnerAndFee, "order.order.partnerAndFee");
  return packed >> 96n === 0n ? 0 : Number(packed & 0xffn);
}

/** The request of a swap that the journal has; null for anything else. */
export function swapRequest(trade: Trade | null): QuoteRequest | TwapRequest | null {
  const request = trade?.summary.request;
  return request && "srcToken" in request ? request : null;
}

function ofTrade(
  trade: Trade | null, sent: SentTransaction | null, moved: MovedAmounts | null, made: MadeTrade | null | undefined,
): SwapFigures {
  const isDone = (sent ?? trade)?.status === "COMPLETED";
  const happened = { ...moved, filledPercent: isDone ? 100 : 0 };
  if (made) return outcome({ ...ofBuild(made), ...happened }, made.build.request, isDone);
  const request = swapRequest(trade);
  if (!trade || !request) return fault("trade.summary.request", "the request of a swap", trade?.summary.request);
  return outcome({ ...noted(trade, request), ...happened }, request, isDone);
}

/** The figures of a trade by its journal alone, which keeps the bounds of its build. */
function noted({ kind, deadline, owner, summary }: Trade, request: QuoteRequest | TwapRequest): SwapFigures {
  const { beneficiary = owner, maxSpent: most = null, minReceived: least = null, type, orderKind = "" } = summary;
  const [isSale, isLimit, isSliced] = [request.side !== "BUY", type === "LIMIT", orderKind.startsWith("TWAP")];
  const figures = begun(request, kindOf(request, kind === "transaction", isSliced, isLimit), beneficiary);
  // The least that the order pays out on its own chain.
  const getAtLeast = isCrosschain(request) ? null : least;
  return completed({
    ...figures, payAtMost: most, getAtLeast, until: deadline,
    pay: isSale || isLimit ? most : null,
    get: isSale && !isLimit ? null : getAtLeast,
    slices: "numSlices" in request ? slicesOf(String(request.amount), request.numSlices, request.intervalSecs) : null,
  }, request, { quote: null, feeBps: null, reference: null, arrival: null, limit: null });
}

/** The figures of what happened: in a purchase what was paid counts, else what arrived. */
function outcome(figures: SwapFigures, request: Requested, isDone: boolean): SwapFigures {
  const { side, paid, received, pay, get, rate } = figures;
  const better = side === "SELL" ? received && get && moreBps(received, get) : paid && pay && moreBps(pay, paid, pay);
  return {
    ...figures,
    betterBps: isDone && typeof better === "number" ? better : null,
    rate: paid && received ? rateOf(paid, received, request) : rate,
  };
}

const slicesOf = (total: Amount | bigint, count: number, intervalSecs: number): SwapFigures["slices"] =>
  count > 0 ? { count, intervalSecs, amount: `${BigInt(total) / BigInt(count)}`, done: 0, nextAt: null } : null;

/** By how much `amount` exceeds `base`, in bps of `whole`, to the nearest. */
function moreBps(amount: Amount, base: Amount, whole = base): number | null {
  const [difference, of] = [(BigInt(amount) - BigInt(base)) * 20_000n, BigInt(whole)];
  if (of === 0n) return null;
  const half = difference < 0n ? -of : of;
  return Number((difference + half) / (2n * of));
}

/** Decimal text times `amount` / `of`; null where there is none. */
function scaled(text: string | null, amount: Amount, of: Amount): string | null {
  const value = text === null ? null : rawOf(text, USD_PLACES);
  return value !== null && of !== "0" ? decimal((value * BigInt(amount)) / BigInt(of), USD_PLACES) : null;
}

/** Whole destination tokens for one whole source token. */
function rateOf(src: Amount | null, dest: Amount | null, { srcDecimals, destDecimals }: Requested): string | null {
  if (!src || !dest || src === "0" || dest === "0" || srcDecimals === undefined || destDecimals === undefined) return null;
  const price = (BigInt(dest) * 10n ** BigInt(RATE_PLACES + srcDecimals)) / (BigInt(src) * 10n ** BigInt(destDecimals));
  const cut = 10n ** BigInt(Math.max(0, `${price}`.length - RATE_DIGITS));
  return decimal(((price + cut / 2n) / cut) * cut, RATE_PLACES);
}

function decimal(value: bigint, places: number): string {
  const digits = `${value}`.padStart(places + 1, "0");
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`.replace(/\.?0+$/, "");
}

/** Raw units of decimal text, without the places beyond; null where it is none. */
function rawOf(text: string, places: number): bigint | null {
  const [, whole, fraction = ""] = /^(\d+)(?:\.(\d*))?$/.exec(text) ?? [];
  return whole === undefined ? null : BigInt(whole + fraction.slice(0, places).padEnd(places, "0"));
}

/**
 * The limit of a form as an amount of the side that is not fixed, rounded in the user's favour as `limitPrice` of a build is; null
 * while it cannot be read.
 */
export function limitAmountOf({ limit }: Terms, { side, amount, srcDecimals, destDecimals }: Quote["request"]): Amount | null {
  const isSale = side === "SELL";
  if (limit.by === "amount") return readUnits(limit.text, isSale ? destDecimals : srcDecimals).amount;
  const text = readDecimal(limit.text) ?? "0";
  const places = text.split(".")[1]?.length ?? 0;
  const price = rawOf(text, places);
  if (!price) return null;
  const [received, paid] = [price * 10n ** BigInt(destDecimals), 10n ** BigInt(srcDecimals + places)];
  const other = isSale ? (BigInt(amount) * received + paid - 1n) / paid : (BigInt(amount) * paid) / received;
  // More than a contract can have is no amount.
  return other < 1n << 256n ? `${other}` : null;
}
