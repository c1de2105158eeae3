import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { SwapFailure, SwapRemedy } from "../../src/types/swap.ts";
import { Icon } from "../parts/icon.tsx";
import { trusted, useScene } from "../scene.ts";
import { failureWords, remedyWords } from "./failure-words.ts";
import { Consents, consentsOf } from "./questions.tsx";

/** A failure of form, review or entry: the fact, its consequence, one main button and at most one other. */
export function Failure({ failure }: { failure: SwapFailure }): VNode {
  const scene = useScene();
  const { swap, state, words } = scene;
  const [accepted, setAccepted] = useState<string[]>([]);
  const { message, consequence } = failureWords(failure, scene);
  // Questions about a price are asked by the next review.
  const consents = consentsOf(failure.error.code === "ALREADY_SIGNED" ? (failure.error.questions ?? []) : [], words);
  const isHeld = consents.some(({ id }) => !accepted.includes(id));
  const [main, other] = failure.remedies;
  const does = (remedy: SwapRemedy) => trusted<MouseEvent>(({ detail }) => {
    // The second click of a double click was meant for another button.
    if (detail > 1 || (isHeld && remedy === main)) return;
    if (remedy === "connect") scene.openWallets();
    swap.remedy(remedy, accepted);
  });
  return (
    <div class="failure">
      <p class="failure-words" role="alert">
        <Icon name="warning" /> <bdi>{message} {consequence}</bdi>
        {state.waitSecs > 0 && <bdi> {words.failures.waits(state.waitSecs)}</bdi>}
      </p>
      <Consents consents={consents} accepted={accepted} onChange={setAccepted} />
      {main && (
        <button type="button" class="primary" aria-disabled={isHeld} onClick={does(main)}>
          {remedyWords(main, failure, scene)}
        </button>
      )}
      {other && (
        <button type="button" class="secondary" onClick={does(other)}>{remedyWords(other, failure, scene)}</button>
      )}
    </div>
  );
}
