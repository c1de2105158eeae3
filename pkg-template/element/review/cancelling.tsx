import type { VNode } from "preact";
import type { SwapReview } from "../../src/types/swap.ts";
import { About } from "../entry/about.tsx";
import { shortAddress } from "../format.ts";
import { Row, Rows } from "../parts/text.tsx";
import { useScene } from "../scene.ts";

/** The orders that a cancellation ends, and how. */
export function Cancelled({ review: { cancels, build } }: { review: SwapReview }): VNode {
  const texts = useScene().words.review.cancel;
  return (
    <>
      <Rows>
        {cancels.map((entry) => (
          <Row key={entry.id} name={`${texts.order} ${shortAddress(entry.id)}`}>
            <span title={entry.id}><About entry={entry} /></span>
          </Row>
        ))}
      </Rows>
      <p class="quiet">{build.kind === "transaction" ? texts.transaction : texts.signature}</p>
    </>
  );
}
