import type { VNode } from "preact";
import type { SwapReview } from "../../src/types/swap.ts";
import { shortAddress } from "../format.ts";
import { Row, Rows, Sum } from "../parts/text.tsx";
import { useScene } from "../scene.ts";

/** The orders that a cancellation ends, and how. */
export function Cancelled({ review: { cancels, build } }: { review: SwapReview }): VNode {
  const { state, words } = useScene();
  const texts = words.review.cancel;
  return (
    <>
      <Rows>
        {cancels.map(({ orderHash }) => {
          const figures = state.activity.entries.find(({ order }) => order?.orderHash === orderHash)?.figures;
          return (
            <Row key={orderHash} name={`${texts.order} ${shortAddress(orderHash)}`}>
              {figures && (
                <>
                  <Sum {...figures.src} amount={figures.payAtMost ?? figures.pay} rounding="up" />
                  {" → "}
                  <Sum {...figures.dest} amount={figures.getAtLeast ?? figures.get} rounding="down" />
                </>
              )}
            </Row>
          );
        })}
      </Rows>
      <p class="quiet">{build.kind === "transaction" ? texts.transaction : texts.signature}</p>
    </>
  );
}
