import type { VNode } from "preact";
import { messages } from "../messages/en.ts";
import { formatDuration, formatSecond } from "../state/format.ts";
import { Icon } from "./parts/icon.tsx";

const texts = messages.progress.stop;

/** A stop on the way to the end. */
export interface Stop {
  name: string;
  state: "done" | "now" | "ahead" | "failed";
  /** Unix milliseconds. */
  at: number | null;
}

/** The stops of an order or a transaction, one under the other, with their times. */
export function Timeline({ stops }: { stops: Stop[] }): VNode {
  return (
    <ol class="timeline">
      {stops.map(({ name, state, at }, position) => (
        <li key={position} class={state} aria-current={state === "now" ? "step" : undefined}>
          <span class="dot">
            {state === "done" && <Icon name="tick" />}
            {state === "failed" && <Icon name="cross" />}
          </span>
          <span class="stop-name">
            {name}
            <span class="visually-hidden">, {texts.spoken[state]}</span>
          </span>
          {at !== null && <Moment at={at} since={lastBefore(stops, position)} />}
        </li>
      ))}
    </ol>
  );
}

/** When, and how long after the stop before. */
function Moment({ at, since }: { at: number; since: number | null }): VNode {
  const secs = since === null ? 0 : Math.round((at - since) / 1000);
  return (
    <span class="moment">
      {secs > 0 && <small>+{formatDuration(secs)}</small>}
      <time dateTime={new Date(at).toISOString()}>{formatSecond(new Date(at))}</time>
    </span>
  );
}

function lastBefore(stops: Stop[], position: number): number | null {
  return stops.slice(0, position).findLast(({ at }) => at !== null)?.at ?? null;
}
