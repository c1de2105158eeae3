import assert from "node:assert/strict";
import { test } from "node:test";
import { openWith } from "../forms.mjs";
import { traded } from "../outcomes.mjs";
import { holdings, sandbox } from "../rig.mjs";

/* Owners with code: they sign by their own rules, or consent by a transaction. */

test("an account that cannot sign says so, and one button pre-signs by a transaction, then and later", async () => {
  const swap = await openWith("Contract wallet that cannot sign");
  const before = await holdings(swap.account);
  await swap.review("What you consent to");
  await swap.page.getByRole("radio", { name: "Sign" }).check({ force: true });
  await swap.heading("What you are signing").waitFor();
  await swap.main.click();
  await swap.approveInWallet();
  await swap.says("This account cannot sign. Consent by a transaction instead.");
  assert.deepEqual(await sandbox.requests("post"), []);
  await swap.page.getByRole("button", { name: "Consent on chain" }).click();
  const panel = swap.page.locator(".step-panel");
  await panel.getByRole("heading", { name: "Send your consent" }).waitFor();
  assert.ok((await panel.textContent()).toLowerCase().includes(sandbox.chain.delta.toLowerCase()));
  await swap.nextStep("Send your consent");
  await swap.answer("Send this transaction?", "Reject");
  await swap.says("Rejected in your wallet. Nothing was sent.");
  // What was chosen can be taken back.
  await swap.page.getByRole("radio", { name: "Sign" }).check({ force: true });
  await swap.ready(/^Sign$/);
  await swap.main.click();
  await swap.says("This account cannot sign. Consent by a transaction instead.");
  await swap.page.getByRole("button", { name: "Consent on chain" }).click();
  await swap.nextStep("Send your consent");
  await swap.sendInWallet();
  await swap.settled();
  await traded(swap, before);
  assert.equal(swap.signatures(), 0);
  await swap.main.click();
  await swap.priced();
  await swap.review("What you consent to");
  assert.ok(await swap.page.getByRole("radio", { name: "Consent on chain" }).isChecked());
});
