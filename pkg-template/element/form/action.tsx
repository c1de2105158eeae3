import type { VNode } from "preact";
import { Failure } from "../review/failure.tsx";
import { useNow, useScene, type Scene } from "../scene.ts";
import { missing } from "./faults.ts";

/** The press of the main button: the next thing that the form can do. */
export interface Main {
  label: string;
  /** Null: nothing can be done now. */
  run: (() => void) | null;
  /** The reason in words why nothing can be done, or what comes first. */
  reason: string | null;
}

/** The main button of the form as it is. */
export function mainOf({ state, swap, words, openWallets }: Scene): Main {
  const { form, busy, account, price } = state;
  const texts = words.form;
  const label = form.kind === "swap" ? texts.reviewSwap : texts.reviewOrder;
  if (busy) return { label: (busy !== "failed" && words.review.busy[busy]) || label, run: null, reason: null };
  if (!account) return { label: texts.connect, run: openWallets, reason: texts.standing.connect };
  const reason = missing(state, words);
  if (reason !== null) return { label, run: null, reason };
  if (price.isStale) return { label: texts.newPrice, run: swap.refresh, reason: texts.standing.stale };
  return { label, run: swap.review, reason: null };
}

/** One line about the price, and the one button that fits; in the place of both a failure with its own. */
export function Action({ main }: { main: Main }): VNode {
  const { state, swap, words } = useScene();
  const { failure } = state;
  // The form is where one starts over.
  const remedies = failure?.remedies.filter((remedy) => remedy !== "startOver") ?? [];
  return (
    <div class="form-action">
      {failure && <Failure failure={{ ...failure, remedies }} />}
      <p class="form-status" hidden={failure !== null}>
        <span>
          <span role="status">{main.reason}</span>
          {main.reason === null && state.quote && <Age at={state.quote.receivedAtMs} />}
        </span>
        {state.quote && <button type="button" class="link" onClick={swap.refresh}>{words.form.refresh}</button>}
      </p>
      {remedies.length === 0 && (
        <button type="submit" class="primary" aria-disabled={main.run === null || failure !== null}>{main.label}</button>
      )}
    </div>
  );
}

/** The age of the price, as the clock of this computer has it. */
function Age({ at }: { at: number }): VNode {
  const { words } = useScene();
  const secs = Math.max(0, useNow() - Math.floor(at / 1000));
  return <span>{words.form.standing.age(secs)}</span>;
}
