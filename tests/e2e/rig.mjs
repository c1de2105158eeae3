import { after, afterEach, before } from "node:test";
import { closePages, startBrowser } from "./browser.mjs";
import { startSandbox } from "./sandbox.mjs";

/* The tools of a file of tests, started before its first test and ended after its last. After each test its pages are
   closed, which fails it if the browser complained of one, and the sandbox's control surface goes back to its start. */

export let sandbox, browser;

/** Tokens of the first chain, and the other chain. */
export let usdc, weth, usdt, eth, there;

before(async () => {
  sandbox = await startSandbox();
  browser = await startBrowser();
  [usdc, weth, usdt, eth] = ["permit", "WETH", "usdt", "native"].map((name) => sandbox.token(name));
  there = sandbox.config.chains[1];
});
afterEach(async () => {
  try {
    await closePages();
  } finally {
    await sandbox.reset();
  }
});
after(async () => {
  await browser?.close();
  await sandbox?.stop();
});

/** An account's balances by the chain, in raw units; `eth` in wei. */
export async function holdings(account) {
  const balances = [usdc, weth, usdt].map((token) => sandbox.balance(account, token));
  const [inUsdc, inWeth, inUsdt, inEth] = await Promise.all([...balances, sandbox.nativeBalance(account)]);
  return { usdc: inUsdc, weth: inWeth, usdt: inUsdt, eth: inEth };
}

/** Stops mining while `during` runs; pending transactions are mined after it. */
export async function withoutBlocks(during) {
  await sandbox.rpc("evm_setAutomine", [false]);
  try {
    await during();
  } finally {
    await sandbox.rpc("evm_setAutomine", [true]);
    await sandbox.rpc("evm_mine", []);
  }
}

/** Chromium's line in the console about an error answer that a test caused. */
export const FAILED_REQUEST = /Failed to load resource/;
