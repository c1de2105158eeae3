import type { VNode } from "preact";
import { clock, duration } from "../format.ts";
import { Icon } from "../parts/icon.tsx";
import { useNow, useScene } from "../scene.ts";
import type { Step } from "./steps.ts";

/** The steps of a trade, one under the other, with their times; beside the present one how long it takes so far. */
export function Timeline({ steps }: { steps: Step[] }): VNode | null {
  const texts = useScene().words.entry.steps;
  if (steps.length === 0) return null;
  return (
    <ol class="entry-steps" aria-label={texts.label}>
      {steps.map(({ name, state, at }, index) => (
        <li key={index} class={`entry-step entry-${state}`} aria-current={state === "now" ? "step" : undefined}>
          <span class="entry-dot">
            {state === "done" && <Icon name="tick" />}
            {state === "claimed" && <Icon name="unknown" />}
            {(state === "failed" || state === "over") && <Icon name="cross" />}
          </span>
          <span class="entry-step-name own-order">
            {name}<span class="visually-hidden">, {texts.spoken[state]}</span>
          </span>
          {state === "now" ? <Elapsed since={steps[index - 1]?.at ?? null} /> : at !== null && <Time at={at} />}
        </li>
      ))}
    </ol>
  );
}

/** How long it has taken so far; nothing where the end of the step before is not known. */
function Elapsed({ since }: { since: number | null }): VNode | null {
  const now = useNow();
  return since === null ? null : <span class="quiet">{duration(Math.max(0, now - Math.floor(since / 1000)))}</span>;
}

/** A time of the day, with the day where it is another one. Unix milliseconds. */
export function Time({ at }: { at: number }): VNode | null {
  const text = clock(at / 1000);
  return text === null ? null : <time class="quiet" dateTime={new Date(at).toISOString()}>{text}</time>;
}
