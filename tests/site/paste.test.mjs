/** The paste box: each form of a payload is read as what it is, or asked about; what cannot be read is never called anything else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { encodeFunctionData, parseAbi, serializeTransaction } from "viem";
import { answerTo, opened, pasteBox, spaced } from "./site.mjs";

const YOU = "0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A";
const STRANGER = "0x5aFE3855358E112B5647B952709E6165e1c1eEEe";
const USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const HASH = `0x${"ab".repeat(32)}`;
const data = (signature, ...args) => encodeFunctionData({ abi: parseAbi([`function ${signature}`]), args });
const approval = data("approve(address,uint256)", STRANGER, 2n ** 256n - 1n);
const transfer = data("transfer(address,uint256)", STRANGER, 5_000_000n);
const raw = serializeTransaction({ type: "eip1559", chainId: 1, nonce: 1, maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 1n, gas: 60_000n, to: USDC, data: transfer });
const fields = (list) => list.map(([type, name]) => ({ name, type }));
const DOMAIN = fields([["string", "name"], ["string", "version"], ["uint256", "chainId"], ["address", "verifyingContract"]]);
const PERMIT = fields([["address", "owner"], ["address", "spender"], ["uint256", "value"], ["uint256", "nonce"], ["uint256", "deadline"]]);
const permit = {
  types: { EIP712Domain: DOMAIN, Permit: PERMIT },
  primaryType: "Permit",
  domain: { name: "USD Coin", version: "2", chainId: 1, verifyingContract: USDC },
  message: { owner: YOU, spender: STRANGER, value: "1000000", nonce: "0", deadline: "4000000000" },
};
const safeTransaction = { safe: STRANGER, to: USDC, value: "0", data: transfer, operation: 0, safeTxGas: 0, baseGas: 0, gasPrice: "0", gasToken: null, refundReceiver: null, nonce: 7 };
const calls = [{ to: USDC, value: "0x0", data: transfer }, { to: USDC, data: approval }];
const { EIP712Domain: _, ...types } = permit.types;
const json = JSON.stringify;

/** Name, pasted text, the choice that is pressed, and the words of the answer. */
const READ = [
  ["a request", json({ id: 1, jsonrpc: "2.0", method: "eth_sendTransaction", params: [{ from: YOU, to: USDC, data: approval }] }), {}, /^Approval\n.*any amount of USDC on Ethereum/],
  ["its parameters alone", json([{ from: YOU, to: USDC, data: approval }]), {}, /^Approval\n/],
  ["a transaction", json({ from: YOU, to: USDC, data: transfer, value: "0x0" }), {}, /^Transfer\nSend 5 USDC/],
  ["calldata, with its contract", transfer, { choice: "Calldata", given: USDC }, /^Transfer\nSend 5 USDC/],
  ["a raw transaction", raw, { choice: "A raw transaction" }, /^Transfer\nSend 5 USDC/],
  ["typed data", json(permit, null, 2), {}, /^Permit\nAllow/],
  ["typed data as a text in quotes", json(json(permit)), {}, /^Permit\nAllow/],
  ["typed data with its account", json([YOU, json(permit)]), {}, /^Permit\nAllow/],
  ["the arguments of ethers", json({ domain: permit.domain, types, value: permit.message }), {}, /^Permit\nAllow[^]*with the type Permit and the domain's type added/],
  ["a batch of calls", json({ version: "2.0.0", chainId: "0x1", from: YOU, atomicRequired: true, calls }), {}, /^Batch of calls\n[^]*Inside: 2/],
  ["a session's request", json({ topic: "a", params: { request: { method: "personal_sign", params: ["0x48656c6c6f", YOU] }, chainId: "eip155:137" } }), {}, /^Text to sign\nSign the text "Hello"[^]*Chain\s137/],
  ["Safe's service", json({ ...safeTransaction, chainId: 1 }), {}, /^Safe transaction\nThe Safe .* runs: Send 5 USDC/],
  ["Safe's service, with its chain", json(safeTransaction), { choice: "on the chain", given: "8453" }, /^Safe transaction\n.* on Base runs/],
  ["Safe's service, under another hash", json({ ...safeTransaction, chainId: 1, safeTxHash: HASH }), {}, /hashes to something else/],
  ["Safe's Transaction Builder", json({ version: "1.0", chainId: "1", meta: { createdFromSafeAddress: STRANGER }, transactions: [{ to: USDC, value: "0", data: transfer }] }), {}, /^Batch of calls\n/],
  ["a text", "Hello", { choice: "A text" }, /^Text to sign\nSign the text "Hello"/],
  ["bytes of a message", "0x48656c6c6f", { choice: "A message of these bytes" }, /^Text to sign\nSign the text "Hello"/],
  ["parameters of a message", json(["0x48656c6c6f", YOU]), { choice: "personal_sign" }, /^Text to sign\n/],
];

test("each form is read as what it is", async () => {
  const { page, close } = await pasteBox();
  for (const [name, text, choice, words] of READ) assert.match(await answerTo(page, text, choice), words, name);
  await close();
});

const UNREAD = [
  ["a hash to sign", HASH, { choice: "To sign this hash" }, /can stand for anything/],
  ["a hash as a message", HASH, { choice: "A message of these bytes" }, /what it stands for cannot be read/],
  ["an unknown method", json({ from: YOU, to: STRANGER, data: "0x12345678" }), {}, /0x12345678.* is not known/],
  ["an unknown method, paid", json({ from: YOU, to: STRANGER, data: "0x4e71d92d", value: "0x1" }), {}, /goes along with a call that cannot be read/],
  ["a contract that is created", json({ from: YOU, data: "0x6080604052" }), {}, /of code that is not read/],
  ["an unknown type", json({ ...permit, types: { EIP712Domain: DOMAIN, Root: fields([["bytes32", "root"]]) }, primaryType: "Root", message: { root: HASH } }), {}, /its meaning is not known/],
  ["typed data with a name twice", json(permit).replace('"spender"', '"owner":"0x","spender"').replace('"owner":"0x19', '"value":"1","owner":"0x19'), {}, /./],
  ["typed data that ends too soon", json(permit).slice(0, -9), {}, /A part may be missing/],
  ["typed data of the first version", json([{ type: "string", name: "a", value: "b" }]), {}, /Not read/],
  ["a batch with an unknown call", json({ version: "2.0.0", chainId: "0x1", from: YOU, calls: [...calls, { to: STRANGER, data: "0x12345678" }] }), {}, /inner\.2\.data/],
  ["Safe's service with an unknown call", json({ ...safeTransaction, chainId: 1, data: "0x12345678" }), {}, /inner\.0\.data/],
  ["Safe's builder before it is encoded", json({ chainId: "1", transactions: [{ to: USDC, value: "0", data: null, contractMethod: { name: "a" } }] }), {}, /not encoded yet/],
  ["calldata of an unknown method", "0x12345678", { choice: "Calldata", given: STRANGER }, /is not known/],
  ["bytes that are no transaction", json({ raw: "0x02c0ffee" }), {}, /cannot be read/],
  ["another chain's request", json({ method: "signTransaction", params: { transaction: "AQ" } }), {}, /is not read here/],
  ["a transaction with a name twice", `{"from":"${YOU}","to":"${USDC}","to":"${STRANGER}","value":"0x1"}`, {}, /“?to.*stands twice/],
  ["a number that is rounded", `{"from":"${YOU}","to":"${USDC}","value":100000000000000000001}`, {}, /round it in different ways/],
  ["a request with another one beside it", json({ method: "eth_sendTransaction", params: [{ from: YOU, to: USDC, data: transfer }], raw: "0x02c0", transaction: { from: YOU, to: USDC, data: approval } }), {}, /several requests in one/],
  ["a raw transaction with a Snap's beside it", json({ raw, transaction: { from: YOU, to: USDC, data: approval }, chainId: "eip155:1" }), {}, /several requests in one: one program reads the first/],
  ["an odd number of digits", "0x123", {}, /is odd/],
  ["JSON of something else", json({ hello: "world" }), {}, /neither a request/],
  ["values that nest too deeply", `{"domain":{},"types":{"a":${"[".repeat(300)}${"]".repeat(300)}},"message":{}}`, {}, /nested too deeply/],
  ["a megabyte of nothing", `{"method":"eth_sendTransaction","params":[${"0,".repeat(500_000)}0]}`, {}, /./],
];
/** Words and signs that claim more than that something was read. The name of Safe's accounts has a capital letter. */
const PRAISE = /harmless|\bsafe\b|secure|trusted|legit|nothing|\bno risk|✓|✔|✅/;

test("what cannot be read says so in the largest words, and is never praised", async () => {
  for (const width of [1280, 390]) {
    const { page, close } = await pasteBox({ viewport: { width, height: 800 } });
    for (const [name, text, choice, words] of UNREAD) {
      const answer = await answerTo(page, text, choice);
      assert.match(answer, /^This cannot be read\.\n/, name);
      assert.match(answer, words, name);
      assert.match(answer, /What it does is not known here\. It may do anything\./, name);
      assert.doesNotMatch(answer.replaceAll(/with the method .*/g, ""), PRAISE, name);
      const [heading, ...others] = await page.evaluate(() =>
        [document.querySelector(".answer h2"), ...document.querySelectorAll("body *:not(.answer h2)")].map((node) => Number.parseFloat(getComputedStyle(node).fontSize)),
      );
      assert.ok(others.every((size) => size < heading), `${name}: something is as large`);
    }
    await close();
  }
});

test("what has several meanings, or lacks its contract or chain, is asked about, and nothing is said of it before", async () => {
  const { page, close } = await pasteBox();
  for (const text of [HASH, YOU, transfer, raw, "Hello", raw.slice(2), json(safeTransaction), json(["0x48656c6c6f", YOU])]) {
    assert.match(await answerTo(page, text), /^What is it\?\n/, text);
    assert.equal(await page.locator(".answer, .question [aria-pressed=true]").count(), 0, text);
  }
  // Without the address that it needs, the choice is none.
  await answerTo(page, transfer);
  await page.getByRole("button", { name: "Calldata of a transaction" }).click();
  assert.equal(await page.locator(".answer").count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-invalid")), "true");
  await close();
});

test("what was found is no praise: one sentence without findings, another with notes, none with more", async () => {
  const { page, close } = await pasteBox();
  const message = json({ method: "personal_sign", params: ["0x48656c6c6f", YOU] });
  assert.match(await answerTo(page, message), /\nNothing known to be wrong was found; this is not a promise\.\n/);
  const order = { from: YOU, to: "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45", data: data("exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))", [USDC, "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", 500, YOU, 1_000_000n, 10n ** 14n, 0n]) };
  assert.match(await answerTo(page, json(order)), /\nNothing but notes was found; this is not a promise\.\n/);
  assert.doesNotMatch(await answerTo(page, json({ from: YOU, to: USDC, data: transfer })), /Nothing|promise/);
  await close();
});

test("whoever does not say who he is reads what was assumed; whoever does is told of another account and chain", async () => {
  const { page, close } = await pasteBox();
  const text = json(permit);
  assert.match(await answerTo(page, text), new RegExp(`You have not said which account is yours: ${YOU}`));
  await page.locator("#accounts").fill(STRANGER);
  await page.locator("#chain").fill("8453");
  const answer = await answerTo(page, text);
  assert.match(answer, /none of yours/);
  assert.match(answer, /It is for Ethereum, and you are on Base/);
  assert.doesNotMatch(answer, /You have not said/);
  await page.locator("#accounts").fill("0x12");
  await page.locator("#chain").fill("Base");
  await page.locator("#notes p").nth(1).waitFor();
  await close();
});

test("each preset is explained", async () => {
  const { page, close } = await pasteBox();
  const titles = [];
  for (const button of await page.locator("#presets button").all()) {
    const before = await page.locator("#output").innerHTML();
    await button.click();
    await page.waitForFunction((before) => document.querySelector("#output").innerHTML !== before, before);
    titles.push([await button.innerText(), await page.locator("#output h2").first().innerText(), (await page.locator(".findings li").evaluateAll((nodes) => nodes.map((node) => node.className))).sort().join(" ")]);
  }
  assert.deepEqual(titles, [
    ["Unlimited approval", "Approval", "danger danger"],
    ["Permit2", "Permit2 allowance", "caution danger danger"],
    ["A Safe’s batch", "Safe transaction", "caution info"],
    ["A hashed message", "This cannot be read.", "caution"],
    ["This order", "Swap order", "info"],
  ]);
  await close();
});

test("a link opens the same answer, and what is no link opens nothing", async () => {
  const first = await pasteBox();
  await first.page.locator("#accounts").fill(YOU);
  const answer = await answerTo(first.page, transfer, { choice: "Calldata", given: USDC });
  await first.page.locator("#link").click();
  const fragment = new URL(first.page.url()).hash;
  await first.close();
  const second = await pasteBox({}, fragment);
  await second.page.locator(".answer").waitFor();
  assert.equal(spaced(await second.page.locator("#output").innerText()), answer);
  assert.ok([...second.files].every((file) => !file.includes("#")), "the fragment was sent");
  await second.close();
  const packed = (text) => `#${deflateRawSync(text).toString("base64url")}`;
  for (const wrong of ["#payload", packed("no JSON"), packed("7"), packed(`{"text":${"[".repeat(99_999)}`), packed(json({ text: "a".repeat(50_000_000) }))]) {
    const { page, close } = await pasteBox({}, wrong);
    assert.equal(await page.locator("#payload").inputValue(), "", wrong.slice(0, 80));
    await close();
  }
});

test("a hostile text stays text, and is answered", async () => {
  const { page, close } = await pasteBox();
  const html = '<img src="https://tracker.example/x" onerror="document.title=1"><script>document.title=1</script>';
  assert.ok((await answerTo(page, html, { choice: "A text" })).includes("<img src="));
  const domain = { ...permit.domain, name: html };
  await answerTo(page, json({ ...permit, domain, primaryType: "Permit" }));
  assert.equal(await page.locator("#output img, #output script").count(), 0);
  const turned = await answerTo(page, "Pay \u202Eeerf\u202C \u200Bnow", { choice: "A text" });
  assert.doesNotMatch(turned, /[\u200B\u202C\u202E]/);
  assert.match(await page.locator("#notes").innerText(), /U\+202E, U\+202C, U\+200B/);
  assert.match(await answerTo(page, "a".repeat(2 ** 20)), /^What is it\?/);
  assert.match(await answerTo(page, "[".repeat(2 ** 20) + "]".repeat(2 ** 20)), /^This cannot be read\./);
  await close();
});

test("the policy stops what a page would send elsewhere", async () => {
  const { page, context, complaints } = await opened("paste.html");
  const outcome = await page.evaluate(() => fetch("https://elsewhere.example/").then(() => "sent", () => "stopped"));
  assert.equal(outcome, "stopped");
  assert.ok(complaints.some((complaint) => complaint.includes("violates the following Content Security Policy directive: \"connect-src 'self'\"")), complaints.join());
  await context.close();
});
