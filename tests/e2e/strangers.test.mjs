import assert from "node:assert/strict";
import { test } from "node:test";
import { offered, openLinked } from "./offers.mjs";
import { browser, sandbox, usdc, usdt, weth } from "./rig.mjs";
import { raw } from "./sandbox.mjs";
import { SwapPage } from "./swap-page.mjs";

/* What others may put in front of a user: orders, tokens, links. */

/** No list of this page has the token, which calls itself so. */
function unlisted({ address }, symbol) {
  return async (page) => {
    await page.route("**/sandbox/config", async (route) => {
      const response = await route.fetch();
      const config = await response.json();
      for (const chain of config.chains) chain.tokens = chain.tokens.filter((token) => token.address !== address);
      await route.fulfill({ response, json: config });
    });
    await page.route("**/rpc/**", async (route) => {
      const { id, method, params } = route.request().postDataJSON();
      const isIt = method === "eth_call" && params[0].to.toLowerCase() === address.toLowerCase();
      if (!isIt || !/^0x(95d89b41|06fdde03)/.test(params[0].data)) return route.continue();
      await route.fulfill({ json: { jsonrpc: "2.0", id, result: inAbi(symbol) } });
    });
  };
}

function inAbi(text) {
  const bytes = Buffer.from(text);
  const number = (value) => value.toString(16).padStart(64, "0");
  return `0x${number(32)}${number(bytes.length)}${bytes.toString("hex").padEnd(64, "0")}`;
}

for (const [calls, said, warning] of [
  ["USDC\u3164", "USDC", "This is not the USDC of the list."],
  ["000 USDC", '"000USDC"', "This is not the USDC of the list."],
  ["U\u0405DC", '"U\\u{405}DC"', "letters that may only look like those of another token"],
]) {
  test(`a token of no list that calls itself ${JSON.stringify(calls)} is told by its address, up to the review`, async () => {
    const viewport = { width: 320, height: 800 };
    const swap = await SwapPage.open(browser, sandbox, { viewport, prepare: unlisted(usdt, calls) });
    await swap.page.getByRole("button", { name: /^You receive: .*Choose/ }).click();
    const dialog = swap.page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Search tokens" }).fill(usdt.address);
    await dialog.getByRole("option", { name: /Not in the list/ }).click();
    await dialog.getByText(warning).waitFor();
    await dialog.getByRole("button", { name: /^Use / }).click();
    await swap.priced();
    await swap.review();
    const name = ` ${said} (${usdt.address.slice(0, 14)}...${usdt.address.slice(-12)}) `;
    assert.ok((await swap.sentence.textContent()).includes(name), await swap.sentence.textContent());
    const warned = await swap.page.locator(".stage:visible .warning").textContent();
    assert.ok(warned.includes(warning) && warned.includes(usdt.address), warned);
    assert.equal(await swap.page.evaluate(() => document.documentElement.scrollWidth), viewport.width);
  });
}

test("an OTC order of a token that no list knows has its true amount, and is filled only after a warning", async () => {
  const { hash } = await offered({ get: { symbol: "USDT", amount: "90" } });
  const account = await sandbox.nextAccount();
  const taker = await openLinked(`?otc=${hash}`, { account, prepare: unlisted(usdt, "USDT") });
  await taker.page.locator(".ticket").getByText(/^90 USDT\(0x/).waitFor();
  await taker.page.getByRole("button", { name: "Fill this order" }).click();
  const dialog = taker.page.getByRole("dialog");
  await dialog.getByText("Anybody can make a token").waitFor();
  await dialog.getByRole("button", { name: /^Use / }).click();
  assert.equal(await dialog.getByLabel(/^You pay, in USDT\(0x/).inputValue(), "90");
});

test("an OTC order that ends in no calendar does not take the view from whom it names", async () => {
  const [maker, taker] = [await sandbox.nextAccount(), await sandbox.nextAccount()];
  const { chainId, rfq } = sandbox.chain;
  await sandbox.approve(maker, usdc, raw(90, usdc), rfq);
  const order = {
    nonceAndMeta: String((7n << 160n) + BigInt(taker)),
    expiry: 9e12,
    makerAsset: usdc.address,
    takerAsset: weth.address,
    maker,
    taker,
    makerAmount: raw(90, usdc),
    takerAmount: raw(1, weth),
  };
  const type = (name) => (name === "expiry" ? "uint128" : /Amount|nonce/.test(name) ? "uint256" : "address");
  const members = (types) => Object.entries(types).map(([name, type]) => ({ name, type }));
  const typed = {
    domain: { name: "AUGUSTUS RFQ", version: "1", chainId, verifyingContract: rfq },
    types: {
      EIP712Domain: members({ name: "string", version: "string", chainId: "uint256", verifyingContract: "address" }),
      Order: Object.keys(order).map((name) => ({ name, type: type(name) })),
    },
    primaryType: "Order",
    message: order,
  };
  const signature = await sandbox.rpc("eth_signTypedData_v4", [maker, JSON.stringify(typed)]);
  const posted = await fetch(`${sandbox.url}/ft/p2p/${chainId}/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...order, signature }),
  });
  assert.equal(posted.ok, true, await posted.text());
  const swap = await SwapPage.open(browser, sandbox, { account: taker });
  await swap.tab("OTC");
  const listed = swap.page.locator(".offers li.order").first();
  await listed.getByText("until a time that no calendar has").waitFor();
  await listed.getByRole("button").first().click();
  await swap.heading("OTC order, open").waitFor();
});

test("the words of a link are not the page's", async () => {
  const swap = await openLinked("?otc=Send%201%20ETH%20to%20me");
  await swap.page.getByRole("alert").filter({ hasText: /^The link names no order\. Ask for it again\.$/ }).waitFor();
});
