import assert from "node:assert/strict";
import { test } from "node:test";
import { assertTyping } from "../outcomes.mjs";
import { FAILED_REQUEST, browser, sandbox } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

/** What stands under the amount that is typed. */
function under(swap, field) {
  return field.getAttribute("aria-describedby").then((id) => swap.page.locator(`#${id}`));
}

const FORMS = [
  { name: "a sale", says: /^Gas takes 30 % of this: trade more\.$/ },
  { name: "a purchase", buys: true, says: /^Gas takes 2\d % of this: trade more\.$/ },
  { name: "a sale in slices", tab: "TWAP", says: /^Gas takes 60 % of each slice: trade more, or in fewer\.$/ },
  { name: "a limit", tab: "Limit", says: /^Gas takes 30 % of this: trade more\.$/ },
  { name: "a sale across chains", crossing: true, says: /^Gas and bridge take 3\d % of this: trade more\.$/ },
];

const TROUBLES = [
  { name: "late", fault: { delayMs: 1500 }, settles: (swap) => swap.ready("Review swap") },
  {
    name: "lost",
    fault: { dropBefore: true, times: 20 },
    settles: (swap) => swap.says("The service does not answer."),
  },
  {
    name: "refused",
    fault: { status: 400, errorType: "PricingError", times: 20 },
    settles: (swap) => swap.says("No price for this swap right now."),
  },
  {
    name: "put off",
    fault: { status: 429, html: true, times: 20 },
    settles: (swap) => swap.says("The service is busy and asks us to wait."),
  },
  { name: "not readable", fault: { body: "{}{", times: 20 }, settles: (swap) => swap.says("cannot be read") },
  {
    name: "for another contract",
    lie: "Spender",
    settles: (swap) => swap.says("The service changed the contract to approve. Its answer is not used."),
  },
  { name: "a fifth worse", lie: "Price", settles: (swap) => swap.page.getByText("Too low by 2").first().waitFor() },
];

for (const form of FORMS) {
  test(`typing 150 in ${form.name} keeps form, focus and digits, and says what gas takes of 1`, async () => {
    const swap = await SwapPage.open(browser, sandbox);
    if (form.tab) await swap.tab(form.tab);
    if (form.tab === "TWAP") await swap.page.getByLabel("Slices").fill("2");
    if (form.crossing) await swap.choose("receive", "WETH", sandbox.config.chains[1].name);
    if (form.buys) {
      await swap.page.getByRole("button", { name: "Swap the two tokens" }).click();
      await swap.priced();
    }
    const field = form.buys ? swap.receiveField : swap.payField;
    await field.focus();
    await swap.page.keyboard.press("ControlOrMeta+a");
    await swap.page.keyboard.type("1");
    const note = await under(swap, field);
    await note.filter({ hasText: form.says }).waitFor();
    assert.equal(await field.getAttribute("aria-invalid"), "false", "nothing is wrong with it");
    assert.equal(await swap.main.textContent(), "Show its price anyway");
    await swap.says("Costs take much of this amount.");
    assert.equal(
      await swap.page.locator(".stage:visible .problem:visible").filter({ hasText: /./ }).count(),
      0,
      "nobody is accused",
    );
    await assertTyping(swap, field, "1");
    await swap.page.keyboard.type("5");
    await note.filter({ hasNotText: "Gas" }).waitFor({ state: "attached" });
    await assertTyping(swap, field, "15");
    await swap.page.keyboard.type("0");
    if (form.tab === "Limit") await swap.says("Enter your limit.");
    else await swap.ready(/^Review/);
    await assertTyping(swap, field, "150");
  });
}

for (const { name, fault, lie, settles } of TROUBLES) {
  test(`a price that is ${name} leaves form, focus, digits and caret alone`, async () => {
    const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
    const { keyboard } = swap.page;
    if (lie) await swap.lie(lie);
    else await sandbox.control("fault", { endpoint: "quote", ...fault });
    await swap.payField.focus();
    await keyboard.press("ControlOrMeta+a");
    await keyboard.type("209");
    await keyboard.press("ArrowLeft");
    await settles(swap);
    await assertTyping(swap, swap.payField, "209", 2);
    await sandbox.reset();
    await keyboard.type("0");
    await swap.priced();
    await assertTyping(swap, swap.payField, "2009", 3);
  });
}
