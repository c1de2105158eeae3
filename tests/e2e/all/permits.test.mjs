import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, sandbox, weth } from "../rig.mjs";
import { raw } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

/** The token's symbol, the kind as the settings call it, and whether Permit2 has to be approved for the token before. */
const KINDS = [
  { token: "permit", kind: "Permit" },
  { token: "permit", kind: "Permit2, once", permit2: true },
  { token: "permit", kind: "Permit2 allowance", permit2: true, paths: ["Delta"] },
];

for (const { token: name, kind, permit2, paths = ["Delta", "Market"] } of KINDS) {
  for (const path of paths) {
    test(`${kind} of ${name} takes the place of an approval on ${path}`, async () => {
      const token = sandbox.token(name);
      const account = await sandbox.nextAccount();
      if (permit2) await sandbox.approve(account, token, raw(1_000_000, token), sandbox.chain.permit2);
      const swap = await SwapPage.open(browser, sandbox, { account });
      await swap.pay("50");
      if (path === "Market") await swap.set("Market");
      await swap.set(kind);
      await swap.priced();
      const before = await sandbox.balance(account, token);
      const received = await sandbox.balance(account, weth);
      await swap.main.click();
      await swap.permitInWallet();
      await swap.ready(path === "Delta" ? "Sign" : "Send");
      await swap.heading(path === "Delta" ? "What you are signing" : "What you are sending").waitFor();
      assert.match(await swap.page.locator(".stage:visible .plan").textContent(), /^One prompt/);
      await swap.main.click();
      if (path === "Delta") {
        await swap.signInWallet();
        await swap.settled();
      } else {
        await swap.sendInWallet();
        await swap.ended("Confirmed");
      }
      assert.equal(before - (await sandbox.balance(account, token)), BigInt(raw(50, token)));
      assert.ok((await sandbox.balance(account, weth)) > received);
      assert.equal(swap.transactions(), path === "Delta" ? 0 : 1);
      await swap.close();
    });
  }
}

test("an existing allowance in Permit2 is used without another signature", async () => {
  const token = sandbox.token("permit");
  const account = await sandbox.nextAccount();
  const { permit2, delta } = sandbox.chain;
  await sandbox.approve(account, token, raw(1_000_000, token), permit2);
  await sandbox.allowInPermit2(account, token, delta, raw(50, token));
  const swap = await SwapPage.open(browser, sandbox, { account });
  await swap.pay("50");
  await swap.set("Permit2, as allowed");
  await swap.priced();
  const before = await sandbox.balance(account, token);
  await swap.review("What you are signing");
  await swap.main.click();
  await swap.signInWallet();
  await swap.ended("Settled");
  assert.equal(before - (await sandbox.balance(account, token)), BigInt(raw(50, token)));
  assert.equal(await swap.prompts(), 1);
  await swap.close();
});

test("if Permit2 lost its allowance, one button approves what is missing, and goes on", async () => {
  const token = sandbox.token("permit");
  const account = await sandbox.nextAccount();
  const { permit2 } = sandbox.chain;
  await sandbox.approve(account, token, raw(1_000_000, token), permit2);
  const swap = await SwapPage.open(browser, sandbox, { account });
  await swap.pay("12.5");
  await swap.set("Permit2, once");
  await swap.priced();
  await sandbox.approve(account, token, 0, permit2);
  await swap.main.click();
  await swap.says("Permit2 may not take 12.5 USDC yet.");
  await swap.page.getByRole("button", { name: "Approve 12.5 USDC", exact: true }).click();
  await swap.nextStep("Approve 12.5 USDC");
  await swap.answer("Approve USDC?", "Reject");
  await swap.says("Rejected in your wallet. Nothing was sent.");
  assert.equal(await sandbox.allowance(account, token, permit2), 0n);
  await swap.page.getByRole("button", { name: "Approve 12.5 USDC", exact: true }).click();
  await swap.nextStep("Approve 12.5 USDC");
  await swap.approveInWallet();
  await swap.answer("Sign this permit?", "Sign");
  await swap.heading("What you are signing").waitFor();
  assert.equal(await sandbox.allowance(account, token, permit2), 12_500_000n, "exactly what was missing");
  const before = await sandbox.balance(account, token);
  await swap.main.click();
  await swap.signInWallet();
  await swap.settled();
  assert.equal(before - (await sandbox.balance(account, token)), 12_500_000n);
  assert.equal(swap.transactions(), 1);
  await swap.close();
});

test("a rejected permit leaves nothing to sign, and can be asked for again", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.set("Permit");
  await swap.main.click();
  await swap.nextStep("Sign the permit");
  await swap.answer("Sign this permit?", "Reject");
  await swap.says("Rejected in your wallet. Nothing was sent.");
  const carried = (await sandbox.requests("build")).map(({ body }) => JSON.parse(body).permit);
  assert.deepEqual(carried, [undefined], "what was reviewed, and nothing with a permit");
  await swap.page.getByRole("button", { name: "Sign again" }).click();
  await swap.permitInWallet();
  await swap.heading("What you are signing").waitFor();
  await swap.close();
});
