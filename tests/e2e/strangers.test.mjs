import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, sandbox, usdt } from "./rig.mjs";
import { SwapPage } from "./swap-page.mjs";

/* Strangers' tokens in front of a user. */

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

for (const [calls, warning] of [
  ["USDC\u3164", "This is not the USDC of the list."],
  ["000 USDC", "This is not the USDC of the list."],
  ["U\u0405DC", "letters that may only look like those of another token"],
]) {
  test(`a token of no list that calls itself ${JSON.stringify(calls)} is told by its address, up to the review`, async () => {
    const viewport = { width: 320, height: 800 };
    const swap = await SwapPage.open(browser, sandbox, { viewport, prepare: unlisted(usdt, calls) });
    await swap.page.getByRole("button", { name: /^You receive: .*Choose/ }).click();
    const dialog = swap.page.getByRole("dialog", { name: "Receive" });
    await dialog.getByRole("combobox", { name: "Search tokens" }).fill(usdt.address);
    await dialog.getByRole("option", { name: /Not in the list/ }).click();
    const unknown = swap.page.getByRole("dialog", { name: "A token that is in no list here" });
    await unknown.getByText(warning).waitFor();
    await unknown.getByText(usdt.address).waitFor();
    await unknown.getByRole("button", { name: "Use this token" }).click();
    await swap.priced();
    const short = `${usdt.address.slice(0, 6)}…${usdt.address.slice(-4)}`;
    assert.match(await swap.figure("You get at least").textContent(), new RegExp(`${short}$`), "beside its symbol");
    await swap.review();
    assert.match(await swap.figure("You get at least").textContent(), new RegExp(short));
    assert.ok((await swap.sentence.textContent()).includes(` of token ${usdt.address} `), "by its address alone where it is signed");
    assert.equal(await swap.page.evaluate(() => document.documentElement.scrollWidth), viewport.width);
  });
}
