import type { Amount } from "verified-swap";
import { element, icon, setText } from "./element.ts";
import { exact, rounded, type Rounding } from "../state/money.ts";
import type { Token } from "../sandbox/sandbox.ts";
import { short } from "../state/state.ts";
import { figureRow } from "./figure.ts";

const TICK = "m4.5 10.5 3.8 3.8 7.2-8";

/** One row of a list: a name and what stands beside it. */
export interface Line {
  name: string;
  text: string;
  exact?: string;
  unit?: string;
  /** A hash or an address, and nothing else. */
  mono?: boolean;
  /** Not checked, so without a tick. */
  told?: boolean;
}

/** A row with an amount of a token: rounded to read, exact when pointed at. */
export function amountLine(name: string, amount: Amount, token: Token, rounding: Rounding = "nearest"): Line {
  return {
    name,
    text: rounded(amount, token.decimals, rounding),
    exact: exact(amount, token.decimals),
    unit: token.symbol,
  };
}

/** A row with the beginning and the end of a hash: all of it when pointed at. */
export function hashLine(name: string, hex: string | null): Line {
  return hex ? { name, text: short(hex), exact: hex, mono: true } : { name, text: "–" };
}

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
