import assert from "node:assert/strict";
import { test } from "node:test";
import { hashTypedData } from "viem";
import { openSale, openWith } from "./forms.mjs";
import { browser, sandbox, usdc } from "./rig.mjs";
import { raw } from "./sandbox.mjs";
import { SwapPage } from "./swap-page.mjs";

/* What the package puts to the page before a prompt is changed on its way, as if a path of the page had forgotten a
   review, or the package asked for something else than the page shows. */

/** The package writes a prompt as text, and this is where it becomes an object. */
function prepare(page) {
  return page.addInitScript(() => {
    const parse = JSON.parse;
    JSON.parse = (...given) => {
      const value = parse(...given);
      window.hear?.(value);
      return window.lie && value?.[0]?.parts ? [window.lie(value[0])] : value;
    };
    window.stranger = `0x${"11".repeat(20)}`;
    window.word = "22".repeat(32);
    window.changed = (change) => (prompt) => (change(prompt), prompt);
    window.signed = (change) => changed(({ parts: [{ typedData }] }) => change(typedData));
    window.part = (change) => changed(({ parts: [part] }) => change(part));
    window.instead = (purpose, make, more) => ({ orderHash: _, ...prompt }) => {
      const [{ from, typedData }] = prompt.parts;
      const { chainId, verifyingContract: to } = typedData.domain;
      return { ...prompt, purpose, parts: make({ sentence: "", from, chainId, to, value: "0", data: "0x" }), ...more };
    };
  });
}

/** Another order, with its own hash wherever that is told. */
const other = {
  types: { EIP712Domain: [{ name: "chainId", type: "uint256" }], Order: [{ name: "beneficiary", type: "address" }] },
  primaryType: "Order",
  domain: { chainId: 31337 },
  message: { beneficiary: `0x${"11".repeat(20)}` },
};
const OTHER = `(prompt) => {
  const [typedData, orderHash] = ${JSON.stringify([other, hashTypedData(other)])};
  return { ...prompt, parts: [{ ...prompt.parts[0], typedData }], orderHash, digests: { ...prompt.digests, eip712: orderHash } };
}`;

/** In the place of an order. */
const ORDERS = {
  "another receiver": () => signed(({ message }) => (message.beneficiary = stranger)),
  "another contract": () => signed(({ domain }) => (domain.verifyingContract = stranger)),
  "another chain": () => signed(({ domain }) => (domain.chainId = 1)),
  "another account's signature": () => part((sent) => (sent.from = stranger)),
  "the cancellation of an order that is not shown": () =>
    changed((prompt) =>
      Object.assign(prompt, { purpose: "cancelOrders", orderIds: ["00000000-0000-0000-0000-000000000000"] })),
  "consent to another order": () =>
    instead("presign", (call) => [{ ...call, data: `0xeb8fb268${word}${"1".padStart(64, "0")}` }], { orderHash: `0x${word}` }),
  "a deposit for another order": () =>
    instead("presign", (call) => [{ ...call, value: "1", data: `0xa1e77937${word}` }], { orderHash: `0x${word}` }),
  "a transfer": () => instead("withdraw", (call) => [{ ...call, to: stranger, value: "1" }]),
  "no call": () => instead("market", () => []),
  personal_sign: () => instead("message", ({ sentence, from, value }) => [{ sentence, from, value, message: `0x${word}` }]),
  eth_sign: () => instead("hash", ({ sentence, from, value }) => [{ sentence, from, value, hash: `0x${word}` }]),
  eth_signTransaction: () => instead("order", (call) => [{ ...call, isSigned: true }]),
  "another order, hash and all": OTHER,
  "another order, said to be agreed to": `(prompt) => ({ ...(${OTHER})(prompt), isRepeated: true })`,
  "another digest": () => changed(({ digests }) => (digests.eip712 = `0x${word}`)),
  "another kind of order": () => changed((prompt) => (prompt.purpose = "otc")),
  "the order twice": () => changed(({ parts }) => parts.push(parts[0])),
  "the order, and a call": () => part((sent) => Object.assign(sent, { to: stranger, value: "1", data: "0x" })),
};

/** In the place of a trade on Market. */
const TRADES = {
  "another contract": () => part((sent) => (sent.to = stranger)),
  "another value": () => part((sent) => (sent.value = "1")),
  "other data": () => part((sent) => (sent.data = sent.data.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")))),
  "another chain": () => part((sent) => (sent.chainId = 1)),
  "another sender": () => part((sent) => (sent.from = stranger)),
  "more than a call": () => part((sent) => (sent.authorizationList = [{ address: stranger }])),
  "a withdrawal": () => changed((prompt) => (prompt.purpose = "withdraw")),
};

/** Among the calls of an approval and its trade. */
const CALLS = {
  "another contract": () => changed(({ parts }) => (parts[1].to = stranger)),
  "another value": () => changed(({ parts }) => (parts[1].value = "1")),
  "another amount of approval": () => part(({ approval }) => (approval.amount = String(BigInt(`0x${word}`)))),
  "another spender": () => part(({ approval }) => (approval.spender = stranger)),
  "one call more": () => changed(({ parts }) => parts.push({ ...parts[1], to: stranger, value: "1", data: "0x" })),
  "an approval more": () =>
    changed(({ parts }) => {
      const approval = { ...parts[0].approval, token: stranger };
      parts.splice(1, 0, { ...parts[0], to: stranger, approval });
    }),
  "the approval twice": () => changed(({ parts }) => parts.unshift(parts[0])),
  "one call before": () => changed(({ parts }) => parts.unshift({ ...parts[1], to: stranger })),
  "only the last one shown": () => changed(({ parts }) => (parts[0] = { ...parts[1], to: stranger })),
  "an approval of another token": () => part((sent) => (sent.to = stranger)),
  "an approval that pays": () => part((sent) => (sent.value = "1")),
  "an approval of another account": () => part((sent) => (sent.from = stranger)),
};

async function allowing(spender) {
  const account = await sandbox.nextAccount();
  await sandbox.approve(account, usdc, raw(100, usdc), sandbox.chain[spender]);
  return SwapPage.open(browser, sandbox, { account, prepare });
}

/** Each is refused without a prompt, and the honest one after them opens it. */
async function refuses(swap, lies, title, prompt) {
  for (const [place, [name, lie]] of Object.entries(lies).entries()) {
    // Another trade each time: the lock of the last one may not be given back yet.
    await swap.pay(String(60 + place));
    await swap.page.evaluate(`window.lie = ${typeof lie === "string" ? lie : `(${lie})()`}`);
    await swap.review(title);
    await swap.main.click();
    const refused = swap.message.filter({ hasText: /^A mistake of this page: .* Your wallet was not opened\.$/ }).waitFor();
    await refused.catch((cause) => assert.fail(`${name} is not refused: ${cause.message}`));
    assert.equal(await swap.prompts(), 0, `the wallet is closed: ${name}`);
    assert.equal(swap.signatures() + swap.transactions(), 0, name);
    await swap.page.getByRole("button", { name: "Start again" }).click();
    await swap.priced();
  }
  await swap.page.evaluate(() => (window.lie = null));
  await swap.review(title);
  await swap.main.click();
  await swap.prompt.filter({ hasText: prompt }).waitFor();
}

test("the wallet signs the order that is shown, and nothing else", async () => {
  await refuses(await allowing("delta"), ORDERS, "What you are signing", "Sign this order?");
});

test("the wallet sends the trade that is shown, and nothing else", async () => {
  const swap = await allowing("router");
  await swap.set("Market");
  await swap.priced();
  await refuses(swap, TRADES, "What you are sending", "Send this transaction?");
});

test("the wallet sends the calls that are shown, and nothing else", async () => {
  const swap = await openWith("Contract wallet (EIP-1271)", { prepare });
  await swap.set("Market");
  await swap.priced();
  await refuses(swap, CALLS, "What you are sending", "Send these 2 calls?");
});

test("an approval of another amount is shown with that amount first", async () => {
  const swap = await SwapPage.open(browser, sandbox, { prepare });
  await swap.page.evaluate(() => {
    window.lie = part(({ approval }) => (approval.amount = String(2n ** 256n - 1n)));
  });
  await swap.review();
  await swap.page.getByRole("button", { name: "Approve 100 USDC", exact: true }).click();
  await swap.page.locator(".step-panel").getByText(/^Exactly 115,792,089,\S+ USDC/).waitFor();
  assert.equal(await swap.prompts(), 0);
});

test("what was agreed to once is not agreed to twice", async () => {
  await sandbox.control("settings", { nativeReading: "deposit" });
  const swap = await openSale({ prepare });
  await swap.page.evaluate(() => (window.lie = (prompt) => structuredClone((window.first ??= prompt))));
  await swap.review();
  await swap.main.click();
  await swap.signInWallet();
  // The deposit that follows is put as the order once more.
  await swap.says(/^A mistake of this page: .* Your wallet was not opened\.$/);
  assert.equal(await swap.prompts(), 1);
});

test("what was agreed to, and comes late to the wallet, is not asked for once more", async () => {
  const swap = await SwapPage.open(browser, sandbox, { prepare });
  await swap.page.evaluate(() => {
    const now = performance.now.bind(performance);
    let isAnswered = false;
    let lateMs = 0;
    performance.now = () => now() + lateMs;
    window.told = [];
    window.hear = (value) => {
      if (value?.[0]?.parts) window.told.push(value[0].isRepeated), (isAnswered = true);
      // A wallet that is far away.
      if (value?.method === "eth_accounts" && isAnswered) (lateMs += 2_000), (isAnswered = false);
    };
  });
  await swap.set("Permit");
  await swap.priced();
  await swap.main.click();
  await swap.permitInWallet();
  await swap.nextStep("Sign");
  await swap.signInWallet();
  assert.deepEqual(await swap.page.evaluate(() => window.told), [false, true, false, true]);
  assert.equal(await swap.prompts(), 2);
});

/** Whether all of it is on the screen, under nothing else. */
function isSeen(locator) {
  return locator.evaluate((node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    const corners = [[left + 1, top + 1], [right - 1, bottom - 1], [(left + right) / 2, (top + bottom) / 2]]; // prettier-ignore
    return top >= 0 && bottom <= innerHeight && corners.every(([x, y]) => node.contains(document.elementFromPoint(x, y)));
  });
}

for (const [width, height] of [[1440, 900], [1280, 720], [390, 844]])
  test(`at ${width} x ${height} whoever sees the button of an approval sees in full whom it is for`, async () => {
    const swap = await SwapPage.open(browser, sandbox, { viewport: { width, height } });
    await swap.review();
    const spender = swap.page.locator(".stage:visible .action .mono");
    assert.equal((await spender.textContent()).toLowerCase(), sandbox.chain.delta.toLowerCase());
    for (const place of [0, 200, 400, 10_000]) {
      await swap.page.evaluate((top) => scrollTo(0, top), place);
      assert.ok((await isSeen(spender)) || !(await isSeen(swap.main)), `scrolled to ${place}`);
    }
    await swap.main.click();
    await swap.approveInWallet();
    await swap.prompt.filter({ hasText: "Sign this order?" }).waitFor();
    assert.equal(await spender.count(), 0, "nobody is approved any more");
    await swap.signInWallet();
  });
