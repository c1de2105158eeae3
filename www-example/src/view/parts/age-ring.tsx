import type { VNode } from "preact";

const RADIUS = 7;
const AROUND = 2 * Math.PI * RADIUS;

/** A ring that empties while a price gets old; `spent` of it is gone, 0 to 1. */
export function AgeRing({ spent }: { spent: number }): VNode {
  return (
    <svg viewBox="0 0 20 20" class="ring" aria-hidden="true" focusable="false">
      <circle cx={10} cy={10} r={RADIUS} class="ring-all" />
      <circle
        cx={10}
        cy={10}
        r={RADIUS}
        class="ring-left"
        transform="rotate(-90 10 10)"
        stroke-dasharray={AROUND}
        stroke-dashoffset={AROUND * Math.min(spent, 1)}
      />
    </svg>
  );
}
