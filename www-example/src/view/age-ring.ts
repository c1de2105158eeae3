import { svg } from "./element.ts";

const RADIUS = 7;
const AROUND = 2 * Math.PI * RADIUS;

/** A ring that empties while a price gets old. */
export function ageRing(): { node: SVGElement; show(spent: number | null): void } {
  const left = svg("circle", { cx: 10, cy: 10, r: RADIUS, class: "ring-left", transform: "rotate(-90 10 10)" });
  left.style.strokeDasharray = String(AROUND);
  const node = svg("svg", { viewBox: "0 0 20 20", class: "ring", "aria-hidden": "true", focusable: "false" });
  node.append(svg("circle", { cx: 10, cy: 10, r: RADIUS, class: "ring-all" }), left);
  return {
    node,
    show(spent) {
      node.classList.toggle("absent", spent === null);
      left.style.strokeDashoffset = String(AROUND * Math.min(spent ?? 1, 1));
    },
  };
}
