// The work on trades of the list: cancelling orders, and going on with what was left open. Each click opens one prompt.
import { asTradeError, explain } from "./swap-failure.ts";
import { swapRequest } from "./swap-figures.ts";
import { oneClick, type Activity, type ActivityHost, type Task, type Work } from "./swap-parts.ts";
import type { Answer, Order, Progress, Prompt, SubmitOptions, Trade } from "./types.ts";
import type { SwapEntry, SwapRemedy, SwapReview } from "./types/swap.ts";

/** The list, as the work on it uses it. */
interface List {
  work(): Work | null;
  find(id: string): SwapEntry | null;
  refresh(): void;
  look(): void;
}
type More = Pick<SubmitOptions, "existing" | "withoutJournal"> & { preSign?: boolean };

const BARE = {
  quote: null, figures: null, approval: null, stepsDone: 0, isAgreed: false, prompt: null, isRenewed: false,
} as const satisfies Partial<SwapReview>;
/** Failures of a signature after which a transaction may do. */
const UNSIGNED: readonly string[] = ["UNSUPPORTED_ACCOUNT", "WALLET_FAILED", "SIGNATURE_MISMATCH"];

export function createUnfinished(host: ActivityHost, list: List): Pick<Activity, "cancel" | "resume" | "abandon" | "remedy"> {
  const { store } = host;
  const onProgress = ({ step, hardware }: Progress) => store.set({ busy: step, hardware: hardware ?? null });
  const explained = (error: unknown, trade?: SwapEntry["trade"]) => {
    const order = trade?.kind !== "delta" ? null : trade.summary.orderKind === "Order" ? "order" : "parts";
    return explain(error, { order, hasCode: store.state.hasCode, isReviewed: true });
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

  /* ------------------------------------------------------------------ cancelling */

  function cancel(ids: string[]): void {
    const work = list.work();
    const entries = ids.map((id) => list.find(id)).filter((entry) => entry !== null);
    const [first] = entries;
    if (!work || !first?.cancel || store.state.busy) return;
    // One signature cancels orders of one chain.
    const isAlike = ({ cancel, figures }: SwapEntry) => cancel === first.cancel && figures?.src.chainId === first.figures?.src.chainId;
    const orders = entries.filter(isAlike).map(({ order }) => order).filter((order) => order !== null);
    if (first.cancel === "signature" && !store.state.form.preSign) bySignature(work, orders, first);
    else void byTransaction(work, first);
  }

  /** The wallet's prompt is held as the review: it has the sentence and the digests of what is signed. */
  function bySignature(work: Work, orders: Order[], first: SwapEntry): void {
    const ending = new AbortController();
    let isLeft = false;
    let answer: ((given: Answer) => void) | null = null;
    /** Whether the user agreed: a prompt that comes anew, as after a failure, opens at once. */
    let agreed: readonly string[] | null = null;
    const given = ({ questions }: Prompt, accept: readonly string[]): Answer =>
      questions.length === 0 || { accept: questions.map(({ id }) => id).filter((id) => accept.includes(id)) };
    const onPrompt = (prompt: Prompt): Answer | Promise<Answer> => {
      if (agreed) return given(prompt, agreed);
      const { sentence, findings: checks, questions, digests: { eip712: digest, ...hashes } } = prompt;
      const report = { sentence, checks, questions, ...hashes, ...(digest && { digest }) };
      const steps = [{ purpose: "cancelOrders", paysGas: false, isCertain: true } as const];
      const build = { kind: "cancellation", chainId: first.figures?.src.chainId ?? 0, owner: orders[0]?.owner ?? "0x", report } as const;
      store.set({ busy: null });
      if (isLeft || !host.show({ ...BARE, build, prompt, questions, steps, cancels: orders }, task)) return false;
      return new Promise((resolve) => (answer = (accepted) => resolve(accepted === false ? false : given(prompt, agreed ?? []))));
    };
    const begin = () =>
      work.client.cancel(orders, { signal: ending.signal, onPrompt }).then(
        () => isLeft || host.end(first.id),
        (error: unknown) => {
          if (isLeft) return;
          store.set({ busy: null, hardware: null });
          if (!store.state.review) return failed(work, first.id, error);
          const failure = explained(error);
          const instead = UNSIGNED.includes(failure.error.code) && orders.length === 1 ? ["preSign" as const] : [];
          agreed = answer = null;
          change({ isAgreed: false, prompt: null });
          store.set({ failure: { ...failure, remedies: [...instead, ...failure.remedies] } });
        },
      );
    const task: Task = {
      confirm(accept) {
        agreed = accept;
        const { prompt } = store.state.review ?? {};
        change({ isAgreed: true, prompt: null, questions: [] });
        store.set({ busy: "cancelling", failure: null, hardware: prompt?.hardware ?? null });
        if (answer) answer(true);
        else void begin();
      },
      remedy(name, accept) {
        if (name !== "preSign") return task.confirm(accept);
        host.end();
        void byTransaction(work, first);
      },
      leave() {
        isLeft = true;
        if (agreed) return;
        answer?.(false);
        ending.abort();
      },
    };
    store.set({ busy: "building" });
    void begin();
  }

  async function byTransaction(work: Work, { id, order, trade }: SwapEntry): Promise<void> {
    const { client, signal } = work;
    const signed = trade && "signedOrder" in trade && trade.signedOrder?.kind === "signedOrder" ? trade.signedOrder : null;
    const what = order ?? signed;
    if (!what) return;
    store.set({ busy: "building" });
    const build = await client.buildCancellation(what, { signal }).catch((error: unknown) => failed(work, id, error));
    if (signal.aborted) return;
    store.set({ busy: null });
    if (!build) return;
    const send = async (accept: readonly string[]) => {
      // Both would work on the same trade. One that was posted meanwhile is shown as it is now.
      const isGivenUp = order || !trade || (await client.trades.abandon(trade.id).then(() => true, () => false));
      if (isGivenUp) await client.submit(build, { accept: [...accept], onProgress, onPrompt: oneClick(accept) });
    };
    let isLeft = false;
    const task: Task = {
      confirm(accept) {
        change({ isAgreed: true });
        store.set({ busy: "cancelling", failure: null });
        send(accept).then(
          () => isLeft || host.end(id),
          (error: unknown) => {
            if (isLeft) return;
            change({ isAgreed: false });
            store.set({ failure: explained(error), busy: null, hardware: null });
          },
        );
      },
      remedy: (_, accept) => task.confirm(accept),
      leave: () => void (isLeft = true),
    };
    const { questions } = build.report;
    const steps = [{ purpose: "cancel", paysGas: true, isCertain: true } as const];
    host.show({ ...BARE, build, questions, steps, cancels: order ? [order] : [] }, task);
  }

  /* ------------------------------------------------------------------ going on */

  /** Asks the wallet again for what it never answered, or posts what is signed; an approval that is missing comes first. */
  async function go(id: string, accept: readonly string[] = [], more: More = {}): Promise<void> {
    const work = list.work();
    const { trade } = list.find(id) ?? {};
    if (!work || store.state.busy) return;
    work.known.failures.delete(id);
    const isOrder = trade?.kind === "delta" || trade?.kind === "otc";
    // A trade that the service or the chain has is not asked for again, but looked at.
    if (!isOrder || (trade.needs === null && trade.state === "posted")) return void (list.refresh(), list.look());
    const { signal, client } = work;
    const options = { ...more, accept: [...accept], onProgress, onPrompt: oneClick(accept), signal };
    const { signedOrder, build } = trade;
    const own = { ...options, ...statedAgain(trade), ...(store.state.form.preSign && { preSign: true }) };
    const submit = async () => (signedOrder ? client.submit(signedOrder, options) : build && client.submit(build, own));
    store.set({ busy: "checking" });
    try {
      await submit().catch(async (error: unknown) => {
        const { approval } = asTradeError(error);
        if (!approval) throw error;
        await client.approve(approval, options);
        // A signature is a prompt of its own, after a click of its own.
        if (signedOrder) await submit();
      });
    } catch (error) {
      failed(work, id, error);
    }
    if (signal.aborted) return;
    store.set({ busy: null, hardware: null });
    list.refresh();
    list.look();
  }

  function abandon(id: string): void {
    const work = list.work();
    const { trade } = list.find(id) ?? {};
    if (!work || !trade || store.state.busy) return;
    work.client.trades.abandon(trade.id, { signal: work.signal }).then(list.refresh, (error: unknown) => failed(work, id, error));
  }

  function remedy(name: SwapRemedy, accept: readonly string[]): void {
    const { entry } = store.state;
    if (!entry) return;
    const existing = name === "replace" || name === "keepBoth" ? { existing: name } : {};
    const others = { ...(name === "withoutJournal" && { withoutJournal: true }), ...(name === "preSign" && { preSign: true }) };
    void go(entry.id, accept, { ...existing, ...others });
  }

  return { cancel, resume: (id) => void go(id), abandon, remedy };
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
