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

/** While a user types in this field, the form, the focus, the caret and every digit stay. */
export async function assertTyping(swap, field, text, caret = text.length) {
  assert.deepEqual(
    await field.evaluate((node) => [
      node.getRootNode().activeElement === node,
      node.value,
      node.selectionStart,
      node.selectionEnd,
    ]),
    [true, text, caret, caret],
  );
}

/** Waits until the focused element has a name, or a text, like this. */
export function focusIsOn({ page }, { source }) {
  return page.waitForFunction((source) => {
    let node = document.activeElement;
    while (node.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
    return new RegExp(source).test((node.getAttribute("aria-label") ?? node.textContent).trim());
  }, source);
}

/** The hash of the transaction that `act` sends. */
export async function sentHash(swap, act) {
  const isSent = (response) => response.request().postData()?.includes('"eth_sendTransaction"');
  const [response] = await Promise.all([swap.page.waitForResponse(isSent), act()]);
  return (await response.json()).result;
}
