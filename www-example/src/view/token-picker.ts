import { element, fill } from "../element.ts";
import { rounded } from "../money.ts";
import type { Token } from "../sandbox.ts";
import { balanceOf, isSellable, short } from "../state.ts";
import type { Page } from "./page.ts";
import { openDialog } from "./dialog.ts";

/** Lets a person choose the token of one side. Choosing the other side's token turns the pair around. */
export function pickToken({ store, pricing }: Page, of: "src" | "dest"): void {
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
    search,
    results,
  ]);

  function choose(token: Token): void {
    const { src, dest, chain } = store.get();
    if (of === "src") store.set({ src: token, dest: token === dest ? src : dest });
    else if (token !== src) store.set({ dest: token });
    else store.set({ dest: token, src: isSellable(dest) ? dest : chain.tokens.find((one) => isSellable(one) && one !== token)! });
    dialog.close();
    pricing.changed();
  }

  function list(): void {
    const state = store.get();
    const words = search.value.trim().toLowerCase();
    const found = state.chain.tokens
      .filter((token) => of === "dest" || isSellable(token))
      .filter(({ symbol, name, address }) => `${symbol} ${name} ${address}`.toLowerCase().includes(words));
    const current = state[of].address;
    fill(
      results,
      ...found.map((token) => {
        const balance = balanceOf(state, token);
        return element(
          "li",
          {},
          element(
            "button",
            { type: "button", class: "choice", "aria-current": token.address === current && "true", onclick: () => choose(token) },
            element("span", { class: "choice-name" }, token.symbol, element("small", {}, `${token.name} ${short(token.address)}`)),
            element("span", { class: "choice-value" }, balance === null ? "" : rounded(balance, token.decimals, "down")),
          ),
        );
      }),
      found.length === 0 && element("li", { class: "quiet" }, "No token matches."),
    );
  }

  list();
}
