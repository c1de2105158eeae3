import assert from "node:assert/strict";
import { raw } from "../e2e/sandbox.mjs";

/* What is tried on the example page. Each returns what to print of it. */

/** 100 of one token sold for the other: reviewed, approved, signed, settled, on chain. */
export async function swap(tab, sandbox) {
  const { account, usdc, weth } = await opened(tab, sandbox);
  const held = async () => [await sandbox.balance(account, usdc), await sandbox.balance(account, weth)];
  const before = await held();
  await review(tab);
  await signed(tab);
  await tab.find("h1", "Settled");
  const now = await held();
  assert.equal(before[0] - now[0], BigInt(raw(100, usdc)), "100 USDC are paid");
  assert.ok(now[1] > before[1], "WETH arrived");
  assert.equal(await sandbox.allowance(account, usdc), 0n, "nothing stays approved");
  assert.deepEqual(await noted(tab, "prompts"), ["Approve USDC?", "Sign this order?"]);
  return "100 USDC sold: one approval, one signature, settled on chain";
}

/** The service puts another receiver into what it builds. */
export async function refusal(tab, sandbox) {
  const { account } = await opened(tab, sandbox);
  await sandbox.control("lie", { kind: "receiver" });
  await tab.press(READY, "Review swap");
  await tab.find("h1", "Not what you asked for");
  const sentence = await tab.text(".stage .sentence");
  assert.match(sentence, /^Stopped\. The service put 0x.+ as receiver; you asked for 0x.+\.$/);
  assert.deepEqual(await noted(tab, "prompts"), [], "no wallet window has opened");
  assert.deepEqual(await sandbox.orders(account), [], "nothing was posted");
  return "another receiver: stopped before the wallet opened";
}

/** The page is loaded anew while its order waits to be filled. */
export async function reload(tab, sandbox) {
  const { account } = await opened(tab, sandbox);
  await sandbox.control("settings", { solving: false });
  await review(tab);
  await signed(tab);
  await tab.find("h1", "Order on its way");
  await tab.open(sandbox.url);
  await tab.find("h1", "Order on its way");
  await sandbox.control("settings", { solving: true });
  await tab.find("h1", "Settled");
  assert.deepEqual((await sandbox.orders(account)).map(({ status }) => status), ["COMPLETED"]);
  assert.deepEqual(await noted(tab, "prompts"), ["Approve USDC?", "Sign this order?"]);
  return "in mid-swap: the same order went on, nothing signed twice";
}

const READY = '.stage button.primary[aria-disabled="false"]';

/** The page, for an account that has traded nothing. */
async function opened(tab, sandbox) {
  const account = await sandbox.nextAccount();
  const wallet = JSON.stringify({ account, chainId: sandbox.chain.chainId });
  await tab.open(sandbox.url);
  await tab.run("sessionStorage.clear(); localStorage.clear(); localStorage.setItem('sandbox-wallet', arguments[0])", wallet);
  await tab.open(sandbox.url);
  await tab.find(READY, "Review swap");
  return { account, usdc: sandbox.token("permit"), weth: sandbox.token("WETH") };
}

async function review(tab) {
  await tab.press(READY, "Review swap");
  await tab.find("h1", "What you are signing");
}

async function signed(tab) {
  await tab.press(READY, "Approve");
  await answer(tab, "Approve USDC?", "Approve");
  await answer(tab, "Sign this order?", "Sign");
}

/** Presses a button of the wallet's window, once the one with this title is open. */
async function answer(tab, title, button) {
  await tab.find("dialog.prompt h2", title);
  await tab.press("dialog.prompt button", button);
}

/** What watched.js has noted since the account was chosen. */
export async function noted(tab, kind) {
  return JSON.parse((await tab.run("return sessionStorage.getItem(arguments[0])", kind)) ?? "[]");
}
