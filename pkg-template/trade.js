// `trade`: all steps of one trade, from the price to its end. It only puts calls of the client in order: what each of
// them checks, it checks here as well.
import { seenFrom } from "./caller.js";
import { isGood, keyOf, watchQuotes } from "./live-quotes.js";
import { observed } from "./observed.js";
import { absent, fault, object, tradeError } from "./reading.js";
import { compute } from "./verified_swap.js";

/** What to show at each step, after `step` in the published types. */
const MESSAGES = {
  quoting: "Getting a price…",
  permitting: "Confirm in your wallet that the token may be spent.",
  building: "Preparing the trade…",
  reviewing: "Check the trade, then confirm.",
  resetting: "Confirm in your wallet that the old allowance ends.",
  approving: "Confirm in your wallet that the token may be spent.",
  confirming: "Waiting for the transaction…",
  approved: "The token may be spent.",
  checking: "Checking the trade once more…",
  signing: "Sign in your wallet.",
  presigning: "Confirm the transaction in your wallet.",
  signed: "Signed. Posting…",
  posting: "Signed. Posting…",
  posted: "Posted.",
  simulating: "Trying the transaction…",
  sending: "Confirm the transaction in your wallet.",
  sent: "Sent.",
  following: "Waiting for the trade to be carried out…",
  done: "Done.",
  failed: "The trade stopped.",
};
/** From these on, the same call is another trade. */
const BEYOND = ["posted", "sent", "following", "done", "failed"];

const aborted = () => tradeError("aborted by the caller", { code: "ABORTED" });

/** Starts a trade, or joins the same one, until that is posted or sent: a double click. Errors show the app's `site`. */
export function trade(part, what, options, site = {}) {
  const { onReview, onProgress, signal, ...plain } = options ?? {};
  const key = keyOf([what?.sealed ?? what, plain]);
  const { wallet, account } = part;
  const isSame = (known) => known.key === key && known.wallet === wallet && known.account === account;
  const isOpen = ({ part, signal, trade }) => !part.endings.isClosed() && !signal?.aborted && !BEYOND.includes(trade.state.step);
  const known = [...part.trades].find((known) => isSame(known) && isOpen(known));
  if (known) return known.trade;
  const shown = observed({
    step: null, message: null, quote: null, build: null, transaction: null, batch: null, signedOrder: null, journal: null,
    hardware: null, order: null, error: null,
  });
  const tell = (step, changes) => shown.set({ step, message: MESSAGES[step], hardware: null, ...changes });
  if (typeof onProgress === "function") shown.subscribe(onProgress);
  const entry = { part, key, wallet, account, signal };
  const promise = run(part, what, options, tell, shown).then(
    () => {
      part.trades.delete(entry);
      tell("done");
      return shown.state;
    },
    (cause) => {
      part.trades.delete(entry);
      const { step, signedOrder } = shown.state;
      const message = "a function that the page passed in threw: see the cause";
      const failure = cause?.name === "TradeError" ? cause : tradeError(message, { code: "INTERNAL", cause });
      const error = Object.assign(seenFrom(site, failure, options), { step });
      if (signedOrder) error.signedOrder ??= signedOrder;
      tell("failed", { error });
      throw error;
    },
  );
  entry.trade = Object.defineProperties(promise, {
    state: { get: () => shown.state },
    subscribe: {
      value(listener) {
        // Whoever subscribes is told of the failure there.
        promise.catch(() => {});
        return shown.subscribe(listener);
      },
    },
  });
  part.trades.add(entry);
  return entry.trade;
}

async function run(part, what, options, tell, shown) {
  tell("quoting");
  const { onReview, onProgress, signal, permit, approveAmount, preSign, batch, intervalMs, maxIntervalMs, ...terms } = object(
    options,
    "options",
  );
  if (typeof onReview !== "function") fault("options.onReview", "a function", onReview);
  if (onProgress !== undefined && typeof onProgress !== "function") fault("options.onProgress", "a function", onProgress);
  if (![undefined, "never", "whenPossible"].includes(permit)) fault("options.permit", "never or whenPossible", permit);
  const { client } = part;
  const isQuote = typeof object(what, "request").sealed === "string";
  const { slippageBps, ...bounds } = terms;
  const hasAny = (...names) => names.some((name) => !absent(bounds[name]));
  const isSlippage = /^\d{1,5}$/.test(slippageBps) && slippageBps <= 10_000;
  // Refused before the price is asked for; the build, which has to know that, refuses the rest.
  if (!isSlippage && !(absent(slippageBps) && hasAny("limitAmount", "limitPrice", "maxSrcAmount"))) {
    fault("options.slippageBps", "an integer from 0 to 10000, or a limit in its place", slippageBps);
  }
  const isLimit = terms.type === "LIMIT" || hasAny("limitAmount", "limitPrice");
  const how = batch === undefined ? {} : { batch };
  const onStep = ({ step, transaction = null, batch = null, ...rest }) => tell(step, { transaction, batch, ...rest });
  // `null`: none. A limit outlives a permit, and what another contract takes is approved to that.
  const takesPermit = permit === "whenPossible" && !isLimit && !terms.external && !preSign && terms.slippageBps >= 0;
  let signed = takesPermit ? undefined : null;
  let first = isQuote ? what : undefined;

  /** Whether the wallet takes the approval that the trade lacks, and the trade, in one prompt. */
  async function takesBoth({ chainId, owner, approval, maxSpent }) {
    if (approveAmount !== undefined || batch === "never") return false;
    // Only open orders lack it: nothing is sent with this one.
    if (BigInt(approval.current ?? 0) >= BigInt(maxSpent)) return false;
    const { atomic } = await client.capabilities({ chainId, account: owner }, { signal });
    return atomic !== "unsupported";
  }

  /** A price and what the service builds for it. */
  async function build(quote, isQuiet) {
    if (signed === undefined) signed = await permitFor(quote);
    if (!isQuiet) tell("building", { quote });
    try {
      const given = signed ? { permit: signed } : {};
      return { quote, build: await client.build(quote, { ...terms, ...given, signal }) };
    } catch (error) {
      if (!signed || !/\bpermit\b/.test(error.field)) throw error;
      // A newer price may need more than was permitted: it is approved then.
      signed = null;
      return build(quote, isQuiet);
    }
  }

  /** A permit where an approval is missing and the token takes one; else null. */
  async function permitFor(quote) {
    const { chainId, srcToken: token, side } = quote.request;
    if (quote.twap) return null;
    const account = terms.account ?? quote.request.account ?? undefined;
    const most = side === "BUY" ? compute("maxSpent", quote, terms.slippageBps) : quote.srcAmount;
    const allowed = await client.allowance({ chainId, token, account, spender: quote.spender }, { signal }).catch(() => 0);
    if (BigInt(allowed) >= BigInt(most)) return null;
    let isAsked = false;
    const onProgress = ({ step, hardware = null }) => {
      if (step !== "signing") return;
      isAsked = true;
      tell("permitting", { quote, hardware });
    };
    const until = terms.validForSecs && Math.floor(Date.now() / 1000) + Number(terms.validForSecs) + 600;
    const common = { account, deadline: terms.deadline ?? until, onProgress, signal };
    const bounds = side === "BUY" ? { slippageBps: terms.slippageBps, maxSpent: most } : {};
    for (const kind of ["eip2612", "dai"]) {
      try {
        return await client.signPermit(quote, { kind, ...common, ...bounds });
      } catch (error) {
        // The user, or the wallet, has answered: not another prompt for the same.
        if (["ABORTED", "USER_REJECTED", "WALLET_PENDING"].includes(error.code)) throw error;
        if (isAsked) return null;
      }
    }
    return null;
  }

  /** The first build of a price that is not `seen`. While `review.isOpen`, nobody waits for it, and failures pass. */
  async function offer(live, seen, review) {
    for (let left = 3; ; ) {
      const quote = await newQuote(live, seen, review);
      review.isBuilding = true;
      try {
        return await build(quote, review.isOpen);
      } catch (error) {
        const passes = review.isOpen && ["retry", "requote"].includes(error.action);
        if (!passes && (error.code !== "QUOTE_EXPIRED" || --left === 0)) throw error;
        [seen, review.isBuilding] = [quote, false];
        if (!review.isOpen && live.state.quote === quote) live.refresh();
      }
    }
  }

  /** What the user agreed to: a build that was reviewed, of a price that is still good. */
  async function agree() {
    const live = watchQuotes(part, isQuote ? what.request : what, { signal }, { first, isOnce: isLimit });
    first = undefined;
    try {
      let current = await offer(live, null, { isOpen: false });
      for (;;) {
        tell("reviewing", current);
        const [over, review] = [new AbortController(), { isOpen: true }];
        const { quote, build } = current;
        const { report, approval } = build;
        const next = offer(live, quote, review);
        const shownToUser = { quote, build, report, sentence: report.sentence, approval, signal: over.signal };
        const answer = (async () => onReview(shownToUser))();
        try {
          const first = await Promise.race([answer.then((agreed) => ({ agreed })), next]);
          if (first.build) current = first;
          else if (first.agreed !== true) {
            const message = "the user declined what was to be signed";
            throw tradeError(message, { code: "USER_REJECTED", action: "retry" });
          } else if (isGood(quote, isLimit)) return current;
          else {
            // What was agreed to is out of date.
            review.isOpen = false;
            tell("quoting");
            if (!review.isBuilding && !live.state.isFetching) live.refresh();
            current = await next;
          }
        } finally {
          over.abort();
          for (const either of [answer, next]) either.catch(() => {});
        }
      }
    } finally {
      live.close();
    }
  }

  /** Approves what is missing, and submits: in one prompt if the wallet takes both. Returns what `watch` follows. */
  async function carryOut(build) {
    const submit = () => client.submit(build, { ...(preSign ? { preSign } : {}), ...how, onProgress: onStep, signal });
    if (!build.approval) return submit();
    if (await takesBoth(build)) {
      try {
        return await submit();
      } catch (error) {
        // The wallet does not take both after all. Nothing was sent.
        if (error.code !== "INSUFFICIENT_ALLOWANCE" || !error.approval) throw error;
      }
    }
    const amount = approveAmount === undefined ? {} : { amount: approveAmount };
    await client.approve(build.approval, { ...amount, ...how, onProgress: onStep, signal });
    return submit();
  }

  for (;;) {
    const { build } = await agree();
    try {
      const order = await carryOut(build);
      tell("following", { order });
      const pace = { ...(intervalMs && { intervalMs }), ...(maxIntervalMs && { maxIntervalMs }), signal };
      for await (const changed of client.watch(order, pace)) tell("following", { order: changed });
      return;
    } catch (error) {
      // The prompts took longer than the build was good for. What is built instead is reviewed again.
      if (error.code !== "QUOTE_EXPIRED" || error.signedOrder || shown.state.signedOrder || shown.state.order) throw error;
      tell("quoting", { transaction: null, batch: null });
    }
  }
}

/** The next price of a stream. With `review.isOpen` it waits through failures. */
function newQuote(live, seen, review) {
  return new Promise((resolve, reject) => {
    const look = ({ quote, isFetching, isStale, paused, error }) => {
      if (paused === "closed") reject(aborted());
      else if (quote && quote !== seen && !isStale) resolve(quote);
      else if (error && !isFetching && !review.isOpen) reject(error);
      else return;
      leave();
    };
    const leave = live.subscribe(look);
    look(live.state);
  });
}
