/** examples/otc in Chromium, by the keyboard: make, share, take, cancel. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startPages } from "../page.mjs";

const [SEND, SIGN] = ["eth_sendTransaction", "eth_signTypedData_v4"];
let pages, sandbox;
before(async () => ({ sandbox } = pages = await startPages("otc")));
after(() => pages?.stop());

/** The maker's page with an order of 90 USDC for 0.03 WETH, and the part of its link that a stranger has. */
async function made({ taker = "", account = 0, ...options } = {}) {
  const maker = await pages.open({ account, ...options });
  const { page } = maker;
  await maker.connect();
  await page.locator("#give").fill("90");
  await page.getByLabel("Token you want").selectOption({ label: "WETH" });
  await page.locator("#want").fill("0.03");
  await page.locator("#taker").fill(taker);
  await maker.press("Review order");
  const sentence = await maker.reviewed(/^Offer 90 USDC /);
  assert.deepEqual(maker.methods(), [], "no prompt before the review was answered");
  await maker.press("Agree");
  await maker.says(/^The order is posted\./);
  assert.equal(await maker.focused(), "Order, pending");
  const link = new URL(await page.getByLabel("Link", { exact: true }).inputValue());
  return { maker, sentence, search: `&order=${link.searchParams.get("order")}`, link };
}

const fact = (page, name) => page.locator(`dt:text-is("${name}") + dd`).textContent();

test("an order is made, opened by its link, taken after a review, and has its receipt", async () => {
  const { maker, link, search } = await made();
  assert.deepEqual(maker.methods(), [SEND, SIGN]);
  const taker = await pages.open({ account: 1, search });
  const { page, wallet } = taker;
  await page.getByRole("heading", { name: "Order, pending" }).waitFor();
  assert.equal(page.url(), link.href);
  assert.match(await fact(page, "Maker gives"), /^90 “USDC” \(0x/);
  assert.match(await fact(page, "Left"), /^90 “USDC” .* for 0\.03 “WETH”/);
  assert.equal(await fact(page, "Open to"), "Anyone");
  assert.ok(await page.locator("#take").isDisabled());
  await taker.connect();
  await page.getByRole("button", { name: "Take this order" }).waitFor();
  assert.deepEqual(taker.methods(), [], "a link alone asks the wallet for nothing");
  const before = await sandbox.balance(wallet.address, "USDC");
  await taker.press("Take this order");
  const sentence = await taker.reviewed(/^Give 0\.03 WETH .* for 90 USDC /);
  assert.ok(sentence.includes(maker.wallet.address), "it names the maker, of which the link came");
  assert.match(await page.locator("#approval").textContent(), /^First you approve 0\.03 “WETH” .* for 0x.*, and no more\.$/);
  await page.keyboard.press("Escape");
  await taker.says("Nothing was signed or sent.");
  assert.deepEqual([taker.methods(), await taker.focused()], [[], "Take this order"]);
  await taker.press("Take this order");
  await taker.reviewed(/^Give 0\.03 WETH/);
  await taker.press("Agree");
  await taker.says(/^Taken: transaction 0x[0-9a-f]{64} in block \d+\.$/);
  assert.equal((await sandbox.balance(wallet.address, "USDC")) - before, 90_000_000n);
  assert.equal(await fact(page, "Left"), "Nothing");
  assert.equal(await page.locator("#take").isVisible(), false);
  assert.deepEqual(taker.methods(), [SEND, SEND]);
  await taker.close();
  await maker.close();
});

test("an order is cancelled on chain, and cannot be taken from a view of before, on a phone", async () => {
  const { maker, search } = await made({ account: 2, viewport: { width: 390, height: 844 } });
  const taker = await pages.open({ account: 3, search, viewport: { width: 390, height: 844 } });
  await taker.connect();
  await taker.page.getByRole("button", { name: "Take this order" }).waitFor();
  await maker.press("Cancel this order");
  await maker.reviewed(/^Cancel /);
  await maker.press("Agree");
  await maker.says(/^Cancelled: transaction 0x[0-9a-f]{64} in block \d+\.$/);
  assert.equal(await maker.page.locator("#cancel").isVisible(), false);
  await taker.press("Take this order");
  assert.match(await taker.says(/./), /filled or cancelled|is left|remaining/i);
  assert.deepEqual(taker.methods(), []);
  await taker.close();
  await maker.close();
});

test("an order for one taker is in that account's list, and not for another", async () => {
  const named = sandbox.wallet(4).address;
  const { maker, search } = await made({ taker: named });
  const stranger = await pages.open({ account: 1, search });
  await stranger.connect();
  const take = stranger.page.getByRole("button", { name: "For another account" });
  await take.waitFor();
  assert.ok(await take.isDisabled());
  const taker = await pages.open({ account: 4 });
  await taker.connect();
  await taker.page.getByRole("button", { name: /^90 “USDC” .* for 0\.03 “WETH” .*: pending$/ }).first().click();
  await taker.page.getByRole("button", { name: "Take this order" }).waitFor();
  assert.equal(await fact(taker.page, "Open to"), named);
  for (const one of [stranger, taker, maker]) await one.close();
});

test("nothing of an order is shown that is not the link's, and a link opens no prompt", async () => {
  const { maker, search } = await made();
  const lies = [
    ["another amount", { patch: [{ op: "scale", path: "/makerAmount", num: 10, den: 1 }] }],
    ["another maker", { patch: [{ op: "replace", path: "/maker", value: sandbox.wallet(3).address }] }],
  ];
  for (const [name, tamper] of lies) {
    await sandbox.control("POST", "tamper", { target: "otcOrder", times: -1, ...tamper });
    const taker = await pages.open({ account: 1, search });
    assert.match(await taker.says(/./), /hash/i, name);
    assert.equal(await taker.page.locator("#offer").isVisible(), false, name);
    await taker.connect();
    assert.equal(await taker.page.locator("#offer").isVisible(), false, name);
    assert.deepEqual(taker.methods(), [], name);
    await taker.close();
    await sandbox.reset();
  }
  for (const hash of ["Send%201%20ETH%20to%20me", `0x${"12".repeat(32)}`]) {
    const taker = await pages.open({ search: `&order=${hash}`, expected: /404/ });
    await taker.says(/./);
    assert.equal(await taker.page.locator("#offer").isVisible(), false, hash);
    await taker.close();
  }
  await maker.close();
});

test("an order of a stranger is told by addresses and raw units, and its end that is in no calendar takes nothing away", async () => {
  const [chain] = sandbox.chains;
  const [maker, taker] = [sandbox.wallet(0).address, sandbox.wallet(3).address];
  const usdt = sandbox.token("USDT");
  await sandbox.control("POST", "approve", { chainId: chain.chainId, token: sandbox.token("USDC").address, owner: maker, amount: "90000000", spender: chain.rfq });
  const order = {
    nonceAndMeta: String((7n << 160n) + BigInt(taker)),
    expiry: 9e12,
    makerAsset: sandbox.token("USDC").address,
    takerAsset: usdt.address,
    maker,
    taker,
    makerAmount: "90000000",
    takerAmount: "89000000",
  };
  const type = (name) => (name === "expiry" ? "uint128" : /Amount|nonce/.test(name) ? "uint256" : "address");
  const members = (types) => Object.entries(types).map(([name, type]) => ({ name, type }));
  const typed = {
    domain: { name: "AUGUSTUS RFQ", version: "1", chainId: chain.chainId, verifyingContract: chain.rfq },
    types: {
      EIP712Domain: members({ name: "string", version: "string", chainId: "uint256", verifyingContract: "address" }),
      Order: Object.keys(order).map((name) => ({ name, type: type(name) })),
    },
    primaryType: "Order",
    message: order,
  };
  const signature = await sandbox.rpc(chain.chainId, "eth_signTypedData_v4", [maker, JSON.stringify(typed)]);
  const posted = await fetch(`${sandbox.url}/ft/p2p/${chain.chainId}/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...order, signature }),
  });
  assert.equal(posted.ok, true, await posted.text());
  const listed = ["USDC", "WETH"].map((name) => sandbox.token(name));
  await sandbox.control("POST", "tamper", { target: "fiatTokens", times: -1, patch: [{ op: "replace", path: "/tokens", value: listed }] });
  const { page, connect, press, reviewed, close } = await pages.open({ account: 3, viewport: { width: 390, height: 844 } });
  await connect();
  await page.getByRole("button", { name: new RegExp(`89000000 raw units of a token that is not in the list, ${usdt.address}`) }).click();
  assert.equal(await fact(page, "Until"), "second 9000000000000 since 1970");
  assert.match(await fact(page, "Taker pays"), /^89000000 raw units of a token that is not in the list, 0x/);
  await press("Take this order");
  const sentence = await reviewed(/^Give 89 /);
  assert.ok(!sentence.includes("USDT"), sentence);
  await sandbox.reset();
  await close();
});

test("a link chooses no service where the page is served to others", async () => {
  assert.deepEqual(await pages.hostsAsked(), ["api.velora.xyz"]);
});
