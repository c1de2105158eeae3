import assert from "node:assert/strict";
import { test } from "node:test";
import { openWith } from "../forms.mjs";
import { traded } from "../outcomes.mjs";
import { holdings, sandbox, usdt } from "../rig.mjs";
import { raw } from "../sandbox.mjs";

/* Several calls in one prompt (EIP-5792), by wallets that take them. */

const KINDS = [
  "Contract wallet (EIP-1271)",
  "Delegated account (EIP-7702)",
  "Account that can batch (EIP-7702, upgrades when first used)",
];

/** What the wallet's prompt lists. */
function calls(swap) {
  return swap.prompt.locator(".calls h3").allTextContents();
}

for (const kind of KINDS) {
  test(`${kind}: an old allowance is taken back, the new one given, and the swap made in one prompt`, async () => {
    const swap = await openWith(kind);
    await sandbox.approve(swap.account, usdt, 5, sandbox.chain.router);
    await swap.set("Market");
    await swap.pay("100", "USDT");
    const before = await holdings(swap.account);
    await swap.review("What you are sending");
    await swap.main.click();
    await swap.prompt.waitFor();
    assert.deepEqual(await calls(swap), ["Take back the USDT approval", "Approve USDT", "Send a transaction"]);
    await swap.sendCallsInWallet(3);
    await swap.ended("Confirmed");
    assert.equal(before.usdt - (await holdings(swap.account)).usdt, BigInt(raw(100, usdt)));
    assert.equal(await sandbox.allowance(swap.account, usdt, sandbox.chain.router), 0n);
  });

  test(`${kind}: a gasless trade of a token without permits is approved and consented to in one prompt`, async () => {
    const swap = await openWith(kind);
    await swap.pay("100", "USDT");
    const before = await holdings(swap.account);
    await swap.review("What you consent to");
    await swap.main.click();
    await swap.prompt.waitFor();
    assert.deepEqual(await calls(swap), ["Approve USDT", "Send a transaction"]);
    await swap.sendCallsInWallet();
    await swap.settled();
    const now = await holdings(swap.account);
    assert.equal(before.usdt - now.usdt, BigInt(raw(100, usdt)));
    assert.ok(now.weth > before.weth);
    assert.equal(swap.signatures(), 0);
  });
}

test("calls that the wallet never sends have failed, and cost nothing", async () => {
  const swap = await openWith(KINDS[0], { habits: { sends: "never" } });
  await swap.set("Market");
  await swap.priced();
  const before = await holdings(swap.account);
  await swap.review("What you are sending");
  await swap.main.click();
  await swap.sendCallsInWallet();
  await swap.ended("Not sent");
  await swap.page.getByText("Your wallet did not send it, and will not. Nothing changed.").waitFor();
  assert.deepEqual(await holdings(swap.account), before);
});

test("a wallet that refuses the calls is asked for the approval, then for the swap", async () => {
  const swap = await openWith(KINDS[0], { habits: { refuses: 5750 } });
  await swap.set("Market");
  await swap.priced();
  const before = await holdings(swap.account);
  await swap.review("What you are sending");
  await swap.main.click();
  await swap.sendCallsInWallet();
  await swap.ready("Approve 100 USDC");
  await swap.page.getByText(/^Two prompts: /).waitFor();
  await swap.main.click();
  await swap.approveInWallet();
  await swap.sendInWallet();
  await swap.ended("Confirmed");
  await traded(swap, before);
});

test("what is refused in the wallet is sent by the same button", async () => {
  const swap = await openWith(KINDS[2]);
  const before = await holdings(swap.account);
  await swap.review("What you consent to");
  await swap.main.click();
  await swap.answer("Send these 2 calls?", "Reject");
  await swap.says("Rejected in your wallet. Nothing was sent.");
  assert.equal(await sandbox.rpc("eth_getCode", [swap.account, "latest"]), "0x", "nothing was upgraded");
  await swap.main.click();
  await swap.sendCallsInWallet();
  await swap.settled();
  await traded(swap, before);
});

test("while one tab has the prompt open another says so, and follows the calls to their end", async () => {
  const swap = await openWith(KINDS[0]);
  await swap.set("Market");
  await swap.priced();
  const before = await holdings(swap.account);
  await swap.review("What you are sending");
  await swap.main.click();
  await swap.prompt.filter({ hasText: "Send these 2 calls?" }).waitFor();
  const page = await swap.page.context().newPage();
  await page.goto(sandbox.url);
  await page.locator(".stage:visible .message", { hasText: "Another tab of this page is at work on it." }).waitFor();
  await swap.sendCallsInWallet();
  await swap.ended("Confirmed");
  await page.getByRole("heading", { level: 1, name: "Confirmed" }).waitFor();
  await traded(swap, before);
});
