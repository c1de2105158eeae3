import { sandbox } from "./rig.mjs";

/* Walks through every state of the page. A walk calls `look` with the state's name in each. */

export async function visitEveryState(swap, look) {
  const { page } = swap;
  await look("price");
  await swap.openSettings();
  await page.getByLabel("Receiving address").fill("0x12");
  await look("settings and a wrong receiver");
  await page.getByLabel("Receiving address").fill("");
  await page.keyboard.press("Escape");
  await page.locator("#wallet-button").click();
  await look("wallets");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^You pay: / }).click();
  await look("tokens");
  await page.keyboard.press("Escape");
  await swap.payField.fill("");
  await look("empty");
  await sandbox.control("fault", { endpoint: "quote", delayMs: 1500 });
  await swap.payField.fill("20");
  await page.locator(".rows .skeleton").first().waitFor();
  await look("loading");
  await swap.priced();
  await swap.payField.fill("20000000");
  await swap.says("You need");
  await look("too little");
  await swap.payField.fill("1");
  await page.locator("#src-note", { hasText: "Gas takes" }).waitFor();
  await look("too small");
  // Until it is cleared: the page refreshes by itself, and would use up a single one before the amount is typed.
  await sandbox.control("fault", { endpoint: "quote", status: 400, errorType: "PricingError", times: 100 });
  await swap.payField.fill("30");
  await swap.says("No price for this swap");
  await look("error");
  await sandbox.control("fault", { endpoint: "quote", times: 0 });
  await page.getByRole("button", { name: "Try again" }).click();
  await swap.priced();
  await page.context().setOffline(true);
  await swap.says("You are offline.");
  await look("offline");
  await page.context().setOffline(false);
  await swap.priced();
  await swap.lie("Spender");
  await swap.ready("See what differs");
  await look("refused price");
  await swap.lie("Receiver");
  await swap.priced();
  await swap.main.click();
  await swap.heading("Not what you asked for").waitFor();
  await look("refusal");
  await swap.lie("Honest");
  await swap.main.click();
  await swap.priced();
  await swap.review();
  await look("review");
  const details = page.locator(".stage:visible :is(.vs-group, .vs-technical) > summary");
  for (const summary of await details.all()) await summary.click();
  await look("checks");
  for (const summary of await details.all()) await summary.click();
  await swap.main.click();
  await swap.prompt.waitFor();
  await look("approval prompt");
  await sandbox.control("settings", { solving: false });
  await swap.approveInWallet();
  await swap.prompt.filter({ hasText: "Sign this order?" }).waitFor();
  await look("signature prompt");
  await swap.signInWallet();
  await swap.heading("Order on its way").waitFor();
  await look("on its way");
  await sandbox.control("settings", { solving: true });
  await swap.settled();
  await look("settled");
}

/** The same for everything but the gasless swap on one chain. */
async function visitEveryOtherTrade(swap, look) {
  const { page } = swap;
  const card = page.locator(".stage:visible");
  await swap.openSettings();
  await look("paths and permits");
  await page.keyboard.press("Escape");
  await swap.set("Best of both");
  await swap.priced();
  await look("best of both");
  await swap.set("Market");
  await swap.priced();
  await swap.review("What you are sending");
  await look("market review");
  await swap.sendReviewed();
  await look("confirmed");
  await swap.main.click();
  await swap.set("Gasless, else Market");
  await swap.choose("receive", "USDC", sandbox.config.chains[1].name);
  await swap.priced();
  await page.locator(".rail-refund:visible summary").click();
  await look("across chains");
  await swap.choose("receive", "USDT", sandbox.config.chains[1].name);
  await swap.says("Accept the bridge’s promise");
  await look("a promised arrival");
  await swap.choose("receive", "USDC", sandbox.config.chains[1].name);
  await swap.priced();
  await swap.review();
  await look("review across chains");
  await swap.tab("Limit");
  await card.getByLabel(/^Price in/).fill("1..2");
  await swap.says("A price is digits");
  await look("a wrong limit");
  await card.getByLabel(/^Price in/).fill("1.2");
  await swap.ready("Review order");
  await look("limit");
  await swap.place();
  await swap.heading("Order placed").waitFor();
  await look("placed");
  await swap.main.click();
  await swap.latest.getByRole("button", { name: /^Cancel/ }).waitFor();
  await look("open orders");
  await swap.tab("TWAP");
  await swap.ready("Review order");
  await look("slices");
  await swap.review();
  await look("review of slices");
}

/** An order's own view, accounts with code, what is missing, and several orders at once. */
export async function visitOrdersAndAccounts(swap, look) {
  const { page } = swap;
  const token = sandbox.token("permit");
  await swap.pay("100");
  await swap.swap();
  await swap.main.click();
  await swap.priced();
  await swap.latest.getByRole("button").first().click();
  await swap.heading("Settled").waitFor();
  await look("a settled order, opened");
  await swap.main.click();
  await swap.tab("Limit");
  await page.getByRole("radio", { name: "Amount" }).check({ force: true });
  await page.getByLabel("At least, in WETH").fill("0.09");
  await swap.place();
  await swap.heading("Order placed").waitFor();
  await page.reload();
  await swap.latest.getByRole("button").first().click();
  await swap.heading("Order placed").waitFor();
  await page.getByRole("button", { name: "Cancel this order" }).waitFor();
  await look("an order that rests, opened after a reload");
  await page.getByRole("button", { name: "Cancel this order" }).click();
  await swap.heading("What you cancel").waitFor();
  await look("review of a cancellation without gas");
  await swap.cancelInWallet();
  await swap.heading("Cancelled").waitFor();
  await look("a cancelled order");
  await swap.main.click();
  await swap.tab("TWAP");
  // What was approved for the cancelled order is still there.
  await swap.place({ approve: false });
  await page.locator(".stage:visible .schedule li.done").first().waitFor();
  await look("an order in slices");
  await page.getByRole("button", { name: "Cancel this order" }).click();
  await swap.cancelInWallet();
  await swap.heading("Cancelled").waitFor();
  await swap.main.click();
  await swap.tab("Swap");
  // An account that has open orders has approved for those, too.
  await sandbox.approve(swap.account, token, 0);
  await sandbox.approve(swap.account, token, 10n ** 12n, sandbox.chain.permit2);
  await page.reload();
  await swap.settledIn();
  await swap.priced();
  await swap.set("Permit2, once");
  await swap.priced();
  await sandbox.approve(swap.account, token, 0, sandbox.chain.permit2);
  await swap.main.click();
  await swap.ready(/^Approve 100 USDC$/);
  await look("a missing approval");
  await swap.set("Permit");
  await swap.choose("receive", "DAI");
  await swap.priced();
  await swap.main.click();
  await swap.permitPanel.waitFor();
  await look("review of a permit");
  await page.getByRole("button", { name: "Back to the form" }).click();
  await swap.set("Approval");
  await swap.set("Market");
  await swap.priced();
  await page.route("**/rpc/**", (route) => {
    const request = route.request().postDataJSON();
    const isTrade =
      request.method === "eth_sendTransaction" &&
      request.params[0].to.toLowerCase() === sandbox.chain.router.toLowerCase();
    // Too little gas for it: it is mined, and undone.
    return route.continue(
      isTrade ? { postData: { ...request, params: [{ ...request.params[0], gas: "0x11170" }] } } : {},
    );
  });
  await swap.review("What you are sending");
  await swap.main.click();
  await swap.approveInWallet();
  await swap.sendInWallet();
  await swap.ended("Reverted");
  await page.unroute("**/rpc/**");
  await look("a transaction that was undone");
  await swap.main.click();
  await swap.set("Gasless, else Market");
  await swap.useAccount("Contract wallet that cannot sign");
  await swap.review("What you consent to");
  await look("review of an account with code");
  await swap.main.click();
  await swap.prompt.filter({ hasText: "Send these 2 calls?" }).waitFor();
  await look("prompt of several calls");
  await swap.answer("Send these 2 calls?", "Reject");
  await swap.says("Rejected in your wallet.");
  await page.getByRole("radio", { name: "Sign" }).check({ force: true });
  await swap.heading("What you are signing").waitFor();
  await swap.main.click();
  await swap.approveInWallet();
  await swap.says("This account cannot sign");
  await look("an account that cannot sign");
  await page.getByRole("button", { name: "Consent on chain" }).click();
  await swap.ready("Send your consent");
  await look("review of a consent in place of a signature");
  await swap.main.click();
  await swap.prompt.filter({ hasText: "Send this transaction?" }).waitFor();
  await look("consent prompt");
  await swap.sendInWallet();
  await swap.settled();
  await look("settled by consent");
}

/** The demo of attacks: what can be chosen, one on each path, and what nobody has to see. */
export async function visitAttacks(swap, look) {
  const { page } = swap;
  const panel = page.locator("#attack-panel");
  await page.goto(new URL("/?attack=moon", page.url()).href);
  await swap.priced();
  await panel.getByRole("alert").waitFor();
  await look("attacks, and one that does not exist");
  for (const title of ["Send your tokens to a stranger", "A transaction to another contract"]) {
    await panel.getByRole("button", { name: title }).click();
    await swap.heading("Not what you asked for").waitFor();
    await panel.getByRole("button", { name: "Next lie" }).waitFor();
    await look(`stopped: ${title}`);
    const story = panel.getByRole("button", { name: "What this lie does", expanded: false });
    if (await story.isVisible()) await story.click();
    await panel.getByText("Stopped before your wallet opened").waitFor();
    await panel.getByRole("button", { name: "End the lie" }).click();
    await swap.priced();
    await page.goto(new URL("/?attack=moon", page.url()).href);
    await swap.priced();
  }
}

/** What goes on beside the form, and what warns of a token. */
export async function visitBeside(swap, look) {
  const { page } = swap;
  const dock = page.getByRole("complementary", { name: "Under way" });
  await sandbox.control("settings", { solving: false });
  await swap.approveAndSign();
  await swap.heading("Order on its way").waitFor();
  await swap.main.click();
  await swap.priced();
  await dock.getByRole("button", { name: /Show it$/ }).waitFor();
  await look("an order beside the form");
  await swap.review();
  await look("an order beside a review");
  await page.getByRole("button", { name: "Back to the form" }).click();
  await sandbox.control("settings", { solving: true });
  await dock.locator(".toast").waitFor();
  await look("an order that ended beside the form");
  await dock.getByRole("button", { name: /^Dismiss/ }).click();
  await page.getByRole("button", { name: /^You receive: / }).click();
  await page.getByRole("combobox", { name: "Search tokens" }).fill(sandbox.chain.wrappedNative);
  await page.getByRole("option", { name: /Not in the list/ }).click();
  await page.getByRole("dialog", { name: "A token that no list knows" }).waitFor();
  await look("a token of no list");
  await page.keyboard.press("Escape");
}

/** `looks` is how many states a walk has. */
export const WALKS = [
  { name: "the gasless swap", visit: visitEveryState, looks: 18 },
  { name: "everything else", visit: visitEveryOtherTrade, looks: 13 },
  { name: "orders and accounts", visit: visitOrdersAndAccounts, looks: 14 },
  { name: "attacks", visit: visitAttacks, looks: 3 },
  { name: "beside the form", visit: visitBeside, looks: 4 },
];
