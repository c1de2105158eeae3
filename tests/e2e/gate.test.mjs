import assert from "node:assert/strict";
import { test } from "node:test";
import { openWith } from "./forms.mjs";
import { browser, sandbox, usdc } from "./rig.mjs";
import { raw } from "./sandbox.mjs";
import { SwapPage } from "./swap-page.mjs";

/* What the wallet is asked is changed on its way to the gate, as if a path of the page had forgotten a review. */

/** The package writes its questions as text, and this is where they become objects. */
function prepare(page) {
  return page.addInitScript(() => {
    const parse = JSON.parse;
    JSON.parse = (...given) => {
      const value = parse(...given);
      return window.lie && /sign|send/i.test(value?.method) ? window.lie(value) : value;
    };
    window.stranger = `0x${"11".repeat(20)}`;
    window.word = "22".repeat(32);
    window.signed = (change) => (question) => {
      const data = parse(question.params[1]);
      change(data, question.params);
      question.params[1] = JSON.stringify(data);
      return question;
    };
    window.changed = (change) => (question) => (change(question.params[0]), question);
    window.instead = (method, make) => ({ params: [owner, text] }) => {
      const { chainId, verifyingContract: to } = parse(text).domain;
      return { method, params: make({ from: owner, to, value: "0x0", chainId: `0x${chainId.toString(16)}` }) };
    };
  });
}

/** In the place of an order's signature. */
const ORDERS = {
  "another receiver": () => signed(({ message }) => (message.beneficiary = stranger)),
  "another contract": () => signed(({ domain }) => (domain.verifyingContract = stranger)),
  "another chain": () => signed(({ domain }) => (domain.chainId = 1)),
  "another account's signature": () => signed((data, params) => (params[0] = stranger)),
  "the cancellation of an order that is not shown": () =>
    signed((data) => {
      data.types.OrderCancellations = [{ name: "orderIds", type: "string[]" }];
      data.primaryType = "OrderCancellations";
      data.message = { orderIds: ["00000000-0000-0000-0000-000000000000"] };
    }),
  "consent to another order": () =>
    instead("eth_sendTransaction", (call) => [{ ...call, data: `0xeb8fb268${word}${"1".padStart(64, "0")}` }]),
  "a deposit for another order": () =>
    instead("eth_sendTransaction", (call) => [{ ...call, value: "0x1", data: `0xa1e77937${word}` }]),
  "a transfer": () => instead("eth_sendTransaction", (call) => [{ ...call, to: stranger, value: "0x1", data: "0x" }]),
  "no call": () => instead("wallet_sendCalls", ({ from, chainId }) => [{ version: "2.0.0", from, chainId, calls: [] }]),
  personal_sign: () => instead("personal_sign", ({ from }) => [`0x${word}`, from]),
  eth_sign: () => instead("eth_sign", ({ from }) => [from, `0x${word}`]),
  eth_signTransaction: () => instead("eth_signTransaction", (call) => [{ ...call, data: "0x" }]),
};

/** In the place of a trade on Market. */
const TRADES = {
  "another contract": () => changed((sent) => (sent.to = stranger)),
  "another value": () => changed((sent) => (sent.value = "0x1")),
  "other data": () => changed((sent) => (sent.data = sent.data.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")))),
  "another chain": () => changed((sent) => (sent.chainId = "0x1")),
  "another sender": () => changed((sent) => (sent.from = stranger)),
  "more than a call": () => changed((sent) => (sent.authorizationList = [{ address: stranger }])),
};

/** Among the calls of an approval and its trade. */
const CALLS = {
  "another contract": () => changed(({ calls }) => (calls[1].to = stranger)),
  "another value": () => changed(({ calls }) => (calls[1].value = "0x1")),
  "another amount of approval": () => changed(({ calls }) => (calls[0].data = calls[0].data.slice(0, -64) + word)),
  "another spender": () =>
    changed(({ calls: [call] }) => (call.data = call.data.slice(0, 34) + stranger.slice(2) + call.data.slice(74))),
  "one call more": () => changed(({ calls }) => calls.push({ to: stranger, value: "0x1", data: "0x" })),
  "an approval more": () => changed(({ calls }) => calls.push({ ...calls[0], to: stranger })),
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
    await swap.page.evaluate(`window.lie = (${lie})()`);
    await swap.review(title);
    await swap.main.click();
    await swap.says(/^A mistake of this page: .* Your wallet was not opened\.$/);
    assert.equal(await swap.prompts(), 0, `the wallet is closed: ${name}`);
    assert.equal(swap.signatures() + swap.transactions(), 0, name);
    await swap.page.getByRole("button", { name: "Start again" }).click();
    await swap.priced();
  }
  await swap.page.evaluate(() => (window.lie = null));
  await swap.review(title);
  await swap.main.click();
  await swap.prompt.filter({ hasText: prompt }).waitFor();
  await swap.close();
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
    window.lie = changed((sent) => (sent.data = `${sent.data.slice(0, -64)}${"f".repeat(64)}`));
  });
  await swap.review();
  await swap.page.getByRole("button", { name: "Approve 100 USDC", exact: true }).click();
  await swap.page.locator(".step-panel").getByText(/^Exactly 115,792,089,\S+ USDC/).waitFor();
  assert.equal(await swap.prompts(), 0);
  await swap.close();
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
    await swap.close();
  });
