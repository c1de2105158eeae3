import { test } from "node:test";
import { answer, type } from "./keys.mjs";
import { browser, sandbox } from "./rig.mjs";
import { SwapPage } from "./swap-page.mjs";

test("a whole swap is done with the keyboard alone", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await type(swap, "You pay", "40");
  await swap.priced();
  await swap.press("Review swap");
  await swap.heading("What you are signing").waitFor();
  await swap.press(/^Approve /);
  await answer(swap, [["Approve", "Approve"]]);
  await swap.ready(/^Sign$/);
  await swap.press("Sign");
  await answer(swap, [["Sign this order", "Sign"]]);
  await swap.settled();
  await swap.press("New swap");
  await swap.priced();
});
