import { test } from "node:test";
import { answer, type } from "../keys.mjs";
import { browser, sandbox } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

test("a limit order is placed, found in the list and cancelled with the keyboard alone", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.press("Limit");
  await swap.tabTo("Price");
  await swap.page.keyboard.press("ArrowRight");
  await type(swap, "At least, in WETH", "0.05");
  await swap.press("May be filled in parts", "Space");
  await swap.ready("Review order");
  await swap.press("Review order");
  await swap.heading("What you are signing").waitFor();
  await swap.card.getByText("may be filled in parts").first().waitFor();
  await swap.press(/^Approve /);
  await answer(swap, [["Approve", "Approve"]]);
  await swap.ready(/^Sign$/);
  await swap.press("Sign");
  await answer(swap, [["Sign this order", "Sign"]]);
  await swap.heading("Order placed").waitFor();
  await swap.press("New swap");
  await swap.latest.filter({ hasText: "Waiting for its price" }).waitFor();
  await swap.press("Cancel the order of USDC for WETH");
  await swap.heading("What you cancel").waitFor();
  await swap.press("Sign the cancellation");
  await answer(swap, [["Sign this cancellation", "Sign"]]);
  await swap.latest.filter({ hasText: "Cancelled" }).waitFor();
});

test("Market, and the way to it in the settings, are reached with the keyboard alone", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.press(/^Settings/);
  await swap.tabTo("Gasless, else Market");
  await swap.page.keyboard.press("ArrowRight");
  await swap.page.keyboard.press("ArrowRight");
  await swap.page.keyboard.press("Escape");
  await swap.priced();
  await swap.press("Review swap");
  await swap.heading("What you are sending").waitFor();
  await swap.press(/^Approve /);
  await answer(swap, [["Approve", "Approve"]]);
  await swap.ready(/^Send$/);
  await swap.press("Send");
  await answer(swap, [["Send this transaction", "Send"]]);
  await swap.ended("Confirmed");
});
