import { browser, eth, sandbox, there, usdc } from "./rig.mjs";
import { raw } from "./sandbox.mjs";
import { SwapPage } from "./swap-page.mjs";

/** An account whose USDC that contract may take: more than any form asks for. */
export async function allowed(spender = "delta") {
  const account = await sandbox.nextAccount();
  await sandbox.approve(account, usdc, raw(5000, usdc), sandbox.chain[spender]);
  return account;
}

/** Opens the page with a destination on the other chain. */
export async function openCrossing(symbol, options) {
  const swap = await SwapPage.open(browser, sandbox, options);
  await swap.choose("receive", symbol, there.name);
  await swap.priced();
  return swap;
}

export function arriving(symbol) {
  return there.tokens.find((token) => token.symbol === symbol);
}

/** Opens the form for a limit order that sells 100 USDC for at least `amount` WETH. */
export async function openLimit(amount, options) {
  const swap = await SwapPage.open(browser, sandbox, options);
  await swap.tab("Limit");
  if (amount) {
    await swap.page.getByRole("radio", { name: "Amount" }).check({ force: true });
    await swap.page.getByLabel("At least, in WETH").fill(amount);
  }
  return swap;
}

export const UNREACHABLE = "0.05";

export async function openMarket(options) {
  const swap = await SwapPage.open(browser, sandbox, options);
  await swap.set("Market");
  await swap.priced();
  return swap;
}

/** A form that sells one ether for USDC. */
export async function openSale(options) {
  const swap = await SwapPage.open(browser, sandbox, options);
  await swap.choose("pay", eth.symbol);
  await swap.choose("receive", "USDC");
  await swap.payField.fill("1");
  await swap.priced();
  return swap;
}

/** A page whose sandbox wallet is on an account of that kind; before, on one that is never made into such. */
export async function openWith(kind, options) {
  const swap = await SwapPage.open(browser, sandbox, { account: sandbox.config.accounts[0], ...options });
  await swap.useAccount(kind);
  return swap;
}

export async function openTwap(slices, options) {
  const swap = await SwapPage.open(browser, sandbox, options);
  await swap.tab("TWAP");
  await swap.page.getByLabel("Slices").fill(slices);
  return swap;
}

/** A sale of one ether that is signed, and whose deposit is still to come. */
export async function signedSale(options) {
  await sandbox.control("settings", { nativeReading: "deposit" });
  const swap = await openSale(options);
  await swap.review();
  await swap.main.click();
  await swap.signInWallet();
  return swap;
}
