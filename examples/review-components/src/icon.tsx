/** Each in 20 by 20 units. */
export const PATHS = {
  cross: "m5 5 10 10M15 5 5 15",
  info: "M10 9.500v4M10 6.500v.01M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14Z",
  stop: "M7 3h6l4 4v6l-4 4H7l-4-4V7zM10 6.500v4.200m0 2.600v.200",
  tick: "m4.5 10.5 3.8 3.8 7.2-8",
  wallet: "M3 6.500h12.500A1.500 1.500 0 0 1 17 8v7a1.500 1.500 0 0 1-1.500 1.500h-11A1.500 1.500 0 0 1 3 15zM3 6.500 13 3.500v3M13.500 11.500h.01",
  warning: "M10 8v3.500M10 14v.01M10 3 2.5 16.500h15L10 3Z",
} as const;

/** An icon in the current colour. Decorative: what it says is said in words beside it. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg viewBox="0 0 20 20" className="vs-icon" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
