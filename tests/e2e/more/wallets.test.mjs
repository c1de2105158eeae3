import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, sandbox, there } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

/**
 * A wallet extension as a page sees it: announced by EIP-6963, signing through the node. Its account and chain move
 * silently, unless `accountsChanged` is called. A call named in `holds` is answered once `release` is called.
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
          return node(method, params);
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
    path: "/?wallet=choose",
    priced: false,
    prepare: (page) => announce(page, { account: mine, chainId }),
  });
  await connect(swap);
  await swap.shows(mine);
  await swap.priced();
  swap.account = mine;
  swap.wallet = (change) => swap.page.evaluate((set) => void Object.assign(window.injected, set), change);
  swap.tell = (accounts) => swap.page.evaluate((now) => window.injected.accountsChanged(now), accounts);
  swap.asked = () => swap.page.evaluate(() => window.injected.asked);
  return swap;
}

async function connect(swap) {
  const button = swap.page.locator("verified-swap .wallets-button");
  swap.shows = (account) => button.filter({ hasText: new RegExp(account.slice(0, 6), "i") }).waitFor();
  await button.click();
  await swap.page.getByRole("dialog", { name: "Wallet" }).getByRole("button", { name: /Test wallet/ }).click();
}

test("a wallet announced by EIP-6963 is listed with its icon and swaps; disconnected, it is asked for nothing", async () => {
  const swap = await openWithInjected();
  const button = swap.page.locator("verified-swap .wallets-button");
  await button.click();
  const dialog = swap.page.getByRole("dialog", { name: "Wallet" });
  assert.match(await dialog.getByRole("button", { name: /Test wallet/ }).locator("img").getAttribute("src"), /^data:image\//);
  await swap.page.keyboard.press("Escape");
  await swap.review();
  await swap.main.click();
  await swap.nextStep();
  await swap.settled();
  assert.equal(await swap.prompts(), 0, "the sandbox wallet was not asked");
  await swap.page.getByRole("button", { name: "New swap" }).click();
  await swap.wallet({ asked: [] });
  await swap.tell([]);
  await swap.ready("Connect a wallet");
  assert.deepEqual((await swap.asked()).filter((method) => /Accounts|send|sign/.test(method)), []);
  await swap.main.click();
  await dialog.getByRole("button", { name: /Test wallet/ }).click();
  await swap.shows(swap.account);
  await swap.priced();
});

test("a wallet on another network is asked to switch, and then to approve", async () => {
  const swap = await openWithInjected();
  await swap.review();
  await swap.wallet({ chainId: there.chainId, asked: [] });
  await swap.main.click();
  await swap.nextStep();
  await swap.settled();
  const asked = (await swap.asked()).filter((method) => /switch|send|sign/i.test(method));
  assert.deepEqual(asked, ["wallet_switchEthereumChain", "eth_sendTransaction", "eth_signTypedData_v4"]);
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

test("the later of two quick changes of the account counts, for the page and for what is signed", async () => {
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
  await swap.shows(last);
  await swap.page.evaluate(() => window.injected.goOn());
  await swap.priced();
  await swap.shows(last);
  await swap.review();
  assert.match(await swap.sentence.textContent(), new RegExp(last, "i"));
});

test("a wallet with a request open is named as such, and goes on when that is answered", async () => {
  const swap = await openWithInjected();
  await swap.review();
  await swap.wallet({ fail: { code: -32002, message: "Request already pending." } });
  await swap.main.click();
  await swap.says("Your wallet has an open request.");
  await swap.wallet({ fail: null });
  await swap.main.click();
  await swap.ready(/^(Sign|Approve .*)$/);
});

test("an account that changes while a prompt is open is traded with, and the old approval goes into no other review", async () => {
  const swap = await openWithInjected();
  const other = await sandbox.nextAccount();
  await sandbox.mint(other, sandbox.token("permit"), 1000);
  await swap.review();
  await swap.wallet({ holds: "eth_sendTransaction" });
  await swap.main.click();
  await swap.page.waitForFunction(() => window.injected.release);
  await swap.wallet({ account: other });
  await swap.tell([other]);
  await swap.shows(other);
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
