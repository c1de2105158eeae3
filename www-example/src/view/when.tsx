import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { formatMoment, visitorLocales } from "../state/format.ts";

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;
const TICK_MS = 30_000;

/** `2 min. ago`; the very moment when pointed at. */
export function When({ at }: { at: number }): VNode {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={new Date(at).toISOString()} title={formatMoment(new Date(at))}>
      {agoWords(at, Math.max(now, at))}
    </time>
  );
}

function agoWords(at: number, now: number): string {
  const format = new Intl.RelativeTimeFormat([...visitorLocales()], { style: "short", numeric: "auto" });
  const [unit, size] = UNITS.find(([, size]) => now - at >= size) ?? (["second", 1_000] as const);
  return format.format(unit === "second" ? 0 : -Math.floor((now - at) / size), unit);
}
