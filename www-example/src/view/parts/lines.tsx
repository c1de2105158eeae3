import type { Amount } from "verified-swap";
import type { VNode } from "preact";
import { exact, rounded, type Rounding } from "../../state/money.ts";
import type { Token } from "../../sandbox/sandbox.ts";
import { Figure } from "./figure.tsx";
import { Icon } from "./icon.tsx";

/** One row of a list: a name and what stands beside it. */
export interface Line {
  name: string;
  text: string;
  exact?: string;
  unit?: string;
  /** Not checked, so without a tick. */
  told?: boolean;
  /** Something to look at twice. */
  warns?: boolean;
}

/** A row with an amount of a token: rounded to read, down what is got and up what is given; exact on request. */
export function amountLine(name: string, amount: Amount, token: Token, rounding: Rounding): Line {
  return {
    name,
    text: rounded(amount, token.decimals, rounding),
    exact: exact(amount, token.decimals),
    unit: token.symbol,
  };
}

/** Names without figures: a dash each, or a bar while they are on their way. */
export function emptyLines(names: string[]): Line[] {
  return names.map((name) => ({ name, text: "–" }));
}

/** Rows of names and figures. `ticked`: those that were checked have a tick. */
export function Lines(props: { lines: Line[]; ticked?: boolean; loading?: boolean }): VNode {
  const { lines, ticked = false, loading = false } = props;
  return (
    <dl class="rows">
      {lines.map(({ name, told, warns, ...figure }) => (
        <div key={name} class={`row${warns ? " warns" : told ? " told" : ""}`}>
          <dt>{name}</dt>
          <dd>
            <Figure {...figure} loading={loading} />
            {(ticked || warns) && <Icon name={warns ? "warning" : "tick"} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
