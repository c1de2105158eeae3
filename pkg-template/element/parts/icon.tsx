import type { VNode } from "preact";

/** Each in 20 by 20 units. */
const PATHS = {
  back: "M12 4 6 10l6 6",
  copy: "M7.5 7.5h8v8h-8zM4.5 12.5v-8h8",
  cross: "m5 5 10 10M15 5 5 15",
  down: "m6 8 4 4 4-4",
  flip: "M4 7.5h11l-3-3M16 12.5H5l3 3",
  gear: "M3.5 6h5m4 0h4m-13 8h3m4 0h6M10.5 4v4m-2 4v4",
  info: "M10 9.5v4M10 6.5v.01M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14Z",
  out: "M11.5 4H16v4.5M16 4l-7 7M13 11.5V16H4V7h4.5",
  search: "M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11Zm4-1.5 3.5 3.5",
  stop: "M7 3h6l4 4v6l-4 4H7l-4-4V7zM10 6.5v4.2m0 2.6v.2",
  tick: "m4.5 10.5 3.8 3.8 7.2-8",
  turn: "M6 3v13m0 0-3-3m3 3 3-3M14 17V4m0 0-3 3m3-3 3 3",
  unknown: "M7.5 7.5a2.5 2.5 0 1 1 3.4 2.4c-.6.3-.9.7-.9 1.600M10 14v.01M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14Z",
  wallet: "M3 6.5h12.5A1.5 1.5 0 0 1 17 8v7a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 15zM3 6.5 13 3.5v3M13.5 11.5h.01",
  warning: "M10 8v3.500M10 14v.01M10 3 2.5 16.5h15L10 3Z",
} as const;

/** An icon in the current colour; hidden from assistive technology, so a text beside it has to be enough. */
export function Icon({ name }: { name: keyof typeof PATHS }): VNode {
  return (
    <svg viewBox="0 0 20 20" class={`icon icon-${name}`} aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
