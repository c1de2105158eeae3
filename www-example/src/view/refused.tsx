import type { VNode } from "preact";
import { Refusal } from "../../../examples/review-components/src/index.ts";
import { messages } from "../messages/en.ts";
import { readerOf } from "../state/checks.ts";
import { useScene } from "./context.ts";

const texts = messages.review;

/** A refusal: what was asked for, what the service put, what that would have done, and that nothing happened. */
export function Refused(): VNode | null {
  const { state, swap } = useScene();
  const { refusal, prompts } = state;
  if (!refusal) return null;
  return (
    <section class="stage refused" aria-labelledby="refused-title">
      <Refusal error={refusal} reader={readerOf(state, refusal.report)} prompts={prompts} titleId="refused-title" level={1} />
      <div class="action">
        <button type="button" class="primary" onClick={() => swap.compose()}>
          {texts.refusal.newPrice}
        </button>
      </div>
    </section>
  );
}
