import { element, fill } from "./element.ts";
import { rounded } from "../state/money.ts";
import type { Token } from "../sandbox/sandbox.ts";
import { firstSpending } from "../client/permits.ts";
import { balanceOf, short } from "../state/state.ts";
import { choice } from "./choice.ts";
import type { Page } from "./page.ts";
import { openDialog } from "./dialog.ts";

/**
 * Lets a person choose the token of one side; of a swap's destination, on which network too. Choosing the other side's
 * token turns the pair around.
 */
export function pickToken({ store, pricing, accounts }: Page, of: "src" | "dest"): void {
  const { chain, chains, tab } = store.get();
  let { chainId } = store.get()[of];
  const networks = choice(
    "dest-network",
    "Network",
    chains.map(({ chainId: id, name }) => [id, name] as const),
    (chosen) => {
      chainId = chosen;
      list();
    },
  );
  networks.show(chainId);
  const search = element("input", {
    id: "token-search",
    class: "text",
    type: "search",
    autocomplete: "off",
    autofocus: true,
    placeholder: "Name, symbol or address",
    oninput: list,
  });
  const results = element("ul", { class: "choices" });
  const dialog = openDialog(of === "src" ? "Pay with" : "Receive", [
    element("label", { for: "token-search", class: "visually-hidden" }, "Search tokens"),
    ...(of === "dest" && tab === "swap" && chains.length > 1 ? [networks.node] : []),
    search,
    results,
  ]);

  function choose(token: Token): void {
    const before = store.get();
    const turned = token === (of === "src" ? before.dest : before.src);
    const src =
      of === "src"
        ? token
        : !turned
          ? before.src
          : before.dest.chainId === chain.chainId
            ? before.dest
            : chain.tokens.find((one) => one !== token)!;
    const dest = of === "dest" ? token : turned ? before.src : before.dest;
    store.set({ src, dest, ...(src === before.src ? {} : { spending: firstSpending(src) }) });
    dialog.close();
    pricing.changed();
    void accounts.refresh();
  }

  function list(): void {
    const state = store.get();
    const words = search.value.trim().toLowerCase();
    const tokens = chains.find((one) => one.chainId === chainId)?.tokens ?? [];
    const found = tokens.filter(({ symbol, name, address }) =>
      `${symbol} ${name} ${address}`.toLowerCase().includes(words),
    );
    const current = state[of];
    fill(
      results,
      ...found.map((token) => {
        const balance = balanceOf(state, token);
        return element(
          "li",
          {},
          element(
            "button",
            {
              type: "button",
              class: "choice",
              "aria-current": token === current && "true",
              onclick: () => choose(token),
            },
            element(
              "span",
              { class: "choice-name" },
              token.symbol,
              element("small", {}, `${token.name} ${short(token.address)}`),
            ),
            element(
              "span",
              { class: "choice-value" },
              balance === null ? "" : rounded(balance, token.decimals, "down"),
            ),
          ),
        );
      }),
      found.length === 0 && element("li", { class: "quiet" }, "No token matches."),
    );
  }

  list();
}
