import { after, afterEach, before } from "node:test";
import { startBrowser } from "./browser.mjs";
import { startSandbox } from "./sandbox.mjs";

/* What a file of tests works with, started before its first test and ended after its last. After each test the sandbox's
   control surface goes back to its start. */

export let sandbox, browser;

/** Tokens of the first chain, and the other chain. */
export let usdc, weth, usdt, eth, there;

before(async () => {
  sandbox = await startSandbox();
  browser = await startBrowser();
  [usdc, weth, usdt, eth] = ["permit", "WETH", "usdt", "native"].map((name) => sandbox.token(name));
  there = sandbox.config.chains[1];
});
afterEach(() => sandbox.reset());
after(async () => {
  await browser?.close();
  await sandbox?.stop();
});

/** What the chain says an account has, in raw units; `eth` is wei. */
export async function holdings(account) {
  const balances = [usdc, weth, usdt].map((token) => sandbox.balance(account, token));
  const [inUsdc, inWeth, inUsdt, inEth] = await Promise.all([...balances, sandbox.nativeBalance(account)]);
  return { usdc: inUsdc, weth: inWeth, usdt: inUsdt, eth: inEth };
}

/** No transaction gets into a block while `during` runs, and all of them do after it. */
export async function withoutBlocks(during) {
  await sandbox.rpc("evm_setAutomine", [false]);
  try {
    await during();
  } finally {
    await sandbox.rpc("evm_setAutomine", [true]);
    await sandbox.rpc("evm_mine", []);
  }
}

/** What Chromium itself writes to the console about an answer that a test made the service give. */
export const FAILED_REQUEST = /Failed to load resource/;
