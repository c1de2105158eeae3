import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { messages } from "../messages/en.ts";
import { chosenPrice, movedBy, type Sample } from "../state/prices.ts";
import type { Bounds, Drawing } from "./price-drawing.ts";

interface PriceChartProps {
  label: string;
  samples: Sample[];
  market: string | null;
  limit: string | null;
  /** The limit and its distance, in words. */
  limitText: string;
  onLimit(price: string): void;
}

/** This session's prices, and the limit as a line across them: dragged, or moved with the keyboard. */
export function PriceChart({ label, samples, market, limit, limitText, onLimit }: PriceChartProps): VNode {
  const host = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing | null>(null);
  const [plot, setPlot] = useState({ width: 0, height: 0 });
  const [fails, setFails] = useState(false);
  // The scale stands still under a finger.
  const [held, setHeld] = useState<Bounds | null>(null);
  const shown = limit ?? market;
  const bounds = held ?? boundsOf(samples, shown);

  useEffect(() => {
    let isGone = false;
    import("./price-drawing.ts")
      .then(({ drawPrices }) => {
        if (isGone || !host.current) return;
        drawing.current = drawPrices(host.current);
        setPlot(drawing.current.plot());
      })
      .catch(() => setFails(true));
    return () => {
      isGone = true;
      drawing.current?.remove();
      drawing.current = null;
    };
  }, []);

  useLayoutEffect(() => {
    const { current } = drawing;
    if (!current || !bounds) return;
    current.show(samples, bounds);
    // Its axes are as wide as what stands on them, once that is drawn.
    const frame = requestAnimationFrame(() => setPlot((now) => (isSame(now, current.plot()) ? now : current.plot())));
    return () => cancelAnimationFrame(frame);
  }, [samples, bounds?.lowest, bounds?.highest, plot]);

  const { terms } = messages;
  return (
    <div class="price-chart">
      <div ref={host} class="price-canvas" role="img" aria-label={label} />
      {(fails || samples.length === 0) && <p class="price-note">{fails ? terms.chartFails : terms.gathering}</p>}
      {shown && bounds && plot.height > 0 && (
        <LimitLine
          isSet={limit !== null}
          price={shown}
          market={market ?? shown}
          text={limitText}
          bounds={bounds}
          plot={plot}
          onLimit={onLimit}
          onHold={(isHeld) => setHeld(isHeld ? bounds : null)}
        />
      )}
    </div>
  );
}

interface LimitLineProps {
  isSet: boolean;
  price: string;
  market: string;
  text: string;
  bounds: Bounds;
  plot: { width: number; height: number };
  onLimit(price: string): void;
  onHold(isHeld: boolean): void;
}

const STEPS: Record<string, number> = {
  ArrowUp: 10,
  ArrowRight: 10,
  ArrowDown: -10,
  ArrowLeft: -10,
  PageUp: 100,
  PageDown: -100,
};

function LimitLine({ isSet, price, market, text, bounds, plot, onLimit, onHold }: LimitLineProps): VNode {
  const { lowest, highest } = bounds;
  const at = Math.min(1, Math.max(0, (highest - Number(price)) / (highest - lowest)));
  const grabbed = useRef<number | null>(null);

  function press(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (step === undefined && event.key !== "Home") return;
    event.preventDefault();
    onLimit(step === undefined ? movedBy(0, market) : movedBy(step, price));
  }

  function grab(event: PointerEvent & { currentTarget: HTMLElement }): void {
    event.currentTarget.setPointerCapture(event.pointerId);
    grabbed.current = event.clientY - at * plot.height;
    onHold(true);
  }

  function drag({ clientY }: PointerEvent): void {
    if (grabbed.current === null) return;
    const part = (clientY - grabbed.current) / plot.height;
    const chosen = chosenPrice(highest - part * (highest - lowest));
    if (chosen) onLimit(chosen);
  }

  function drop(): void {
    grabbed.current = null;
    onHold(false);
  }

  return (
    <div
      class={`limit-line${isSet ? "" : " unset"}`}
      role="slider"
      tabIndex={0}
      aria-label={messages.terms.limitLine}
      aria-orientation="vertical"
      aria-valuemin={lowest}
      aria-valuemax={highest}
      aria-valuenow={Number(price)}
      aria-valuetext={text}
      style={{ top: `${at * plot.height}px`, width: `${plot.width}px` }}
      onKeyDown={press}
      onPointerDown={grab}
      onPointerMove={drag}
      onPointerUp={drop}
      onPointerCancel={drop}
    >
      <span class="limit-grip" aria-hidden="true">
        {messages.terms.line}
      </span>
    </div>
  );
}

/** A little more than all that is shown, so that the line can be dragged both ways. */
function boundsOf(samples: Sample[], limit: string | null): Bounds | null {
  if (limit === null) return null;
  const all = [...samples.map(({ price }) => Number(price)), Number(limit)];
  const [lowest, highest] = [Math.min(...all), Math.max(...all)];
  const room = Math.max((highest - lowest) * 0.25, highest * 0.02);
  return { lowest: Math.max(0, lowest - room), highest: highest + room };
}

function isSame(one: { width: number; height: number }, other: { width: number; height: number }): boolean {
  return one.width === other.width && one.height === other.height;
}
