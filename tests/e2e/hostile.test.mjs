/* A service that lies about the end of a trade, and a page that is not on the user's side. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openLimit } from "./forms.mjs";
import { browser, sandbox, weth } from "./rig.mjs";
import { SwapPage } from "./swap-page.mjs";

/** Changes members of an order in every answer of the service. */
async function claim(members) {
  await sandbox.control("settings", { solving: false });
  for (const [target, at] of [["order", ""], ["orderByHash", ""], ["orders", "/data/0"]]) {
    const patch = Object.entries(members).map(([path, value]) => ({ op: "replace", path: `${at}/${path}`, value }));
    await sandbox.control("tamper", { target, times: -1, patch });
  }
}

/** Review, approval and signature of what is in the form. */
async function signed() {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.approveAndSign();
  return swap;
}

for (const [status, heading] of [["EXPIRED", "Expired"], ["FAILED", "Failed"], ["REFUNDED", "Refunded"]])
  test(`an order that the service calls ${status} can still be filled: nothing more is known of it`, async () => {
    await claim({ status });
    const swap = await signed();
    await swap.heading(heading).waitFor();
    await swap.card.getByText("The service shows no fill of it. Your balances show whether it was filled.").waitFor();
    assert.doesNotMatch(await swap.card.textContent(), /Nothing was exchanged/);
  });

test("an order that the service calls COMPLETED, and the chain does not, is neither green nor praised", async () => {
  await claim({ status: "COMPLETED", "output/executedAmount": "5000000000000000000", "input/executedAmount": "100000000" });
  const swap = await signed();
  await swap.heading("Settled, says the service").waitFor();
  await swap.card.getByText("So says the service; not seen on chain here.").waitFor();
  assert.equal(await swap.page.locator(".entry-is-done, .activity-news-done, .entry-better").count(), 0);
  assert.equal(await swap.page.locator(".activity-is-done", { hasText: "Settled" }).count(), 0);
  assert.equal(await swap.card.locator(".entry-step").last().locator(".icon-tick").count(), 0);
  assert.doesNotMatch(await swap.page.locator("verified-swap .layout").textContent(), /better than|arrived/);
});

test("a limit by a quote below the market is measured by the chain's prices", async () => {
  await sandbox.control("lie", { kind: "price", bps: 400 });
  const swap = await openLimit();
  await swap.page.getByRole("button", { name: /^\+1\s%$/ }).click();
  await swap.figure("Against the market").filter({ hasText: /^3\.\d+\s% below: it can fill at once$/ }).waitFor();
});

test("dollars of the service by which a swap would be a gift are not shown", async () => {
  const path = "/delta/route/destination/output/amountUSD";
  await sandbox.control("tamper", { target: "quote", times: -1, patch: [{ op: "replace", path, value: "500000" }] });
  const swap = await SwapPage.open(browser, sandbox);
  assert.equal(await swap.figure("Difference in value").textContent(), "not known: no dollars");
  assert.doesNotMatch(await swap.card.textContent(), /500,000|499,9/);
});

test("clicks, keys and ticks of a script open no prompt, and answer no question", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.choose("receive", "TAX");
  await swap.priced();
  await swap.main.click();
  await swap.heading("What you are sending").waitFor();
  const ticked = await swap.page.evaluate(() => {
    const { shadowRoot } = document.querySelector("verified-swap");
    const [box, button] = [".review-consents input", ".review-action button.primary"].map((one) => shadowRoot.querySelector(one));
    const press = () => {
      button.click();
      button.dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true, detail: 1 }));
      for (const type of ["keydown", "keypress", "keyup"]) button.dispatchEvent(new KeyboardEvent(type, { key: "Enter", bubbles: true }));
    };
    box.click();
    press();
    return box.checked;
  });
  assert.equal(ticked, false);
  await swap.card.getByRole("checkbox").check();
  await swap.ready(/^Approve/);
  await swap.page.evaluate(() => document.querySelector("verified-swap").shadowRoot.querySelector(".review-action button.primary").click());
  await swap.card.getByText("Price", { exact: true }).waitFor();
  assert.equal(await swap.prompts(), 0);
  assert.equal(swap.signatures() + swap.transactions(), 0);
});

test("a double click goes one step", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.main.dblclick();
  await swap.heading("What you are signing").waitFor();
  await swap.ready(/^Approve/);
  assert.equal(await swap.prompts(), 0);
  await swap.main.dblclick();
  await swap.prompt.waitFor();
  assert.equal(await swap.prompts(), 1);
});

test("a page that requires trusted types trades as any other", async () => {
  const prepare = (page) =>
    page.route(sandbox.url + "/", async (route) => {
      const response = await route.fetch();
      const policy = `${response.headers()["content-security-policy"] ?? ""}, require-trusted-types-for 'script'; trusted-types 'none'`;
      await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": policy } });
    });
  const swap = await SwapPage.open(browser, sandbox, { prepare });
  await swap.swap();
  assert.ok((await sandbox.balance(swap.account, weth)) > 0n);
});

test("a wallet that answers after another one was chosen is not shown as the connected one", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.page.evaluate(() => {
    const element = document.querySelector("verified-swap");
    const provider = element.wallet;
    element.wallet = null;
    const slow = { request: ({ method }) => (method === "eth_accounts" ? new Promise((resolve) => (window.answer = resolve)) : provider.request({ method })) };
    const announce = (name, provider) => {
      const info = { uuid: name, name, rdns: `test.${name}`, icon: "data:image/svg+xml," };
      window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }));
    };
    window.addEventListener("eip6963:requestProvider", () => (announce("Slow", slow), announce("Quick", provider)));
  });
  const button = swap.page.locator("verified-swap .wallets-button");
  const choose = async (name) => {
    await button.click();
    await swap.page.locator("verified-swap dialog").getByRole("button", { name }).click();
  };
  await button.filter({ hasText: "Connect" }).waitFor();
  await choose("Slow");
  await swap.page.keyboard.press("Escape");
  await choose("Quick");
  await swap.page.locator('verified-swap .wallets-button[aria-label^="Quick, account"]').waitFor();
  await swap.page.evaluate(() => window.answer(["0xBaD0000000000000000000000000000000000BAD"]));
  await swap.page.waitForTimeout(300);
  assert.match(await button.getAttribute("aria-label"), /^Quick, account/);
  assert.equal(await swap.page.evaluate(() => localStorage.getItem("verified-swap-wallet")), "test.Quick");
});

test("an amount of any length does not stop the page", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.page.evaluate(() => (document.querySelector("verified-swap").amount = `${"1".repeat(200_000)}x`));
  await swap.card.getByText("That is more than any token has.").first().waitFor();
});
