import { isTerminal, summarizeOrder, twapSchedule } from "verified-swap";
import type { VNode } from "preact";
import { messages } from "../messages/en.ts";
import { approvalsOf } from "../state/history.ts";
import type { InFlight, OrderErrand } from "../state/parts.ts";
import { resultOfOrder } from "../state/results.ts";
import { fillsOf } from "../state/slices.ts";
import { orderShown, tokenAt, type State } from "../state/state.ts";
import { BalanceTable } from "./balance-table.tsx";
import { busyWords } from "./busy.ts";
import { useScene } from "./context.ts";
import { Hashes, type Reference } from "./hashes.tsx";
import { orderLines, orderReferences } from "./order-lines.ts";
import { isMoving, sentenceOf, standing, stopsOf, titleOf } from "./order-story.ts";
import { Lines } from "./parts/lines.tsx";
import { Seal } from "./parts/seal.tsx";
import { OrderRail } from "./rail.tsx";
import { ResultView } from "./result.tsx";
import { Schedule } from "./schedule.tsx";
import { Timeline } from "./timeline.tsx";
import { Message } from "./trouble.tsx";

const texts = messages.progress;

/** An order's own view: from signed to settled, or from slice to slice, with its transactions, and what changed. */
export function OrderView(): VNode | null {
  const { state } = useScene();
  const errand = orderShown(state);
  if (!errand) return null;
  const { inFlight, order } = errand;
  const { chainId, destChainId, srcToken, destToken, twap, side, before, after } = inFlight;
  const src = tokenAt(state.chains, chainId, srcToken);
  const dest = tokenAt(state.chains, destChainId, destToken);
  const result = order && !twap ? resultOfOrder(state, order, inFlight) : null;
  const startSecs = Math.floor((inFlight.signedAt ?? inFlight.postedAt ?? 0) / 1000);
  const done = (order && summarizeOrder(order).slices?.done) ?? 0;
  const isSettled = order?.status === "COMPLETED";
  return (
    <section class={isSettled ? "stage order-view settled" : "stage order-view"} aria-labelledby="progress-title">
      <div class="title">
        {isSettled && <Seal isNew={inFlight.isFresh} />}
        <h1 id="progress-title" tabIndex={-1}>
          {titleOf(errand)}
        </h1>
      </div>
      <p class="sentence">{sentenceOf(state, errand)}</p>
      {isSettled && result && <ResultView result={result} />}
      {chainId !== destChainId && <OrderRail order={order} from={chainId} to={destChainId} />}
      {twap ? (
        <Schedule
          slices={twapSchedule(twap, startSecs)}
          token={side === "SELL" ? src : dest}
          sells={side === "SELL"}
          done={done}
          fills={order ? { of: fillsOf(order), token: side === "SELL" ? dest : src } : undefined}
          isOver={order !== null && isTerminal(order)}
        />
      ) : (
        <Timeline stops={stopsOf(errand)} />
      )}
      {!isSettled && result && <ResultView result={result} />}
      {/* If the page waited for it, what changed. */}
      {before.src !== null && (!inFlight.resting || after !== null) && (
        <BalanceTable src={src} dest={dest} before={before} after={after} />
      )}
      <div class="details">
        {order && <Lines lines={orderLines(state, order, result)} />}
        <Hashes references={[...approvedBy(state, errand), ...(order ? orderReferences(order) : proofOf(inFlight))]} />
      </div>
      <OrderAction errand={errand} />
    </section>
  );
}

/** What is known before the service tells of it. */
function proofOf({ orderHash, chainId, consent }: InFlight): Reference[] {
  const hash = consent?.hash ?? null;
  return [{ name: texts.line.order, hex: orderHash }, ...(hash ? [{ name: texts.line.transaction, hex: hash, chainId, kind: "tx" } as const] : [])];
}

/** The approvals that the journal has of it. */
function approvedBy(state: State, { id }: OrderErrand): Reference[] {
  return approvalsOf(state, id).map(({ transaction, chainId }) => ({
    name: texts.line.approvedBy,
    hex: transaction,
    chainId,
    kind: "tx",
  }));
}

function OrderAction({ errand }: { errand: OrderErrand }): VNode {
  const { state, swap, orders } = useScene();
  const { order, inFlight } = errand;
  const { busy, notice } = state;
  const failure = errand.failure ?? state.failure;
  const canCancel = order !== null && summarizeOrder(order).cancel !== null && !failure;
  const asked = busy && busy !== "posting" ? busyWords(busy) : null;
  const isOver = order !== null && isTerminal(order);
  // Whoever signed it here has seen the form; it goes on without the page.
  const away = inFlight.isFresh && (isOver || isMoving(errand)) ? texts.newSwap : texts.back;
  return (
    <div class="action">
      <div class="status">
        <Message failure={failure} words={asked ?? notice ?? standing(errand)} />
        {canCancel && (
          <button
            id="cancel-this"
            type="button"
            class="link"
            aria-disabled={busy !== null}
            onClick={() => order && !busy && void orders.cancel([order])}
          >
            {texts.cancelThis}
          </button>
        )}
      </div>
      <button
        type="button"
        class="primary"
        aria-disabled={isAsked(state)}
        onClick={() => (failure ? swap.remedy(failure) : !isAsked(state) && swap.compose())}
      >
        {failure?.button ?? away}
      </button>
      {failure && failure.remedy !== "startOver" && (
        <div class="choices-row">
          <button type="button" class="link" onClick={() => swap.compose()}>
            {texts.leaveIt}
          </button>
        </div>
      )}
    </div>
  );
}

/** The wallet has a prompt open for it: a deposit after the signature, or a cancellation. */
function isAsked({ busy }: State): boolean {
  return busy === "sending" || busy === "cancelling" || busy === "simulating";
}
