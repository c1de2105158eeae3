import type { Amount } from "verified-swap";
import { element, setText } from "./element.ts";
import { exact, rounded } from "../state/money.ts";
import type { Token } from "../sandbox/sandbox.ts";
import { figure } from "./figure.ts";

interface Holdings {
  src: Amount | null;
  dest: Amount | null;
}

/** What the account held before, and holds after. */
export function balanceTable(): {
  node: HTMLElement;
  show(src: Token, dest: Token, before: Holdings, after: Holdings | null): void;
} {
  const body = element("tbody");
  const lines = [balanceLine(body), balanceLine(body)] as const;
  const node = element(
    "table",
    { class: "balances" },
    element("caption", {}, "Your balances"),
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        element("th", { scope: "col" }, "Token"),
        element("th", { scope: "col" }, "Before"),
        element("th", { scope: "col" }, "After"),
      ),
    ),
    body,
  );
  return {
    node,
    show(src, dest, before, after) {
      lines[0](src, before.src, after && after.src);
      lines[1](dest, before.dest, after && after.dest);
    },
  };
}

function balanceLine(body: HTMLElement): (token: Token, before: string | null, after: string | null) => void {
  const name = element("th", { scope: "row" });
  const values = [figure(), figure()] as const;
  body.append(element("tr", {}, name, ...values.map(({ node }) => element("td", {}, node))));
  return (token, before, after) => {
    setText(name, token.symbol);
    [before, after].forEach((amount, position) => {
      if (amount === null) values[position]?.clear();
      else values[position]?.show(rounded(amount, token.decimals, "down"), exact(amount, token.decimals));
    });
  };
}
