import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, sandbox } from "../rig.mjs";
import { unitsOf } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

/**
 * A wallet extension as a page sees it: announced by EIP-6963, signing through the node. Its account and chain move
 * silently, unless `accountsChanged` is called. What `holds` names is answered once `release` is called.
 */
async function announce(page, { account, chainId }) {
  await page.addInitScript(
    ([firstAccount, firstChain]) => {
      const wallet = (window.injected = {
        account: firstAccount,
        chainId: firstChain,
        fail: null,
        asked: [],
        answer: null,
        holds: null,
        release: null,
      });
      const node = async (method, params) => {
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
        const response = await fetch("/rpc/31337", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body,
        });
        const { result, error } = await response.json();
        if (error) throw Object.assign(new Error(error.message), { code: error.code });
        return result;
      };
      const listeners = {};
      const provider = {
        async request({ method, params = [] }) {
          wallet.asked.push(method);
          if (method === wallet.holds) await new Promise((release) => (wallet.release = release));
          if (/accounts/i.test(method)) return [wallet.account];
          if (method === "eth_chainId") return (await wallet.answer, `0x${wallet.chainId.toString(16)}`);
          if (method === "wallet_switchEthereumChain") return ((wallet.chainId = Number(params[0].chainId)), null);
          if (wallet.fail) throw Object.assign(new Error(wallet.fail.message), { code: wallet.fail.code });
          const answer = await node(method, params);
          if (wallet.boasts) for (const log of answer?.logs ?? []) log.data = log.data.replace(/^0x0/, "0x1");
          return answer;
        },
        on(event, listener) {
          listeners[event] = new Set([...(listeners[event] ?? []), listener]);
          wallet[event] = (value) => [...listeners[event]].forEach((told) => told(value));
        },
        removeListener: (event, listener) => listeners[event]?.delete(listener),
      };
      const icon =
        "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'><rect width='1' height='1' fill='teal'/></svg>";
      const detail = Object.freeze({
        info: { uuid: "5d1f3a3e-0000-4000-8000-000000000001", name: "Test wallet", icon, rdns: "org.example.test" },
        provider,
      });
      const tell = () => window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
      window.addEventListener("eip6963:requestProvider", tell);
    },
    [account, chainId],
  );
}

async function openWithInjected() {
  const account = await sandbox.nextAccount();
  const mine = await sandbox.nextAccount();
  await sandbox.mint(mine, sandbox.token("permit"), 1000);
  const { chainId } = sandbox.chain;
  const swap = await SwapPage.open(browser, sandbox, {
    account,
    prepare: (page) => announce(page, { account: mine, chainId }),
  });
  await swap.page.locator("#wallet-button").click();
  await swap.page.getByRole("button", { name: /Test wallet/ }).click();
  await swap.page.getByRole("button", { name: /^Test wallet, account/ }).waitFor();
  await swap.priced();
  swap.account = mine;
  swap.wallet = (change) => swap.page.evaluate((set) => void Object.assign(window.injected, set), change);
  swap.tell = (accounts) => swap.page.evaluate((now) => window.injected.accountsChanged(now), accounts);
  swap.asked = () => swap.page.evaluate(() => window.injected.asked);
  return swap;
}

test("a wallet announced by EIP-6963 is listed with its icon and swaps", async () => {
  const swap = await openWithInjected();
  await swap.page.locator("#wallet-button").click();
  const image = swap.page
    .getByRole("button", { name: /Test wallet/ })
    .last()
    .locator("img");
  assert.match(await image.getAttribute("src"), /^data:image\//);
  await swap.page.keyboard.press("Escape");
  await swap.review();
  await swap.main.click();
  await swap.nextStep();
  await swap.settled();
  assert.equal(await swap.prompts(), 0, "the sandbox wallet was not asked");
});

test("a rejection sends nothing and leaves one button, and signing again goes through", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.review();
  await swap.main.click();
  await swap.answer(/Approve/, "Reject");
  await swap.says("Rejected in your wallet. Nothing was sent.");
  assert.equal(swap.transactions(), 0);
  await swap.page.getByRole("button", { name: "Approve again" }).click();
  await swap.approveInWallet();
  await swap.answer("Sign this order?", "Reject");
  await swap.says("Rejected in your wallet. Nothing was sent.");
  assert.deepEqual(await sandbox.requests("post"), []);
  await swap.page.getByRole("button", { name: "Sign again" }).click();
  await swap.signInWallet();
  await swap.settled();
  assert.equal((await sandbox.requests("post")).length, 1);
});

test("what arrived is what the page's own node says, not the wallet", async () => {
  const swap = await openWithInjected();
  await swap.set("Market");
  await swap.priced();
  await swap.review("What you are sending");
  const weth = sandbox.token("WETH");
  const before = await sandbox.balance(swap.account, weth);
  await swap.wallet({ boasts: true });
  await swap.main.click();
  await swap.nextStep();
  await swap.ended("Confirmed");
  const result = swap.page.getByRole("region", { name: "What arrives" });
  const said = await result.locator("strong data").getAttribute("value");
  assert.equal(unitsOf(said, weth), (await sandbox.balance(swap.account, weth)) - before);
});

test("a wallet on another network is told so, switches with one button, and then signs", async () => {
  const swap = await openWithInjected();
  await swap.review();
  await swap.wallet({ chainId: sandbox.config.chains[1].chainId });
  await swap.main.click();
  await swap.says("Your wallet is on another network");
  await swap.page.getByRole("button", { name: "Switch network" }).click();
  await swap.page.getByRole("button", { name: /^Approve / }).click();
  await swap.nextStep();
  await swap.settled();
});

test("a wallet that moved to another account signs nothing; one button takes that account", async () => {
  const swap = await openWithInjected();
  const other = await sandbox.nextAccount();
  await sandbox.mint(other, sandbox.token("permit"), 1000);
  await swap.review();
  await swap.wallet({ account: other });
  await swap.main.click();
  await swap.says("Your wallet is on");
  const asked = await swap.asked();
  assert.ok(!asked.includes("eth_signTypedData_v4") && !asked.includes("eth_sendTransaction"), asked.join());
  await swap.page.getByRole("button", { name: "Use the wallet’s account" }).click();
  await swap.priced();
  await swap.review();
  assert.match(await swap.sentence.textContent(), new RegExp(other, "i"));
  await swap.main.click();
  await swap.nextStep();
  await swap.settled();
});

test("of two quick changes of the account the later one counts, for the page and for what is signed", async () => {
  const swap = await openWithInjected();
  const [first, last] = [await sandbox.nextAccount(), await sandbox.nextAccount()];
  await sandbox.mint(last, sandbox.token("permit"), 1000);
  await swap.page.evaluate(
    async ([first, last]) => {
      const wallet = window.injected;
      const move = (account) => (Object.assign(wallet, { account }), wallet.accountsChanged([account]));
      wallet.answer = new Promise((answer) => (wallet.goOn = answer));
      move(first);
      // Not before the page has that account, and waits for the chain.
      await new Promise((resolve) => setTimeout(resolve));
      wallet.answer = null;
      move(last);
    },
    [first, last],
  );
  const shows = (account) => swap.page.locator(`#wallet-button[title$="${account}" i]`).waitFor();
  await shows(last);
  await swap.page.evaluate(() => window.injected.goOn());
  await swap.priced();
  await shows(last);
  await swap.review();
  assert.match(await swap.sentence.textContent(), new RegExp(last, "i"));
  await swap.main.click();
  await swap.nextStep();
  await swap.settled();
});

test("a wallet with a request open says so, and goes on when it is answered", async () => {
  const swap = await openWithInjected();
  await swap.review();
  await swap.wallet({ fail: { code: -32002, message: "Request already pending." } });
  await swap.main.click();
  await swap.says("Your wallet has an open request.");
  await swap.wallet({ fail: null });
  await swap.page.getByRole("button", { name: "Try again" }).click();
  await swap.nextStep();
  await swap.settled();
});

test("while a prompt is open no other wallet can be chosen", async () => {
  const swap = await openWithInjected();
  await swap.review();
  await swap.wallet({ holds: "eth_sendTransaction" });
  await swap.main.click();
  await swap.page.waitForFunction(() => window.injected.release);
  await swap.page.locator("#wallet-button").click();
  const sheet = swap.page.getByRole("dialog");
  await sheet.getByText("Confirm the approval in your wallet… Then you can choose another wallet.").waitFor();
  for (const choice of await sheet.locator(".choice").all()) assert.ok(await choice.isDisabled());
  await swap.page.keyboard.press("Escape");
  await swap.page.evaluate(() => window.injected.release());
  await swap.ready(/^Sign$/);
});

test("disconnecting in the wallet asks it nothing, and leaves a form that can be connected again", async () => {
  const swap = await openWithInjected();
  const mine = swap.account;
  await swap.review();
  await swap.wallet({ asked: [] });
  await swap.tell([]);
  await swap.ready("Connect a wallet");
  assert.equal(await swap.page.locator("#wallet-button").textContent(), "Connect a wallet");
  assert.deepEqual((await swap.asked()).filter((method) => /Accounts|send|sign/.test(method)), []);
  await swap.main.click();
  await swap.page.getByRole("dialog").getByRole("button", { name: /Test wallet/ }).click();
  await swap.page.locator(`#wallet-button[title*="${mine}"]`).waitFor();
  await swap.priced();
});

test("an account that changes while a prompt is open is traded with once that is answered", async () => {
  const swap = await openWithInjected();
  const other = await sandbox.nextAccount();
  await swap.review();
  await swap.wallet({ holds: "eth_sendTransaction" });
  await swap.main.click();
  await swap.page.waitForFunction(() => window.injected.release);
  await swap.tell([other]);
  await swap.page.evaluate(() => window.injected.release());
  await swap.page.locator(`#wallet-button[title*="${other}"]`).waitFor();
  await swap.priced();
});

test("an approval that is answered after the account has changed is not put into another review", async () => {
  const swap = await openWithInjected();
  const other = await sandbox.nextAccount();
  await sandbox.mint(other, sandbox.token("permit"), 1000);
  // The wallet takes its time to name its account.
  await swap.wallet({ holds: "eth_requestAccounts" });
  await swap.page.locator("#wallet-button").click();
  await swap.page.getByRole("dialog").getByRole("button", { name: /Test wallet/ }).click();
  await swap.review();
  await swap.page.evaluate(() => (window.injected.connect = window.injected.release));
  await swap.wallet({ holds: "eth_sendTransaction", release: null });
  await swap.main.click();
  await swap.page.waitForFunction(() => window.injected.release);
  await swap.wallet({ account: other });
  await swap.page.evaluate(() => window.injected.connect());
  await swap.page.locator(`#wallet-button[title*="${other}"]`).waitFor();
  await swap.pay("60");
  await swap.review();
  const read = await swap.sentence.textContent();
  // The old trade's approval is sent; its order would come next.
  const approved = swap.page.waitForResponse((response) => response.request().postData()?.includes("eth_sendTransaction"));
  await swap.page.evaluate(() => window.injected.release());
  await (await approved).finished();
  assert.equal(await swap.sentence.textContent(), read);
  await swap.ready(/^Approve 60 USDC/);
});
