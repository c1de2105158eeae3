// @ts-nocheck
// `trade`: all steps of one trade, from the price to its end. It only puts calls of the client in order: each of them
// makes its checks here, too.
import { seenFrom } from "./caller.ts";
import { isGood, keyOf, watchQuotes } from "./live-quotes.ts";
import { observed } from "./observed.ts";
import { snapshot } from "./plain.ts";
import { absent, fault, list, object, tradeError } from "./reading.ts";
import { compute } from "./verified_swap.js";

/** The text for each step, by `step` in the published types. */
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
  ended: "Ended before it was carried out in full.",
  failed: "The trade stopped.",
};
/** From these steps on, the same call is another trade. */
const BEYOND = ["posted", "sent", "following", "done", "failed"];
/** The kinds of permits, as `PermitKind`. */
const KINDS = ["eip2612", "permit2Transfer", "permit2Allowance", "permit2Existing"];

/** What an answer may do otherwise than the options say, and what each may be. */
const CHOICES = { preSign: [true, false], batch: ["auto", "never"], withoutJournal: [true, false] };
const EXISTING = ["replace", "keepBoth"];

/** The choices of an answer, or of the options. */
function chosenIn(answer, field, allowed) {
  const made = Object.entries(allowed).map(([name, values]) => {
    const value = answer?.[name];
    if (!absent(value) && !values.includes(value)) fault(`${field}.${name}`, values.join(" or "), value);
    return [name, value];
  });
  return Object.fromEntries(made.filter(([, value]) => !absent(value)));
}

/** The ids of the questions that an answer of `onReview` accepts, `true` none of them; null: the user declined. */
function acceptedBy(answer) {
  if (answer === undefined) fault("options.onReview", "a function that returns the user's answer: true, false or { accept }", answer);
  return answer === true ? [] : Array.isArray(answer?.accept) ? answer.accept : null;
}

/** Questions as the app is given them: what it does with those answers nothing. */
const copies = (questions) => questions.map((question) => ({ ...question }));

/** Whether what binds the trade of `build` is no worse for the user than it was in `before`. */
function isAsGood(build, before) {
  const least = ({ minReceived, destination }) => [minReceived, destination?.minReceived ?? 0].map(BigInt);
  const [now, then] = [least(build), least(before)];
  return (
    build.kind === before.kind && build.owner === before.owner &&
    now.every((amount, index) => amount >= then[index]) && BigInt(build.maxSpent) <= BigInt(before.maxSpent)
  );
}

const aborted = () => tradeError("aborted by the caller", { code: "ABORTED" });

/** Starts a trade, or joins the same one, until that is posted or sent: a double click. Errors show the app's `site`. */
export function trade(part, given, options, site = {}) {
  // A price is known by what it is, a request by what it says now: prices are requested for it later, too.
  let [what, unread] = [given];
  try {
    if (typeof given?.sealed !== "string") what = snapshot(given, "request");
  } catch (error) {
    unread = error;
  }
  const { onReview, onPrompt, onProgress, signal, ...plain } = options ?? {};
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
  const promise = (unread ? Promise.reject(unread) : run(part, what, options, tell, shown)).then(
    () => {
      part.trades.delete(entry);
      tell("done", shown.state.order.status === "COMPLETED" ? {} : { message: MESSAGES.ended });
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
        // The failure is reported to the subscribers.
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
  const {
    onReview, onFailure, onPrompt, onProgress, signal, permit, approveAmount, preSign, batch, withoutJournal, intervalMs,
    maxIntervalMs, ...terms
  } = object(options, "options");
  if (!absent(onPrompt) && typeof onPrompt !== "function") fault("options.onPrompt", "a function", onPrompt);
  // Each prompt is put to the user before it opens.
  const isPrompted = Boolean(onPrompt) || part.isPrompted;
  if (typeof onReview !== "function" && !(isPrompted && absent(onReview))) {
    fault("options.onReview", isPrompted ? "a function, or nothing" : "a function, or onPrompt in its place", onReview);
  }
  for (const [name, value] of Object.entries({ onProgress, onFailure })) {
    if (value !== undefined && typeof value !== "function") fault(`options.${name}`, "a function", value);
  }
  let signed = typeof permit === "object" ? permit : null;
  if (!signed && ![undefined, "never", "whenPossible", ...KINDS].includes(permit)) {
    fault("options.permit", ["never", "whenPossible", ...KINDS, "a permit of signPermit"].join(" or "), permit);
  }
  const { client } = part;
  const advanced = { ...(absent(terms.advanced) ? {} : object(terms.advanced, "options.advanced")), requireBalance: true };
  const isQuote = typeof object(what, "request").sealed === "string";
  if (!isQuote && what.mode === "BOTH") fault("request.mode", "ALL, DELTA or MARKET: a trade is of one path", what.mode);
  const { slippageBps, ...bounds } = terms;
  const hasAny = (...names) => names.some((name) => !absent(bounds[name]));
  const isSlippage = /^\d{1,5}$/.test(slippageBps) && slippageBps <= 10_000;
  // Refused before the price is requested; the build, which has to know that, refuses the rest.
  if (!isSlippage && !(absent(slippageBps) && hasAny("limitAmount", "limitPrice", "maxSrcAmount"))) {
    fault("options.slippageBps", "an integer from 0 to 10000, or a limit in its place", slippageBps);
  }
  const isLimit = terms.type === "LIMIT" || hasAny("limitAmount", "limitPrice");
  const prompting = absent(onPrompt) ? {} : { onPrompt };
  const chosen = chosenIn({ preSign, batch, withoutJournal }, "options", CHOICES);
  const choose = (answer, field) => Object.assign(chosen, chosenIn(answer, field, CHOICES));
  /** What the user said after the last failure of a trade that may be done twice. It holds until the next one. */
  let existing = {};
  const given = (choices) => Object.fromEntries(Object.entries(choices).filter(([, choice]) => choice));
  /** The signature with which the order may be at the service. */
  let posted = null;
  const onStep = ({ step, transaction = null, batch = null, ...rest }) => {
    tell(step, { transaction, batch, ...rest });
    if (step === "posting") posted = shown.state.signedOrder?.signature;
  };
  // The user's own choice is made or fails; nothing takes its place.
  const kind = KINDS.includes(permit) ? permit : null;
  // A limit outlives a permit, and so do slices; the approval for an external order is for its handler.
  const outlives = isLimit || Boolean(advanced.external) || Boolean(preSign) || !absent((isQuote ? what.request : what).numSlices);
  if ((kind || signed) && outlives) fault("options.permit", "never or whenPossible, for an order that outlives a permit", permit);
  // One prompt for a permit, of which a later price needs no other.
  let mayPermit = Boolean(kind || permit === "whenPossible") && !outlives;
  let first = isQuote ? what : undefined;
  /** The questions that the user answered with yes in this trade, each with its build. */
  const answered = [];
  /** The order of this trade, once it is signed. */
  const signedBefore = () => shown.state.signedOrder;
  /** A permit does not outlive a pre-signature, which takes the place of one that is not signed yet. */
  const permits = (build) => mayPermit && !chosen.preSign && !signedBefore() && isMissing(build) && !build.twap;
  /** Of a review that was answered with no. */
  let declining;
  const declined = () => (declining = tradeError("the user declined what was to be signed", { code: "USER_REJECTED", action: "retry" }));

  /** Whether the wallet takes several calls of this trade in one prompt. */
  async function takesSeveral({ chainId, owner }) {
    if (chosen.batch === "never") return false;
    const { atomic } = await client.info.capabilities({ chainId, account: owner }, { signal });
    return atomic !== "unsupported";
  }

  /** Whether it takes the approval that the trade lacks, and the trade, in one prompt. */
  const takesBoth = async (build) => approveAmount === undefined && takesSeveral(build);

  /** Whether only this trade's allowance is missing, and not just that of open orders beside it. */
  const isMissing = ({ approval, maxSpent }) => Boolean(approval) && BigInt(approval.current ?? 0) < BigInt(maxSpent);

  /** The prompts that a build is about to open, in order. */
  async function stepsOf({ quote, build }) {
    const step = (purpose, isCertain = true) => ({ purpose, paysGas: !["order", "permit"].includes(purpose), isCertain });
    const isMarket = build.kind === "market";
    const own = isMarket ? "market" : chosen.preSign ? "presign" : "order";
    // Where the service wants a deposit, it says so once the order is signed.
    const deposits = own === "order" && /^0xe{40}$/i.test(quote.request.srcToken) ? [step("presign", false)] : [];
    if (!build.approval) return [step(own), ...deposits];
    const takes = await takesSeveral(build).catch((error) => {
      if (error.code === "ABORTED") throw error;
      return false;
    });
    const isPermitted = permits(build);
    const isOne = isMissing(build) && takes && approveAmount === undefined;
    if (isOne && !isPermitted) return [step(isMarket ? "market" : "presign")];
    const approvals = isOne ? [] : [step("approve", !isPermitted)];
    if (!isOne && !takes && build.approval.resetFirst) approvals.push(step("approve", !isPermitted));
    if (isPermitted && kind) return [step("permit"), step(own), ...deposits];
    return [...(isPermitted ? [step("permit", false)] : []), ...approvals, step(own), ...deposits];
  }

  /** What is shown of a build, until `over`. */
  const reviewOf = ({ quote, build }, questions, steps, over) => {
    const { report, approval } = build;
    return { quote, build, report, sentence: report.sentence, approval, questions: copies(questions), steps, signal: over.signal };
  };

  /** A price and the service's build for it. */
  async function build(quote, isQuiet) {
    if (!isQuiet) tell("building", { quote });
    const made = async (more) => {
      // A second order has a nonce of its own. A transaction has none.
      const beside = existing.existing === "keepBoth" && quote.kind === "delta" ? existing : {};
      const build = await client.build(quote, { ...terms, ...beside, ...more, advanced, signal });
      return { quote, build, approval: build.approval };
    };
    if (!signed) return made();
    try {
      // An order is valid no longer than its permit.
      const isTimed = quote.kind === "market" || hasAny("deadline", "validForSecs");
      return await made({ permit: signed, ...(isTimed ? {} : { deadline: signed.deadline }) });
    } catch (error) {
      // Somebody used it, or it is for less than this build spends: another of that kind may be signed.
      if (!kind || !/\bpermit\b/.test(error.field)) throw error;
      signed = null;
      return made();
    }
  }

  /** The questions of a build that were answered for it, or before for a bound that was no better. */
  const known = (build) =>
    build.report.questions.filter(({ id, reason, field }) =>
      answered.some(
        ({ question, before }) =>
          question.id === id ||
          // The data of another build may name another receiver.
          (reason !== "receiverUnbound" && question.reason === reason && question.field === field && isAsGood(build, before)),
      ),
    );

  /** The answer of a function of the app, unless the trade ends before. `over` aborts after it. */
  async function answerOf(ask) {
    const over = new AbortController();
    let end;
    const ended = new Promise((_, reject) => (end = () => reject(aborted())));
    signal?.addEventListener("abort", end);
    part.endings.add(end);
    try {
      if (signal?.aborted || part.endings.isClosed()) end();
      return await Promise.race([ended, (async () => ask(over))()]);
    } finally {
      over.abort();
      signal?.removeEventListener("abort", end);
      part.endings.delete(end);
    }
  }

  /** The user's answer to a question about the agreed build: the ids; null if it does not accept them all. */
  async function answerTo(questions, agreed) {
    const { quote, build } = agreed;
    tell("reviewing", { quote, build });
    const answer = await answerOf((over) => onReview(reviewOf(agreed, questions, agreed.steps, over)));
    const accept = acceptedBy(answer);
    if (!accept) throw declined();
    choose(answer, "onReview");
    return questions.every(({ id }) => accept.includes(id)) ? accept : null;
  }

  /** The same build with a permit, if the token takes one; else null, and the reviewed build is approved, unless it was chosen. */
  async function permitted(agreed) {
    const { build } = agreed;
    // One that was signed is not asked for again.
    const over = (built) => {
      mayPermit = Boolean(kind);
      return built;
    };
    const onProgress = ({ step, hardware = null }) => {
      if (step === "signing") tell("permitting", { hardware });
    };
    try {
      const own = { kind: kind ?? "eip2612", ...accepting(agreed), ...prompting };
      const permit = signed ?? (await client.signPermit(build, { ...own, onProgress, signal }));
      if (kind) signed = permit;
      tell("building");
      const built = await client.build(build, { permit, signal });
      tell("building", { build: built });
      return over(built);
    } catch (error) {
      if (kind) {
        if (/\bpermit\b/.test(error?.field)) signed = null;
        throw error;
      }
      // The user, or the wallet, has answered: no other prompt for the same. A function of the page's threw, or gave
      // no answer.
      const isAnswered = ["ABORTED", "INTERNAL", "USER_REJECTED", "WALLET_PENDING"].includes(error?.code);
      if (isAnswered || error?.name !== "TradeError" || /\bonPrompt\b/.test(error.field)) throw error;
      return over(null);
    }
  }

  /** The first build of a price that is not `seen`. While `review.isOpen`, nothing waits for it, and failures pass. */
  async function offer(live, seen, review) {
    for (let left = 3; ; ) {
      const quote = await newQuote(live, seen, review);
      review.isBuilding = true;
      try {
        return await build(quote, review.isOpen);
      } catch (error) {
        // No other price helps a permit of another client.
        const isAnew = error.code === "QUOTE_EXPIRED" || (error.action === "rebuild" && error.field === "quote");
        const passes = review.isOpen && ["retry", "requote"].includes(error.action);
        if (!passes && (!isAnew || --left === 0)) throw error;
        [seen, review.isBuilding] = [quote, false];
        if (!review.isOpen && live.state.quote === quote) live.refresh();
      }
    }
  }

  /** The build that the user agreed to: reviewed, and of a price that is still good. */
  async function agree() {
    const live = watchQuotes(part, isQuote ? what.request : what, { signal }, { first, isOnce: isLimit });
    first = undefined;
    try {
      let current = await offer(live, null, { isOpen: false });
      for (;;) {
        const { quote, build } = current;
        const { report } = build;
        const [settled, all] = [known(build), copies(report.questions)];
        // Whoever is asked about each prompt reviews nothing else.
        if (!onReview) return { ...current, accept: settled.map(({ id }) => id) };
        const steps = await stepsOf(current);
        tell("reviewing", { quote, build });
        const [over, review] = [new AbortController(), { isOpen: true }];
        const next = offer(live, quote, review);
        const questions = all.filter(({ id }) => !settled.some((one) => one.id === id));
        const shownToUser = reviewOf(current, questions, steps, over);
        const answer = (async () => onReview(shownToUser))();
        try {
          const first = await Promise.race([answer.then((agreed) => ({ agreed })), next]);
          if (first.build) {
            current = first;
            continue;
          }
          const accept = acceptedBy(first.agreed);
          if (!accept) throw declined();
          choose(first.agreed, "onReview");
          for (const question of questions) if (accept.includes(question.id)) answered.push({ question, before: build });
          const ids = [...settled.map(({ id }) => id), ...accept];
          // `submit` refuses, too, but after the approval.
          if (all.length) compute("checkAnswers", { report: { questions: all } }, ids);
          if (isGood(quote, isLimit)) return { ...current, steps, accept: ids };
          // The agreed build is out of date.
          review.isOpen = false;
          tell("quoting");
          if (!review.isBuilding && !live.state.isFetching) live.refresh();
          current = await next;
        } finally {
          over.abort();
          for (const either of [answer, next]) either.catch(() => {});
        }
      }
    } finally {
      live.close();
    }
  }

  /** The option with the answered questions of the build, for each of its prompts. */
  const accepting = ({ accept }) => (accept.length ? { accept } : {});

  /** Makes the missing approval, and submits: in one prompt if the wallet takes both. Returns the input of `watch`. */
  async function carryOut(agreed) {
    const { build } = agreed;
    const more = { ...prompting, onProgress: onStep, signal };
    const approve = (approval, how) => {
      const { preSign, ...choices } = chosen;
      return client.approve(approval, { ...more, ...given(choices), ...accepting(agreed), ...how });
    };
    // What the try before lacked.
    if (agreed.missing) await approve(agreed.missing);
    agreed.missing = null;
    const signedOrder = signedBefore();
    // One that a transaction is to sign is not signed before that is in a block: `submit` of its build finds it, or sends it anew.
    const isSigned = signedOrder?.signature === "0x" ? posted === "0x" : signedOrder && !chosen.preSign;
    if (isSigned) return client.submit(signedOrder, more);
    const send = (build) => client.submit(build, { ...more, ...given(chosen), ...existing, ...accepting(agreed) });
    const submit = (build) =>
      send(build).catch(async (error) => {
        // The wallet gave no hash for this trade before, and only the user can look into it.
        const isAsked = error.code === "ALREADY_SIGNED" && error.questions && !isPrompted;
        const ids = isAsked && (await answerTo(error.questions, agreed));
        if (!ids) throw error;
        agreed.accept = [...agreed.accept, ...ids];
        return send(build);
      });
    if (!agreed.approval) return submit(build);
    const isForThis = isMissing(build);
    if (permits(build)) agreed.carrying ??= await permitted(agreed);
    if (agreed.carrying) {
      try {
        return await submit(agreed.carrying);
      } catch (error) {
        if (!/\bpermit\b/.test(error.field) || error.signedOrder || signedBefore()) throw error;
        // Somebody used it meanwhile. Nothing was signed with it.
        [agreed.carrying, signed] = [null, null];
        if (kind) throw error;
        tell("building", { build });
      }
    }
    if (isForThis && (await takesBoth(build))) {
      try {
        return await submit(build);
      } catch (error) {
        // The wallet does not take both after all. Nothing was sent.
        if (error.code !== "INSUFFICIENT_ALLOWANCE" || !error.approval) throw error;
      }
    }
    const amount = approveAmount === undefined ? {} : { amount: approveAmount };
    // An order is signed while its approval is mined, and posted after it.
    const until = build.kind === "market" || chosen.preSign ? {} : { until: "sent" };
    await approve(agreed.approval, { ...amount, ...until });
    if (until.until) agreed.unmined = agreed.approval;
    agreed.approval = null;
    return submit(build);
  }

  /** What is tried again of `agreed`, if the user wants that; null: all of it. Throws the error if not. */
  async function tryAgain(error, agreed) {
    // The user has answered.
    const isTrapped = error?.cause instanceof WebAssembly.RuntimeError;
    const isOver = error?.name !== "TradeError" || error.code === "ABORTED" || isTrapped || error === declining;
    if (!onFailure || isOver) throw error;
    const { quote, build } = agreed ?? shown.state;
    Object.assign(error, { step: shown.state.step });
    const answer = await answerOf((over) => onFailure({ error, quote, build, signal: over.signal }));
    // A failure of the page's own dialog, as a value, is no answer either.
    if (answer !== true && Object.prototype.toString.call(answer) !== "[object Object]") throw error;
    const accept = list(answer.accept, "onFailure.accept");
    choose(answer, "onFailure");
    existing = chosenIn(answer, "onFailure", { existing: EXISTING });
    // An order that waited for its approval in vain needs another, and no second signature.
    const missing = error.approval ?? (error.step === "confirming" ? agreed?.unmined : null);
    const again = () => ({ ...agreed, missing, accept: [...new Set([...agreed.accept, ...accept])] });
    // A pre-signature that is not in a block binds to its order only while that is what the user wants, and in time.
    const isUnsent = signedBefore()?.signature === "0x" && posted !== "0x" && !error.signedOrder;
    if (signedBefore() && !(isUnsent && (answer.requote || error.code === "QUOTE_EXPIRED"))) return again();
    const isAnother = existing.existing === "keepBoth" && build?.kind === "delta";
    // The build is good for another try, or a new one is reviewed.
    const isNew = !agreed || isAnother || answer.requote || ["requote", "rebuild"].includes(error.action) || error.code === "VERIFY_MISMATCH" || !isGood(agreed.quote, isLimit);
    return isNew ? null : again();
  }

  for (let agreed = null, isTaken = false; ; ) {
    try {
      agreed ??= await agree();
      const order = await carryOut(agreed);
      isTaken = true;
      tell("following", { order });
      const pace = { ...(intervalMs && { intervalMs }), ...(maxIntervalMs && { maxIntervalMs }), signal };
      for await (const changed of client.watch(order, pace)) tell("following", { order: changed });
      return;
    } catch (error) {
      if (isTaken) throw error;
      // The wallet's signature is none of this order, and nobody has it.
      const isRefused = ["SIGNATURE_MISMATCH", "UNSUPPORTED_ACCOUNT"].includes(error?.code) && !error.signedOrder;
      if (isRefused && signedBefore()) shown.set({ signedOrder: null });
      // The prompts took longer than the build was good for. Its replacement is reviewed again.
      // Or the permit was used, and the allowance is there.
      const isSpent = error.action === "rebuild" && error.field === "build.permit";
      const isLate = agreed && (error.code === "QUOTE_EXPIRED" || isSpent) && !error.signedOrder && !signedBefore();
      if (isSpent) signed = null;
      agreed = isLate ? null : await tryAgain(error, agreed);
      if (!agreed) tell("quoting", { transaction: null, batch: null, signedOrder: null });
    }
  }
}

/** The next price of a stream. With `review.isOpen` it waits through failures, unless the price itself is wrong. */
function newQuote(live, seen, review) {
  return new Promise((resolve, reject) => {
    const look = ({ quote, isFetching, isStale, paused, error }) => {
      if (paused === "closed") reject(aborted());
      else if (quote && quote !== seen && !isStale) resolve(quote);
      else if (error && !isFetching && !(review.isOpen && error.code !== "VERIFY_MISMATCH")) reject(error);
      else return;
      leave();
    };
    const leave = live.subscribe(look);
    look(live.state);
  });
}
