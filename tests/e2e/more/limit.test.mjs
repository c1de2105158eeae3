import assert from "node:assert/strict";
import { test } from "node:test";
import { UNREACHABLE, openLimit } from "../forms.mjs";
import { browser, holdings, sandbox } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

test("a limit far below the market is said in the review, and signed only by who says that they know", async () => {
  const swap = await openLimit("0.003");
  await swap.page.locator(".row.warns", { hasText: /Against the market−90\.\d+ %/ }).waitFor();
  await swap.ready("Review order");
  await swap.main.click();
  await swap.heading("What you are signing").waitFor();
  const card = swap.page.locator(".stage:visible");
  await card.getByText(/\d+ passed, 2 unusual$/).waitFor();
  assert.ok(await card.locator(".vs-group").first().evaluate((node) => node.open && node.matches(".unusual")));
  assert.doesNotMatch(await card.innerText(), /\bbps\b|the quote, slippage/);
  await card.locator(".row.warns", { hasText: /Price against the chain9\d\.\d+ % below/ }).waitFor();
  assert.equal(await swap.main.getAttribute("aria-disabled"), "true");
  await swap.main.dispatchEvent("click");
  assert.equal(await swap.prompts(), 0);
  await swap.page.getByRole("checkbox", { name: /^I know: 90\.\d+ % worse than the market$/ }).check();
  await swap.main.click();
  await swap.approveInWallet();
  await swap.signInWallet();
  await swap.heading("Order placed").waitFor();
});

test("an order is cancelled by one signature, without gas, and cannot be filled any more", async () => {
  const swap = await openLimit(UNREACHABLE);
  const before = await holdings(swap.account);
  await swap.place();
  await swap.heading("Order placed").waitFor();
  await swap.main.click();
  const ether = await sandbox.nativeBalance(swap.account);
  await swap.page.getByRole("button", { name: "Cancel the order of USDC for WETH" }).click();
  await swap.cancelInWallet();
  await swap.latest.filter({ hasText: "Cancelled" }).waitFor();
  assert.equal(await sandbox.nativeBalance(swap.account), ether);
  assert.deepEqual({ ...(await holdings(swap.account)), eth: before.eth }, before);
  const [order] = await swap.newOrders();
  assert.equal(order.status, "CANCELLED");
  assert.equal(await swap.page.getByRole("button", { name: "Cancel the order of USDC for WETH" }).count(), 0);
});

test("orders that rest are one pill, on every tab: it leads to the history, and of the last to its view", async () => {
  const swap = await openLimit(UNREACHABLE);
  const pill = swap.page.locator(".dock .pill");
  await swap.place();
  await swap.heading("Order placed").waitFor();
  assert.equal(await pill.count(), 0, "what is shown needs none");
  await swap.main.click();
  await swap.page.getByLabel("At least, in WETH").fill("0.06");
  await swap.place();
  await swap.heading("Order placed").waitFor();
  await swap.tab("Swap");
  await pill.filter({ hasText: "2 open orders" }).click();
  await swap.page.waitForFunction(() => document.activeElement.textContent === "History");
  assert.ok(await swap.page.getByRole("radio", { name: "Open 2" }).isChecked());
  await swap.latest.getByRole("button", { name: /^Cancel/ }).click();
  await swap.cancelInWallet();
  await pill.filter({ hasText: "1 open order" }).click();
  await swap.heading("Order placed").waitFor();
  assert.equal(await swap.figure("Guaranteed at least").textContent(), "0.049995 WETH");
});

test("the line on the chart and the field are one limit: by pointer, by keys, by presets", async () => {
  const swap = await openLimit();
  await swap.page.locator('.preset[aria-disabled="false"]').first().waitFor();
  const field = swap.page.getByLabel("Price in WETH for 1 USDC");
  const line = swap.page.getByRole("slider", { name: "Limit price" });
  const away = () => swap.figure("Against the market").textContent();
  const price = async () => Number(await field.inputValue());
  await swap.page.getByRole("button", { name: "+5 %" }).click();
  assert.match(await away(), /^\+(5|4\.99) %$/);
  assert.equal(await swap.page.getByRole("button", { name: "+5 %" }).getAttribute("aria-pressed"), "true");
  assert.equal(Number(await line.getAttribute("aria-valuenow")), await price());

  const before = await price();
  await line.press("ArrowUp");
  assert.ok(Math.abs((await price()) / before - 1.001) < 1e-5);
  await line.press("PageDown");
  assert.ok(Math.abs((await price()) / before - 1.001 * 0.99) < 1e-5);
  assert.match(await line.getAttribute("aria-valuetext"), /above the market/);
  await line.press("Home");
  assert.equal(await swap.page.getByRole("button", { name: "Market", exact: true }).getAttribute("aria-pressed"), "true");

  const market = await price();
  const { x, y, width, height } = await line.boundingBox();
  await swap.page.mouse.move(x + width / 2, y + height / 2);
  await swap.page.mouse.down();
  await swap.page.mouse.move(x + width / 2, y + height / 2 - 30, { steps: 3 });
  await swap.page.mouse.up();
  const dragged = await price();
  assert.ok(dragged > market, `${dragged} is above ${market}`);
  assert.equal(Number(await line.getAttribute("aria-valuenow")), dragged);
  const reached = await line.boundingBox();
  assert.ok(reached.y < y + 1, "the line is where the limit is");

  await field.fill("0.0004");
  assert.equal(await line.getAttribute("aria-valuenow"), "0.0004");
  await swap.page.getByRole("radio", { name: "Amount" }).check({ force: true });
  await line.press("Home");
  await line.press("ArrowUp");
  const amount = Number(await swap.page.getByLabel("At least, in WETH").inputValue());
  assert.ok(Math.abs(amount / 100 - market * 1.001) < market * 1e-4, "the same limit as an amount");
});

test("no price that was refused, or came while the service was known to lie, is drawn", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  const panel = swap.page.locator("#attack-panel");
  // Each price has a second of its own.
  const secondLater = () => swap.page.evaluate((now) => (Date.now = () => now), (clock += 1000));
  let clock = await swap.page.evaluate(() => Date.now());
  await swap.judged();
  await swap.lie("Price");
  await swap.ready("See what differs");
  await secondLater();
  await swap.lie("Honest");
  await swap.priced();
  await secondLater();
  await panel.getByRole("button", { name: /^A price that the market never had/ }).click();
  await panel.getByText("Stopped before your wallet opened").waitFor();
  await secondLater();
  await panel.getByRole("button", { name: "End the lie" }).click();
  await swap.priced();
  await swap.tab("Limit");
  const line = swap.page.getByRole("slider", { name: "Limit price" });
  await line.waitFor();
  const [lowest, market] = [await line.getAttribute("aria-valuemin"), await line.getAttribute("aria-valuenow")].map(Number);
  assert.ok(lowest > 0.97 * market, `${lowest} is close to the market's ${market}`);
});

test("the notice that the chart library's licence asks for is on the page, with its link", async () => {
  const swap = await openLimit();
  const notice = swap.page.getByRole("contentinfo").getByRole("link", { name: "© TradingView, Inc., Apache License 2.0" });
  assert.equal(await notice.getAttribute("href"), "https://www.tradingview.com/");
  await swap.close();
});
