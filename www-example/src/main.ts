import "verified-swap/element";
import type { VerifiedSwapElement } from "verified-swap/element";
import { makeItLie } from "./sandbox/make-it-lie.ts";
import { openSandbox } from "./sandbox/sandbox.ts";
import { announce } from "./sandbox/wallet.ts";
import { switchTheme } from "./theme.ts";

const main = document.querySelector("main")!;
const element = document.querySelector<VerifiedSwapElement>("verified-swap")!;
switchTheme(element);
document.documentElement.dir = new URL(location.href).searchParams.get("dir") === "rtl" ? "rtl" : "ltr";

const lies = makeItLie(element);
/** A price was answered, and the account has its test tokens. */
const settled = { isPriced: false, isFunded: true };
function settle(change: Partial<typeof settled>): void {
  Object.assign(settled, change);
  const isSettled = settled.isPriced && settled.isFunded;
  main.dataset["settled"] = String(isSettled);
  if (isSettled) lies.begin();
}

const { client, chains, tokens, wallet } = await openSandbox(
  (event) => {
    lies.count(event);
    if (event.type === "http" && event.name === "quote" && event.ok) settle({ isPriced: true });
  },
  (isBusy) => settle(isBusy ? { isFunded: false, isPriced: false } : { isFunded: true }),
);
const [src, dest] = ["USDC", "WETH"].map((wanted) => tokens.find(({ symbol }) => symbol === wanted));
if (src) element.src = `${src.chainId}:${src.address}`;
if (dest) element.dest = `${dest.chainId}:${dest.address}`;
announce(wallet);
Object.assign(element, { chains, tokens, client, wallet: new URL(location.href).searchParams.get("wallet") === "choose" ? null : wallet });
