import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
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
  /** What the service calls it, where the page waits for the service. */
  told?: string | undefined;
}

/** The stops of an order or a transaction, one under the other, with their times. */
export function Timeline({ stops }: { stops: Stop[] }): VNode {
  return (
    <ol class="timeline">
      {stops.map(({ name, state, at, told }, position) => (
        <li key={position} class={state} aria-current={state === "now" ? "step" : undefined}>
          <span class="dot">
            {state === "done" && <Icon name="tick" />}
            {state === "failed" && <Icon name="cross" />}
          </span>
          <span class="stop-name">
            {name}
            <span class="visually-hidden">, {texts.spoken[state]}</span>
            {told && <small class="stop-told">{texts.told(told)}</small>}
          </span>
          {state === "now" && <Elapsed since={at ?? lastBefore(stops, position)} />}
          {state !== "now" && at !== null && <Moment at={at} since={lastBefore(stops, position)} />}
        </li>
      ))}
    </ol>
  );
}

/** How long it has been waited for; nothing where nobody knows since when. */
function Elapsed({ since }: { since: number | null }): VNode | null {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  if (since === null) return null;
  return <span class="moment">{formatDuration(Math.max(0, Math.floor((now - since) / 1_000)))}</span>;
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
