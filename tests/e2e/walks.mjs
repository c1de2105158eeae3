import { sandbox } from "./rig.mjs";

/* Walks through every state of the page. A walk calls `look` with the state's name in each. */

const leave = ({ page }) => page.keyboard.press("Escape");
const press = ({ page }, name) => page.getByRole("button", { name }).first().click();
const ticks = (swap, name) => swap.page.getByRole("checkbox", { name }).check();

async function visitForm(swap, look) {
  const { page } = swap;
  await look("price");
  const settings = await swap.openSettings();
  await settings.getByLabel("Receiving address").fill("0x12");
  await look("settings and a wrong receiver");
  await settings.getByLabel("Receiving address").fill("");
  await leave(swap);
  await page.locator("verified-swap .wallets-button").click();
  await page.getByRole("dialog", { name: "Wallet" }).waitFor();
  await look("wallets");
  await leave(swap);
  await press(swap, /^You pay: /);
  await look("tokens");
  await leave(swap);
  await press(swap, /^You receive: /);
  await page.getByRole("combobox", { name: "Search tokens" }).fill(sandbox.chain.wrappedNative);
  await page.getByRole("option", { name: /Not in the list/ }).click();
  await page.getByRole("dialog", { name: "A token that is in no list here" }).waitFor();
  await look("a token of no list");
  await leave(swap);
  await swap.payField.fill("");
  await look("empty");
  await sandbox.control("fault", { endpoint: "quote", delayMs: 1500 });
  await swap.payField.fill("20");
  await swap.card.locator(".skeleton").first().waitFor();
  await look("loading");
  await swap.priced();
  await swap.payField.fill("20000000");
  await page.getByText("You have less USDC than that.").waitFor();
  await look("lacking");
  await swap.payField.fill("1,000");
  await page.getByText("One, or a thousand?").first().waitFor();
  await look("a number of two readings");
  await swap.payField.fill("1");
  await swap.ready("Show its price anyway");
  await look("too small");
  // Until it is cleared: the page refreshes by itself, and would use up a single one before the amount is typed.
  await sandbox.control("fault", { endpoint: "quote", status: 400, errorType: "PricingError", times: 100 });
  await swap.payField.fill("30");
  await swap.says("No price for this swap");
  await look("error");
  await sandbox.control("fault", { endpoint: "quote", times: 0 });
  await swap.main.click();
  await swap.priced();
  await page.context().setOffline(true);
  await press(swap, "Refresh");
  await swap.says("You are offline.");
  await look("offline");
  await page.context().setOffline(false);
  await swap.priced();
}

async function visitSwap(swap, look) {
  await swap.lie("Spender");
  await swap.payField.fill("60");
  await swap.ready("See what differs");
  await look("refused price");
  await swap.lie("Receiver");
  await swap.payField.fill("100");
  await swap.priced();
  await swap.main.click();
  await swap.heading("Not what you asked for").waitFor();
  await look("refusal");
  await swap.lie("Honest");
  await swap.ready("Get a new price");
  await swap.main.click();
  await swap.priced();
  await swap.review();
  await look("review");
  const details = swap.card.locator("summary");
  for (const summary of await details.all()) await summary.click();
  await look("checks");
  for (const summary of (await details.all()).reverse()) await summary.click();
  await swap.main.click();
  await swap.prompt.waitFor();
  await look("approval prompt");
  await swap.answer("Approve USDC?", "Reject");
  await swap.says("Rejected in your wallet.");
  await look("rejected");
  await swap.main.click();
  await sandbox.control("settings", { solving: false });
  await swap.answer("Approve USDC?", "Approve");
  await swap.ready(/^Sign$/);
  await look("second step");
  await swap.main.click();
  await swap.prompt.filter({ hasText: "Sign this order?" }).waitFor();
  await look("signature prompt");
  await swap.signInWallet();
  await swap.heading("Order on its way").waitFor();
  await look("on its way");
  await press(swap, "New swap");
  await swap.priced();
  await look("an order beside the form");
  await swap.latest.getByRole("button").first().click();
  await sandbox.control("settings", { solving: true });
  await swap.settled();
  await look("settled");
}

/** The other ways to trade. */
async function visitPaths(swap, look) {
  await swap.openSettings();
  await look("paths and permits");
  await leave(swap);
  await swap.set("Best of both");
  await swap.page.getByRole("group", { name: "Both ways to swap" }).waitFor();
  await swap.priced();
  await look("best of both");
  await swap.set("Market");
  await swap.priced();
  await swap.review("What you are sending");
  await look("market review");
  await swap.sendReviewed();
  await look("confirmed");
  await press(swap, "New swap");
  await swap.set("Gasless, else Market");
  await sandbox.control("settings", { deltaRefuses: "GasCostExceedsTradeAmount" });
  await swap.pay("50");
  await swap.page.getByText("Not gasless this time").waitFor();
  await look("fallen back");
  await sandbox.reset();
  await swap.choose("receive", "USDC", sandbox.config.chains[1].name);
  await swap.priced();
  await look("across chains");
  await swap.choose("receive", "USDT", sandbox.config.chains[1].name);
  await swap.page.getByRole("checkbox", { name: /promised by the bridge/ }).waitFor();
  await look("a promised arrival");
  await swap.choose("receive", "USDC", sandbox.config.chains[1].name);
  await swap.priced();
  await swap.review();
  await look("review across chains");
  await press(swap, "Back to the form");
  await swap.tab("Limit");
  await swap.page.getByLabel(/^Price in/).fill("1..2");
  await swap.page.getByText("A limit is digits").first().waitFor();
  await look("a wrong limit");
  await swap.choose("receive", "WETH");
  await swap.page.getByLabel(/^Price in/).fill("0.00034");
  await swap.ready("Review order");
  await look("limit");
  await swap.page.getByLabel(/^Price in/).fill("0.0002");
  await swap.ready("Review order");
  await swap.main.click();
  await ticks(swap, /worse than the market/);
  await look("review of a bad limit");
  await press(swap, "Back to the form");
  await swap.tab("TWAP");
  await swap.ready("Review order");
  await look("slices");
  await swap.review();
  await look("review of slices");
}

/** An order that rests, its cancellation, slices, and what is unfinished. */
async function visitOrders(swap, look) {
  const { page } = swap;
  await swap.tab("Limit");
  await page.getByRole("radio", { name: "Amount" }).check({ force: true });
  for (const least of ["0.09", "0.08"]) {
    await page.getByLabel("At least, in WETH").fill(least);
    await swap.place();
    await swap.heading("Order placed").waitFor();
    if (least === "0.08") await look("placed");
    await press(swap, "New swap");
  }
  await page.getByRole("button", { name: "Cancel all 2" }).waitFor();
  await look("open orders");
  await page.getByRole("button", { name: "Cancel all 2" }).click();
  await swap.heading("What you cancel").waitFor();
  await look("review of a cancellation without gas");
  await swap.cancelInWallet();
  await swap.heading("Cancelled").waitFor();
  await look("a cancelled order");
  await press(swap, "New swap");
  await swap.tab("TWAP");
  // The approval for the cancelled orders is still there.
  await swap.place({ approve: false });
  await page.getByRole("list", { name: "Progress" }).getByText("1 of ").waitFor();
  await look("an order in slices");
  await page.getByRole("button", { name: "Cancel this order" }).click();
  await swap.cancelInWallet();
  await swap.heading("Cancelled").waitFor();
  await press(swap, "New swap");
  await swap.tab("Swap");
  await swap.priced();
  await swap.review();
  await swap.main.click();
  if (await swap.step.getByText(/^Step 1 of 2/).count()) await swap.approveInWallet();
  await swap.prompt.filter({ hasText: "Sign this order?" }).waitFor();
  await page.reload();
  await page.getByRole("region", { name: "Your trades" }).getByText("Not signed yet").waitFor();
  await swap.priced();
  await look("unfinished");
  await press(swap, "Show");
  await swap.heading("Not signed yet").waitFor();
  await look("not signed yet");
}

/** Permits, accounts with code, and what goes wrong on the chain. */
async function visitAccounts(swap, look) {
  const { page } = swap;
  await swap.set("Permit");
  await swap.priced();
  await swap.main.click();
  await swap.permitStep.waitFor();
  await look("review of a permit");
  await press(swap, "Back to the form");
  await swap.set("Approval");
  await swap.set("Market");
  await swap.priced();
  await page.route("**/rpc/**", (route) => {
    const request = route.request().postDataJSON();
    const isTrade =
      request.method === "eth_sendTransaction" && request.params[0].to.toLowerCase() === sandbox.chain.router.toLowerCase();
    // Too little gas for it: it is mined, and undone.
    return route.continue(isTrade ? { postData: { ...request, params: [{ ...request.params[0], gas: "0x11170" }] } } : {});
  });
  await swap.review("What you are sending");
  await swap.main.click();
  await swap.approveInWallet();
  await swap.sendInWallet();
  await swap.ended("Reverted");
  await page.unroute("**/rpc/**");
  await look("a transaction that was undone");
  await press(swap, "New swap");
  await swap.set("Gasless, else Market");
  await swap.useAccount("mute");
  await swap.review("What you consent to");
  await look("review of an account with code");
  await swap.main.click();
  await swap.prompt.filter({ hasText: "Send these 2 calls?" }).waitFor();
  await look("prompt of several calls");
  await swap.answer("Send these 2 calls?", "Send");
  await swap.settled();
  await look("settled by consent");
}

/** The service's lies: the list, one on each path, and all. */
async function visitLies(swap, look) {
  const { page } = swap;
  await page.goto(new URL("/?attack=moon", page.url()).href);
  await swap.priced();
  await page.getByRole("alert").filter({ hasText: "The link names no lie." }).waitFor();
  await look("lies, and one that does not exist");
  for (const name of ["receiver", "marketTo"]) {
    await page.locator(`[data-lie=${name}]`).click();
    await page.locator("#lie-outcome[data-step=stopped]").waitFor();
    await look(`stopped: ${name}`);
  }
  await page.locator("#lie-end").click();
}

/** `looks` is how many states a walk has. */
export const WALKS = [
  { name: "the form", visit: visitForm, looks: 12 },
  { name: "a gasless swap", visit: visitSwap, looks: 11 },
  { name: "the other paths", visit: visitPaths, looks: 13 },
  { name: "orders", visit: visitOrders, looks: 7 },
  { name: "permits and accounts", visit: visitAccounts, looks: 5 },
  { name: "lies", visit: visitLies, looks: 3 },
];
