import assert from "node:assert/strict";
import { test } from "node:test";
import { assertTyping } from "../outcomes.mjs";
import { FAILED_REQUEST, browser, sandbox } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

/* While an amount is typed, the form, the focus, the caret and every digit stay, whatever comes back. */

for (const [name, field, open] of [
  ["a sale", "payField", () => {}],
  ["a purchase", "receiveField", (swap) => swap.page.getByRole("button", { name: "Swap the two tokens" }).click()],
]) {
  test(`typing 150 in ${name} keeps focus and digits, and says what gas takes of 1`, async () => {
    const swap = await SwapPage.open(browser, sandbox);
    await open(swap);
    await swap.priced();
    await swap[field].focus();
    await swap.page.keyboard.press("ControlOrMeta+a");
    await swap.page.keyboard.type("1");
    await swap.says(/Gas takes \d\d % of this: trade more\./);
    assert.equal(await swap[field].getAttribute("aria-invalid"), "false", "nothing is wrong with it");
    await assertTyping(swap, swap[field], "1");
    await swap.page.keyboard.type("50");
    await swap.ready(/^Review/);
    await assertTyping(swap, swap[field], "150");
  });
}

const TROUBLES = [
  ["late", { delayMs: 1500 }, (swap) => swap.ready("Review swap")],
  ["lost", { dropBefore: true, times: 20 }, (swap) => swap.says("The service does not answer.")],
  ["refused", { status: 400, errorType: "PricingError", times: 20 }, (swap) => swap.says("No price for this swap right now.")],
  ["put off", { status: 429, html: true, times: 20 }, (swap) => swap.says("The service is busy and asks us to wait.")],
  ["a proxy's page", { status: 502, html: true, times: 20 }, (swap) => swap.says("The service is out of order (502).")],
  ["not readable", { body: "{}{", times: 20 }, (swap) => swap.says("cannot be read")],
  ["for another contract", "Spender", (swap) => swap.says("The service’s answer is not what you asked for. It is not used.")],
];

for (const [name, trouble, settles] of TROUBLES) {
  test(`a price that is ${name} leaves form, focus, digits and caret alone`, async () => {
    const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
    const { keyboard } = swap.page;
    if (typeof trouble === "string") await swap.lie(trouble);
    else await sandbox.control("fault", { endpoint: "quote", ...trouble });
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
