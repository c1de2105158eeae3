import { element, icon, setText } from "./element.ts";
import { figureRow } from "./figure.ts";
import type { Line } from "./parts/lines.tsx";

const TICK = "m4.5 10.5 3.8 3.8 7.2-8";

export { amountLine, hashLine, type Line } from "./parts/lines.tsx";

/** A list whose rows stay where they are while what they say changes. */
export function lineList(ticked = false): {
  node: HTMLElement;
  show(lines: Line[]): void;
  clear(names: string[], loading: boolean): void;
} {
  const node = element("dl", { class: "rows" });
  const rows: { name: HTMLElement; figure: ReturnType<typeof figureRow>["figure"]; row: HTMLElement }[] = [];

  function fit(count: number): void {
    while (rows.length < count) {
      const { name, figure } = figureRow(node, "");
      if (ticked) figure.node.after(icon(TICK));
      rows.push({ name, figure, row: node.lastElementChild as HTMLElement });
    }
    for (const { row } of rows.splice(count)) row.remove();
  }

  return {
    node,
    show(lines) {
      fit(lines.length);
      lines.forEach((line, position) => {
        setText(rows[position]!.name, line.name);
        rows[position]!.figure.show(line.text, line.exact, line.unit);
        rows[position]!.figure.node.classList.toggle("mono", line.mono === true);
        rows[position]!.row.classList.toggle("told", line.told === true);
      });
    },
    clear(names, loading) {
      fit(names.length);
      names.forEach((name, position) => {
        setText(rows[position]!.name, name);
        rows[position]!.figure.clear(loading);
      });
    },
  };
}
