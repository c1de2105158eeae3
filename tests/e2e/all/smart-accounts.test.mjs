import assert from "node:assert/strict";
import { test } from "node:test";
import { openWith } from "../forms.mjs";
import { consent, traded } from "../outcomes.mjs";
import { holdings, sandbox } from "../rig.mjs";

/* Owners with code: they sign by their own rules, or consent by a transaction. */

async function hasCode(account) {
  return (await sandbox.rpc("eth_getCode", [account, "latest"])) !== "0x";
}

for (const kind of ["Contract wallet (EIP-1271)", "Delegated account (EIP-7702)"]) {
  test(`${kind}: its signature is taken`, async () => {
    const swap = await openWith(kind);
    assert.ok(await hasCode(swap.account));
    const before = await holdings(swap.account);
    await swap.review("What you consent to");
    await swap.page.getByRole("radio", { name: "Sign" }).check({ force: true });
    await swap.heading("What you are signing").waitFor();
    await swap.swapReviewed();
    await traded(swap, before);
    const [order] = await swap.newOrders();
    assert.equal(order.owner.toLowerCase(), swap.account.toLowerCase());
    assert.equal(swap.signatures(), 1);
  });

  test(`${kind}: it approves and consents in one prompt, and signs nothing`, async () => {
    const swap = await openWith(kind);
    const before = await holdings(swap.account);
    await swap.review("What you consent to");
    assert.match(await swap.plan.textContent(), /^One prompt: approve exactly 100 USDC .* and consent\. It costs gas\.$/);
    await swap.page.getByRole("button", { name: "Approve and consent" }).click();
    await swap.sendCallsInWallet();
    await swap.settled();
    await traded(swap, before);
    await swap.page.locator(".timeline li.done", { hasText: "Consented on chain" }).waitFor();
    assert.equal(swap.signatures(), 0);
    assert.equal(swap.transactions(), 1, "of the account's key");
    const [post] = await sandbox.requests("post");
    assert.equal(JSON.parse(post.body).signature, "0x");
  });
}

test("an account whose wallet does not batch approves, then consents by a transaction", async () => {
  const swap = await openWith("Contract wallet (EIP-1271)", { habits: { claims: "unsupported" } });
  const before = await holdings(swap.account);
  await swap.review();
  await swap.page.getByRole("radio", { name: "Consent on chain" }).check({ force: true });
  await swap.heading("What you consent to").waitFor();
  assert.match(
    await swap.plan.textContent(),
    /^Two prompts: approve exactly 100 USDC .* then send your consent\. Each costs gas\.$/,
  );
  await consent(swap, "Approve 100 USDC");
  await traded(swap, before);
  assert.deepEqual([swap.signatures(), swap.transactions()], [0, 2], "the approval and the consent");
});

test("an account that cannot sign cancels its order by a transaction", async () => {
  const swap = await openWith("Contract wallet that cannot sign");
  await swap.tab("Limit");
  await swap.page.getByRole("radio", { name: "Amount" }).check({ force: true });
  await swap.page.getByLabel("At least, in WETH").fill("0.05");
  await swap.ready("Review order");
  await swap.review("What you consent to");
  await swap.main.click();
  await swap.sendCallsInWallet();
  await swap.heading("Order placed").waitFor();
  await swap.page.getByRole("button", { name: "Cancel this order" }).click();
  // It signs nothing, so that a transaction is what is left.
  await swap.nextStep(/^(Sign|Send) the cancellation$/);
  await swap.page.getByText("A transaction ends it on chain").waitFor();
  await swap.cancelOnChain();
  // Its own view is shown again, and follows it to its end.
  await swap.heading(/^(Failed|Cancelled)$/).waitFor();
  await swap.page.locator(".recent:visible .order", { hasText: /Failed|Cancelled/ }).first().waitFor();
  const [{ status, transactions }] = await swap.newOrders();
  assert.notEqual(status, "COMPLETED");
  assert.deepEqual(transactions, []);
});

test("a delegated account chosen as a plain one again is asked for signatures only", async () => {
  const swap = await openWith("Delegated account (EIP-7702)", { habits: { claims: "unsupported" } });
  const delegated = swap.account;
  await swap.review();
  await swap.page.getByRole("radio", { name: "Consent on chain" }).waitFor({ state: "attached" });
  await swap.page.getByRole("button", { name: "Back to the form" }).click();
  await swap.useAccount(delegated);
  assert.equal(await hasCode(delegated), false);
  await swap.review();
  assert.equal(await swap.page.locator(".stage:visible").getByRole("radio").count(), 0);
});
