import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, sandbox, weth } from "../rig.mjs";
import { raw } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

for (const path of ["Gasless, else Market", "Market"])
  test(`a permit takes the place of an approval: ${path}`, async () => {
    const token = sandbox.token("permit");
    const swap = await SwapPage.open(browser, sandbox);
    await swap.set(path);
    await swap.set("Permit");
    await swap.pay("50");
    const [before, received] = [await sandbox.balance(swap.account, token), await sandbox.balance(swap.account, weth)];
    await swap.main.click();
    await swap.permitStep.waitFor();
    const reviewed = await swap.sentence.textContent();
    await swap.permitInWallet();
    const isGasless = path !== "Market";
    await swap.ready(isGasless ? /^Sign$/ : "Send");
    assert.match(await swap.step.textContent(), /^Step 2 of 2: /);
    if (isGasless) assert.equal(await swap.sentence.textContent(), reviewed, "signed for the order that was reviewed");
    await swap.main.click();
    await (isGasless ? swap.signInWallet() : swap.sendInWallet());
    await swap.ended(isGasless ? "Settled" : "Confirmed");
    assert.equal(before - (await sandbox.balance(swap.account, token)), BigInt(raw(50, token)));
    assert.ok((await sandbox.balance(swap.account, weth)) > received);
    assert.deepEqual([swap.signatures(), swap.transactions()], isGasless ? [2, 0] : [1, 1]);
  });

test("a rejected permit leaves nothing to sign, and can be asked for again", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.set("Permit");
  await swap.priced();
  await swap.main.click();
  await swap.nextStep("Sign the permit");
  await swap.answer("Sign this permit?", "Reject");
  await swap.says("Rejected in your wallet.");
  const carried = (await sandbox.requests("build")).map(({ body }) => JSON.parse(body).permit);
  assert.deepEqual(carried, [undefined], "what was reviewed, and nothing with a permit");
  await swap.page.getByRole("button", { name: "Sign again" }).click();
  await swap.answer("Sign this permit?", "Sign");
  await swap.ready(/^Sign$/);
});

/** The first step of a trade: its way, the sentence, and the contract that it is for. */
const SPENDINGS = [
  { name: "an approval", spender: "delta", step: /let Delta \S+ take exactly 50 USDC \(gas\)/ },
  { name: "an approval for a route", set: ["Market"], spender: "router", step: /let Router \S+ take exactly 50 USDC \(gas\)/ },
  { name: "an approval that is taken back first", token: "usdt", old: 7, spender: "delta", step: /take back what Delta \S+ may take of/ },
  { name: "a permit", set: ["Permit"], spender: "delta", step: /let Delta \S+ take exactly 50 USDC, by a signature/ },
  { name: "a permit for a route", set: ["Market", "Permit"], spender: "router", step: /let Router \S+ take exactly 50 USDC, by a sig/ },
];

for (const { name, token: kind = "permit", spender, step, set = [], old } of SPENDINGS)
  test(`${name} is reviewed before the wallet opens, and leaving the review opens none`, async () => {
    const token = sandbox.token(kind);
    const account = await sandbox.nextAccount();
    if (old) {
      await sandbox.mint(account, token, 1000);
      await sandbox.approve(account, token, raw(old, token));
    }
    const swap = await SwapPage.open(browser, sandbox, { account });
    for (const choice of set) await swap.set(choice);
    await swap.pay("50", kind === "permit" ? undefined : token.symbol);
    await swap.main.click();
    await swap.step.filter({ hasText: step }).waitFor();
    const address = sandbox.chain[spender];
    assert.ok((await swap.step.textContent()).includes(`${address.slice(0, 6)}…${address.slice(-4)}`), "it names the spender");
    if (!set.includes("Market")) assert.match(await swap.sentence.textContent(), /^Sell 50 /, "what is paid for is there to be read");
    await swap.page.getByRole("button", { name: "Back to the form" }).click();
    await swap.priced();
    assert.deepEqual([await swap.prompts(), swap.signatures(), swap.transactions()], [0, 0, 0]);
  });
