import { LineSeries, ColorType, createChart, LineType, type Time, type UTCTimestamp } from "lightweight-charts";
import { formatDecimal, visitorLocales } from "../state/format.ts";
import { significant } from "../state/money.ts";
import type { Sample } from "../state/prices.ts";

/* The canvas under the limit line. Loaded when a limit order is first made. */

export interface Drawing {
  /** `bounds`: the lowest and the highest price to be seen. */
  show(samples: Sample[], bounds: Bounds): void;
  /** The part of the host that shows prices, in pixels from its top left corner. */
  plot(): { width: number; height: number };
  remove(): void;
}

export interface Bounds {
  lowest: number;
  highest: number;
}

const DIGITS = 6;
/** Times of a session that is no longer than this have seconds. */
const SHORT_SECS = 300;

export function drawPrices(host: HTMLElement): Drawing {
  const chart = createChart(host, {
    autoSize: true,
    // Its licence asks for a notice: that is in the footer. The logo needs inline styles.
    layout: { attributionLogo: false, fontFamily: getComputedStyle(host).fontFamily, fontSize: 12 },
    localization: { priceFormatter: priceWords, timeFormatter: (time: Time) => timeWords(time, true) },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0, bottom: 0 } },
    timeScale: {
      borderVisible: false,
      timeVisible: true,
      secondsVisible: true,
      tickMarkMaxCharacterLength: 16,
      tickMarkFormatter: (time: Time) => timeWords(time, isShort),
    },
    handleScroll: false,
    handleScale: false,
  });
  let isShort = true;
  let bounds: Bounds = { lowest: 0, highest: 1 };
  const series = chart.addSeries(LineSeries, {
    lineType: LineType.WithSteps,
    lineWidth: 2,
    priceFormat: { type: "custom", formatter: priceWords, minMove: 1e-12 },
    autoscaleInfoProvider: () => ({ priceRange: { minValue: bounds.lowest, maxValue: bounds.highest } }),
  });

  /** The canvas takes no variables of the stylesheet. */
  function paint(): void {
    const styles = getComputedStyle(host);
    const colour = (name: string): string => styles.getPropertyValue(name).trim();
    const isForced = matchMedia("(forced-colors: active)").matches;
    const [ink, grid] = [isForced ? "CanvasText" : colour("--muted"), colour("--line")];
    chart.applyOptions({
      layout: { background: { type: ColorType.Solid, color: "transparent" }, textColor: ink },
      grid: { vertLines: { visible: false }, horzLines: { color: grid, visible: !isForced } },
      crosshair: { horzLine: { visible: false }, vertLine: { color: ink, labelBackgroundColor: ink } },
    });
    series.applyOptions({ color: ink, priceLineColor: ink });
  }

  const schemes = ["(prefers-color-scheme: dark)", "(forced-colors: active)"].map((query) => matchMedia(query));
  schemes.forEach((scheme) => scheme.addEventListener("change", paint));
  paint();

  return {
    show(samples, next) {
      bounds = next;
      isShort = (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0) < SHORT_SECS;
      series.applyOptions({ pointMarkersVisible: samples.length < 3 });
      series.setData(samples.map(({ at, price }) => ({ time: at as UTCTimestamp, value: Number(price) })));
      chart.timeScale().fitContent();
    },
    plot: () => chart.paneSize(),
    remove() {
      schemes.forEach((scheme) => scheme.removeEventListener("change", paint));
      chart.remove();
    },
  };
}

function priceWords(price: number): string {
  return formatDecimal(significant(Math.max(price, 0).toFixed(18), DIGITS, "nearest"));
}

/** The page's clock, without its zone for want of room. */
function timeWords(time: Time, withSeconds: boolean): string {
  const parts = { hour: "2-digit", minute: "2-digit", ...(withSeconds ? ({ second: "2-digit" } as const) : {}) } as const;
  return new Date(Number(time) * 1000).toLocaleTimeString([...visitorLocales()], parts);
}
