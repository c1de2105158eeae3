import { element, icon, setText } from "./element.ts";
import { short } from "../state/state.ts";
import type { WalletChoice } from "../client/wallets.ts";
import { SMART, type AccountChoice } from "../sandbox/smart-accounts.ts";
import { openDialog } from "./dialog.ts";
import type { Page } from "./page.ts";

const TICK = "m4.5 10.5 3.8 3.8 7.2-8";

export function header(page: Page): HTMLElement {
  const { store } = page;
  const label = element("span");
  const button = element(
    "button",
    {
      id: "wallet-button",
      type: "button",
      class: "wallet-button",
      "aria-haspopup": "dialog",
      onclick: () => chooseWallet(page),
    },
    label,
  );
  store.subscribe(({ account, wallet }) => {
    setText(label, account ? short(account) : "Connect a wallet");
    button.title = account && wallet ? `${wallet.name}: ${account}` : "";
    button.setAttribute(
      "aria-label",
      account && wallet ? `${wallet.name}, account ${short(account)}. Change` : "Connect a wallet",
    );
  });
  return element(
    "header",
    {},
    element("p", { class: "brand" }, element("span", { class: "mark" }, icon(TICK)), "Verified swap"),
    button,
  );
}

/** The wallets of this browser beside the sandbox's own, whose account and network can be changed here too. */
function chooseWallet(page: Page): void {
  const { store, accounts, sandboxWallet } = page;
  const state = store.get();
  const dialog = openDialog("Wallet", [
    element("ul", { class: "choices" }, ...state.wallets.map((wallet) => element("li", {}, choice(wallet)))),
    element("h3", {}, "In the sandbox wallet"),
    selection(
      "Account",
      [
        ...page.unlocked.map((address) => ({ value: address, label: short(address) })),
        ...SMART.map(([value, label]) => ({ value, label })),
      ],
      sandboxWallet.account.kind === "key" ? sandboxWallet.account.address : sandboxWallet.account.kind,
      (account) => void choose(account as AccountChoice),
    ),
    selection(
      "Network",
      state.chains.map(({ chainId, name }) => ({ value: String(chainId), label: name })),
      String(sandboxWallet.chainId),
      (chainId) => sandboxWallet.selectChain(Number(chainId)),
    ),
  ]);

  function choice(wallet: WalletChoice): HTMLElement {
    const picture = wallet.icon
      ? element("img", { src: wallet.icon, alt: "", width: 28, height: 28 })
      : element("span", { class: "mark" }, icon(TICK));
    const current = wallet.id === state.wallet?.id;
    return element(
      "button",
      { type: "button", class: "choice", "aria-current": current && "true", onclick: () => void connect(wallet) },
      picture,
      element(
        "span",
        { class: "choice-name" },
        wallet.name,
        element("small", {}, current ? "Connected" : "Not connected"),
      ),
    );
  }

  async function choose(account: AccountChoice): Promise<void> {
    try {
      await sandboxWallet.selectAccount(account);
    } catch {
      store.set({
        failure: { message: "The sandbox did not make that account.", button: "Choose a wallet", remedy: "connect" },
      });
    }
  }

  async function connect(wallet: WalletChoice): Promise<void> {
    dialog.close();
    try {
      await accounts.connect(wallet);
    } catch {
      store.set({
        failure: { message: `${wallet.name} did not connect.`, button: "Choose a wallet", remedy: "connect" },
      });
    }
  }
}

function selection(
  name: string,
  options: { value: string; label: string }[],
  value: string,
  chosen: (value: string) => void,
): HTMLElement {
  const select = element("select", { class: "text", onchange: () => chosen(select.value) });
  for (const option of options)
    select.append(element("option", { value: option.value, selected: option.value === value }, option.label));
  return element("label", { class: "selection" }, element("span", {}, name), select);
}
