import assert from "node:assert/strict";
import { holdings, sandbox, usdc } from "./rig.mjs";
import { raw } from "./sandbox.mjs";

/** The account paid exactly 100 USDC and received at least something. */
export async function traded({ account }, before) {
  const now = await holdings(account);
  assert.equal(before.usdc - now.usdc, BigInt(raw(100, usdc)));
  assert.ok(now.weth > before.weth);
}

/** Every wallet request of an order that is pre-signed on chain. */
export async function consent(swap, button) {
  await swap.page.getByRole("button", { name: button }).click();
  await swap.approveInWallet();
  await swap.sendInWallet();
  await swap.settled();
}

/** Waits until so many slices are done. */
export function sliced(swap, done) {
  return swap.page.getByRole("list", { name: "Progress" }).getByText(`${done} of `).waitFor();
}

export async function spent(swap, before) {
  return before.usdc - (await sandbox.balance(swap.account, usdc));
}

/** While somebody types in this field, the form, the focus, the caret and every digit stay. */
export async function assertTyping(swap, field, text, caret = text.length) {
  assert.ok(await swap.page.locator("#compose-title").isVisible(), "the form is there");
  assert.deepEqual(
    await field.evaluate((node) => [
      document.activeElement === node,
      node.value,
      node.selectionStart,
      node.selectionEnd,
    ]),
    [true, text, caret, caret],
  );
}

/** Waits until the focused element has this text. */
export function focusIsOn(swap, words) {
  return swap.page.waitForFunction(
    (text) =>
      (document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent).startsWith(text),
    words,
  );
}
