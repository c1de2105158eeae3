import "verified-swap/element";
import type { VerifiedSwapElement } from "verified-swap/element";
import { PROMPT } from "./sandbox/prompt.ts";
import { makeItLie } from "./sandbox/make-it-lie.ts";
import { openSandbox } from "./sandbox/sandbox.ts";
import { announce } from "./sandbox/wallet.ts";
import { openStage } from "./stage/stage.ts";
import { switchTheme } from "./theme.ts";

const main = document.querySelector("main")!;
const element = document.querySelector<VerifiedSwapElement>("verified-swap")!;
switchTheme(element);
document.documentElement.dir = new URL(location.href).searchParams.get("dir") === "rtl" ? "rtl" : "ltr";

const [lies, stage] = [makeItLie(element), openStage(element)];
/** Windows that the sandbox wallet opened; requests that any wallet answered, each of which had one. */
const prompts = { opened: 0, answered: 0 };
const ASKS = /^(eth_signTypedData_v4|eth_sendTransaction|wallet_sendCalls)$/;
function count(kind: keyof typeof prompts): void {
  prompts[kind]++;
  for (const part of [lies, stage]) part.prompted(Math.max(prompts.opened, prompts.answered));
}
document.addEventListener(PROMPT, () => count("opened"));

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
    if (event.type === "wallet" && ASKS.test(event.name)) count("answered");
    if (event.type === "http" && event.name === "quote" && event.ok) settle({ isPriced: true });
  },
  (isBusy) => settle(isBusy ? { isFunded: false, isPriced: false } : { isFunded: true }),
);
const [src, dest] = ["USDC", "WETH"].map((wanted) => tokens.find(({ symbol }) => symbol === wanted));
if (src) element.src = `${src.chainId}:${src.address}`;
if (dest) element.dest = `${dest.chainId}:${dest.address}`;
announce(wallet);
Object.assign(element, { chains, tokens, client, wallet: new URL(location.href).searchParams.get("wallet") === "choose" ? null : wallet });
