// The work on trades of the list: cancelling orders, and going on with what was left open. Each click opens one prompt.
import { asTradeError, explain } from "./swap-failure.ts";
import { swapRequest } from "./swap-figures.ts";
import type { Activity, ActivityHost, Task, Work } from "./swap-parts.ts";
import type { Answer, Progress, Prompt, PromptOptions, SubmitOptions, Trade } from "./types.ts";
import type { SwapEntry, SwapRemedy, SwapReview } from "./types/swap.ts";

/** The list, as the work on it uses it. */
interface List {
  work(): Work | null;
  find(id: string): SwapEntry | null;
  refresh(): void;
  look(): void;
}
type More = Pick<SubmitOptions, "existing" | "withoutJournal"> & { preSign?: boolean };
type Options = Required<Pick<PromptOptions, "onPrompt" | "onProgress">> & { accept: string[] };

/** The part of a review that its prompt does not have. */
type Shown = Partial<Pick<SwapReview, "approval" | "build">>;
/** A call whose prompts wait for clicks. */
interface Held {
  /** The trade that it is for; of a cancellation the first. */
  readonly entry: SwapEntry | null;
  readonly cancels: SwapEntry[];
  /** `shows`: for the review of the next prompt. */
  call(options: Options, more: More, shows: (part: Shown) => void): Promise<unknown>;
  /** A transaction in its place, where the wallet cannot sign. */
  instead?: (() => void) | undefined;
}

const BARE = {
  quote: null, figures: null, approval: null, stepsDone: 0, prompts: 0, isAgreed: false, prompt: null, isRenewed: false,
} as const satisfies Partial<SwapReview>;
/** Failures of a signature after which a transaction may do. */
const UNSIGNED: readonly string[] = ["UNSUPPORTED_ACCOUNT", "WALLET_FAILED", "SIGNATURE_MISMATCH"];

export function createUnfinished(
  host: ActivityHost, list: List,
): Pick<Activity, "cancel" | "withdraw" | "resume" | "abandon" | "remedy"> & { ended(): Promise<unknown> } {
  const { store } = host;
  const calls = new Set<Promise<unknown>>();
  /** The end of the last call that was left before its prompt. */
  let leaving: Promise<unknown> = Promise.resolve();
  const explained = (error: unknown, trade?: SwapEntry["trade"]) => {
    const order = trade?.kind !== "delta" ? null : trade.summary.orderKind === "Order" ? "order" : "parts";
    return explain(error, { order, hasCode: store.state.hasCode, isReviewed: true, isUnpriced: true });
  };

  /** Notes a failure of an entry. */
  function failed(work: Work, id: string, error: unknown): void {
    if (work.signal.aborted) return;
    const failure = explained(error, list.find(id)?.trade);
    work.known.failures.set(id, failure);
    list.refresh();
    // A trade that was not signed has ended by that, and is in no list any more.
    if (!list.find(id) && failure.error.code !== "USER_REJECTED") store.set({ failure: { ...failure, remedies: ["startOver"] } });
  }

  /** Keeps the shown review, with these members changed. */
  function change(changes: Partial<SwapReview>): void {
    const { review } = store.state;
    if (review) store.set({ review: { ...review, ...changes } });
  }

  /* ------------------------------------------------------------------ prompts */

  /** Runs a call. Each of its prompts is shown as a review, and opens by a click on exactly that. It ends with its prompts alone. */
  function held(work: Work, { entry, cancels, call, instead }: Held, accept: readonly string[] = [], more: More = {}): void {
    const { view } = store.state;
    let [isLeft, isShown, isOpen]: boolean[] = [false, false, false];
    let [done, answered, running] = [0, 0, leaving];
    let shown: Shown = {};
    let answer: ((accept: readonly string[]) => void) | null = null;
    /** A click on the prompt of that sentence, after which the call was begun anew. */
    let click: { accept: readonly string[]; sentence: string } | null = null;
    let [sentence, given]: [string, Answer] = ["", false];

    function opens({ questions }: Prompt, accepted: readonly string[]): Answer {
      isOpen = true;
      done++;
      return (given = questions.length === 0 || { accept: questions.map(({ id }) => id).filter((id) => accepted.includes(id)) });
    }
    function onPrompt(prompt: Prompt): Answer | Promise<Answer> {
      if (isLeft) return false;
      if (prompt.isRepeated && isOpen && prompt.sentence === sentence) return given;
      const clicked = click;
      click = null;
      const isAnswered = prompt.questions.every(({ id }) => clicked?.accept.includes(id));
      if (clicked?.sentence === prompt.sentence && isAnswered) return opens(prompt, clicked.accept);
      // The user has turned to something else meanwhile.
      isLeft = !shows(prompt);
      if (isLeft) return false;
      isOpen = false;
      sentence = prompt.sentence;
      return new Promise((resolve) => (answer = (accepted) => resolve(isLeft ? false : opens(prompt, accepted))));
    }
    function shows(prompt: Prompt): boolean {
      const { purpose, questions, hardware, findings: checks, digests: { eip712: digest, ...hashes } } = prompt;
      const report = { sentence: prompt.sentence, checks, questions, ...hashes, ...(digest && { digest }) };
      const [part] = prompt.parts;
      const chainId = part?.chainId ?? entry?.figures?.src.chainId ?? 0;
      const { steps = [], prompts = 0 } = (isShown && store.state.review) || {};
      const step = { purpose, paysGas: hardware === null, isCertain: true };
      const next = {
        build: { kind: "prompt" as const, chainId, owner: part?.from ?? "0x", report }, prompt, questions, cancels,
        figures: cancels.length > 0 ? null : entry?.figures ?? null, prompts: Math.max(done, prompts),
        steps: [...steps.slice(0, done), step], stepsDone: done, ...shown,
      };
      store.set({ busy: null, hardware });
      if (isShown) change(next);
      return (isShown ||= store.state.view === view && host.show({ ...BARE, ...next }, task));
    }
    function begin(accepted: readonly string[]): void {
      done = 0;
      store.set({ busy: cancels.length > 0 && isShown ? "cancelling" : "checking", failure: null });
      const onProgress = ({ step, hardware }: Progress) => {
        // The last prompt was answered.
        if (step === "posting" || step === "sent") answered = Math.max(answered, done);
        if (!isLeft) store.set({ busy: step, hardware: hardware ?? null });
      };
      const options = { accept: [...accepted], onPrompt, onProgress };
      const work = () => call(options, more, (part) => (shown = part));
      const mine = (running = leaving.then(work).then(() => over(), (error: unknown) => over({ error })));
      calls.add(mine);
      void mine.finally(() => calls.delete(mine));
    }
    function over(failure?: { error: unknown }): void {
      if (isLeft) return;
      answer = click = null;
      isOpen = false;
      store.set({ busy: null, hardware: null });
      const isOut = !failure || asTradeError(failure.error).signedOrder;
      if (isShown && isOut) host.end(entry?.id);
      if (failure && (isOut || !isShown)) failed(work, entry?.id ?? "", failure.error);
      if (isOut || !isShown) return;
      change({ isAgreed: false, prompt: null, prompts: answered });
      const why = explained(failure.error, cancels.length > 0 ? null : entry?.trade);
      const isInstead = instead && UNSIGNED.includes(why.error.code);
      store.set({ failure: { ...why, remedies: [...(isInstead ? ["preSign" as const] : []), ...why.remedies] } });
    }
    const task: Task = {
      confirm(accepted) {
        const { review, busy } = store.state;
        if (busy || !review || review.questions.some(({ id }) => !accepted.includes(id))) return;
        change({ isAgreed: true, prompt: null, questions: [] });
        store.set({ busy: cancels.length > 0 ? "cancelling" : "checking", failure: null });
        const answers = answer;
        answer = null;
        if (answers) return answers(accepted);
        click = { accept: accepted, sentence };
        begin(accepted);
      },
      remedy(name, accepted) {
        if (name === "preSign" && instead) return host.end(), instead();
        more = { ...more, ...moreOf(name) };
        task.confirm(accepted);
      },
      leave() {
        isLeft = true;
        answer?.([]);
        // The same call begun again meanwhile would end with it.
        if (!isOpen) leaving = running;
      },
    };
    work.signal.addEventListener("abort", task.leave);
    begin(accept);
  }

  /* ------------------------------------------------------------------ cancelling */

  function cancel(ids: string[]): void {
    const work = list.work();
    const entries = ids.map((id) => list.find(id)).filter((entry) => entry !== null);
    const [entry] = entries;
    if (!work || !entry?.cancel || store.state.busy) return;
    // One signature cancels orders of one chain.
    const isAlike = ({ cancel, figures }: SwapEntry) => cancel === entry.cancel && figures?.src.chainId === entry.figures?.src.chainId;
    const cancels = entries.filter(isAlike).filter(({ order }) => order !== null);
    const orders = cancels.map(({ order }) => order).filter((order) => order !== null);
    const byTransaction = () => onChain(work, entry);
    if (entry.cancel !== "signature" || store.state.form.preSign) return byTransaction();
    const call = ({ onPrompt, onProgress }: Options) =>
      work.client.cancel(orders, { onPrompt, onProgress: (progress) => void (progress.step === "posting" && onProgress?.(progress)) });
    held(work, { entry, cancels, call, instead: orders.length === 1 ? byTransaction : undefined });
  }

  function onChain(work: Work, entry: SwapEntry): void {
    const { client } = work;
    const { order, trade } = entry;
    const signed = trade && "signedOrder" in trade && trade.signedOrder?.kind === "signedOrder" ? trade.signedOrder : null;
    const what = order ?? signed;
    if (!what) return;
    const call: Held["call"] = async (options, _, shows) => {
      const build = await client.buildCancellation(what);
      shows({ build });
      await client.submit(build, options);
      // Before that it could still be filled: the user must not lose sight of it. One that was posted meanwhile is followed.
      if (trade && !order) await client.trades.abandon(trade.id).catch(() => {});
    };
    held(work, { entry, cancels: [entry], call });
  }

  function withdraw(): void {
    const work = list.work();
    const { activity: { deposit }, busy } = store.state;
    if (!work || !deposit || busy) return;
    const call: Held["call"] = async (options, _, shows) => {
      const build = await work.client.buildWithdrawal(deposit);
      shows({ build });
      await work.client.submit(build, options);
    };
    held(work, { entry: null, cancels: [], call });
  }

  /* ------------------------------------------------------------------ going on */

  /** Asks the wallet again for what it never answered, or posts what is signed; an approval that is missing comes first. */
  function go(id: string, accept: readonly string[] = [], more: More = {}): void {
    const work = list.work();
    const entry = list.find(id);
    if (!work || !entry || store.state.busy) return;
    const { trade } = entry;
    work.known.failures.delete(id);
    const isOrder = trade?.kind === "delta" || trade?.kind === "otc";
    // A trade that service, chain or another tab has is not asked for again, but looked at.
    const isElsewhere = isOrder && (trade.state === "asking" ? entry.needs === null : trade.state === "posted" && trade.needs === null);
    if (!isOrder || isElsewhere) return void (list.refresh(), list.look());
    const call: Held["call"] = (options, chosen, shows) => goOn(work, list.find(id)?.trade ?? trade, { ...options, ...chosen }, shows)
      .finally(() => work.signal.aborted || (list.refresh(), list.look()));
    held(work, { entry, cancels: [], call }, accept, more);
  }

  async function goOn(
    { client }: Work, trade: NonNullable<SwapEntry["trade"]>, options: Options & More, shows: (part: Shown) => void,
  ): Promise<void> {
    if (trade.kind === "unreadable") return;
    const { signedOrder, build } = trade;
    const own = { ...options, ...statedAgain(trade), ...(store.state.form.preSign && { preSign: true }) };
    const submit = async () => (signedOrder ? client.submit(signedOrder, options) : build && client.submit(build, own));
    await submit().catch(async (error: unknown) => {
      const { approval } = asTradeError(error);
      if (!approval) throw error;
      shows({ approval });
      await client.approve(approval, options);
      shows({});
      await submit();
    });
  }

  function abandon(id: string): void {
    const work = list.work();
    const { trade } = list.find(id) ?? {};
    if (!work || !trade || store.state.busy) return;
    work.client.trades.abandon(trade.id, { signal: work.signal }).then(list.refresh, (error: unknown) => failed(work, id, error));
  }

  function remedy(name: SwapRemedy, accept: readonly string[]): void {
    const { entry } = store.state;
    if (entry) go(entry.id, accept, moreOf(name));
  }

  return { cancel, withdraw, resume: (id) => go(id), abandon, remedy, ended: () => Promise.allSettled(calls) };
}

/** The choice that a remedy makes. */
function moreOf(name: SwapRemedy): More {
  if (name === "replace" || name === "keepBoth") return { existing: name };
  return name === "withoutJournal" || name === "preSign" ? { [name]: true } : {};
}

/**
 * The request with its bounds, as the wallet was asked for it: those of the build that the user agreed to, because before that
 * nothing is in the journal.
 */
function statedAgain(trade: Trade): Pick<SubmitOptions, "request"> {
  const { deadline, summary: { request, minReceived, maxSpent } } = trade;
  const swap = swapRequest(trade);
  if (!swap) return request ? { request } : {};
  return {
    request: {
      ...swap,
      ...(minReceived && { minReceived }),
      ...(swap.side === "BUY" && maxSpent && { maxSpent }),
      ...(deadline && { deadline }),
    },
  };
}
