import type { VNode } from "preact";
import { PATHS as SHARED } from "../../../../examples/review-components/src/icon.tsx";

const PATHS = {
  ...SHARED,
  back: "M12 4 6 10l6 6",
  copy: "M7.5 7.5h8v8h-8zM4.5 12.5v-8h8",
  down: "m6 8 4 4 4-4",
  flip: "M4 7.5h11l-3-3M16 12.5H5l3 3",
  gear: "M3.5 6h5m4 0h4m-13 8h3m4 0h6M10.5 4v4m-2 4v4",
  out: "M11.5 4H16v4.500M16 4l-7 7M13 11.500V16H4V7h4.5",
  seal: "M10 1.700A2.700 2.700 0 0 1 14.880 3.290A2.700 2.700 0 0 1 17.890 7.440A2.700 2.700 0 0 1 17.890 12.560A2.700 2.700 0 0 1 14.880 16.710A2.700 2.700 0 0 1 10 18.300A2.700 2.700 0 0 1 5.120 16.710A2.700 2.700 0 0 1 2.110 12.560A2.700 2.700 0 0 1 2.110 7.440A2.700 2.700 0 0 1 5.120 3.290A2.700 2.700 0 0 1 10 1.700Zm-3.200 8.600 2.300 2.300 4.300-4.700",
  search: "M9 14.500a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11Zm4-1.5 3.5 3.5",
  turn: "M6 3v13m0 0-3-3m3 3 3-3M14 17V4m0 0-3 3m3-3 3 3",
} as const;

type IconName = keyof typeof PATHS;

/** An icon of 20 by 20 units in the current colour. Decorative: hidden from assistive technology. */
export function Icon({ name }: { name: IconName }): VNode {
  return (
    <svg viewBox="0 0 20 20" class="icon" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
