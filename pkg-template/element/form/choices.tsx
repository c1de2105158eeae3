import type { VNode } from "preact";
import { duration, percent } from "../format.ts";
import { Sum } from "../parts/text.tsx";
import { useId, useScene } from "../scene.ts";
import { bridgeName, gasOf } from "./outcome.tsx";
import type { SwapChoice, SwapFigures, SwapState } from "../../src/types/swap.ts";
import type { Words } from "../messages.ts";

/** The quotes between which one can choose: gasless or Market, or crosschain the bridges. */
export function Choices(): VNode | null {
  const { state, swap, words } = useScene();
  const { choices, form } = state;
  const name = useId();
  if (choices.length < 2) return null;
  const isBridge = form.src.chainId !== form.dest.chainId;
  const choose = ({ id }: SwapChoice): void => {
    if (id === "delta" || id === "market") swap.change({ chosen: id });
    else swap.change({ route: id });
  };
  return (
    <fieldset class="form-choice">
      <legend class="form-label">{isBridge ? words.form.choices.routes : words.form.choices.ways}</legend>
      <div class="form-routes">
        {choices.map((choice) => (
          <label key={choice.id} class="form-route">
            <input
              type="radio"
              name={name}
              checked={choice.isChosen}
              disabled={choice.figures === null}
              onChange={() => choose(choice)}
            />
            <span class="form-route-name">
              <bdi>{nameOf(choice, words)}</bdi>
              <small>{remarks(choice, state, words).join(" · ")}</small>
            </span>
            {choice.figures && <span class="form-route-sum"><ChoiceSum figures={choice.figures} /></span>}
          </label>
        ))}
      </div>
      {isBridge && <p class="quiet">{words.form.choices.refund}</p>}
    </fieldset>
  );
}

function ChoiceSum({ figures: { side, src, dest, pay, get } }: { figures: SwapFigures }): VNode {
  return side === "SELL" ? <Sum {...dest} amount={get} rounding="down" /> : <Sum {...src} amount={pay} rounding="up" />;
}

function nameOf({ id, bridge }: SwapChoice, words: Words): string {
  const { choices } = words.form;
  return id === "delta" ? choices.delta : id === "market" ? choices.market : bridgeName(bridge, words);
}

/** The things that tell a choice from the others. */
function remarks(choice: SwapChoice, { quote, price }: SwapState, words: Words): string[] {
  const { choices } = words.form;
  const { id, figures, error, isBest, differenceBps } = choice;
  if (error) return [error.code === "VERIFY_MISMATCH" ? choices.refused : choices.none];
  if (!figures) return [price.isFetching ? choices.asking : choices.none];
  const isPath = id === "delta" || id === "market";
  const best = !isBest ? null : !isPath ? choices.recommended : differenceBps ? choices.bestBy(percent(differenceBps)) : choices.best;
  if (isPath) return [best, `${words.form.lines.gas} ${gasOf(figures, words).text}`].filter((text) => text !== null);
  const leg = quote?.kind === "delta" ? (id === null ? quote.bridge : quote.alternatives[id]?.bridge) : null;
  const ms = leg?.estimatedTimeMs ?? 0;
  const arrival = figures.arrival === "promised" ? choices.promised : figures.arrival && choices.guaranteed;
  return [best, ms > 0 ? choices.takes(duration(ms / 1000)) : null, arrival].filter((text) => text !== null);
}
