/** A prompt that is not of the review that was agreed to, as if a path of the package had forgotten one: the wallet stays closed. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { hashTypedData } from "viem";
import { SENT, SIGNED, chain, funded, opened, raw, reviewing, sandbox, tokenOf, until, walletOf } from "./swapping.mjs";

/** Changes the next prompt that the module writes, or null. */
let lie = null;
const parse = JSON.parse;
before(() => {
  // The module writes a prompt as text, and this is where it becomes an object.
  JSON.parse = (...given) => {
    const value = parse(...given);
    return lie && value?.[0]?.parts ? [lie(value[0])] : value;
  };
});
after(() => (JSON.parse = parse));

const stranger = `0x${"11".repeat(20)}`;
const word = "22".repeat(32);
const changed = (change) => (prompt) => (change(prompt), prompt);
const signed = (change) => changed(({ parts: [{ typedData }] }) => change(typedData));
const part = (change) => changed(({ parts: [first] }) => change(first));
const instead = (purpose, make, more) => ({ orderHash: _, ...prompt }) => {
  const [{ from, typedData }] = prompt.parts;
  const { chainId, verifyingContract: to } = typedData.domain;
  return { ...prompt, purpose, parts: make({ sentence: "", from, chainId, to, value: "0", data: "0x" }), ...more };
};

/** Another order, with its own hash wherever that is named. */
const other = {
  types: { EIP712Domain: [{ name: "chainId", type: "uint256" }], Order: [{ name: "beneficiary", type: "address" }] },
  primaryType: "Order",
  domain: { chainId: 31337 },
  message: { beneficiary: stranger },
};
const another = ({ parts: [{ typedData: _, ...first }], digests, ...prompt }) => {
  const orderHash = hashTypedData(other);
  return { ...prompt, parts: [{ ...first, typedData: other }], orderHash, digests: { ...digests, eip712: orderHash } };
};

const ORDERS = {
  "another receiver": signed(({ message }) => (message.beneficiary = stranger)),
  "another contract": signed(({ domain }) => (domain.verifyingContract = stranger)),
  "another chain": signed(({ domain }) => (domain.chainId = 1)),
  "another account's signature": part((sent) => (sent.from = stranger)),
  "the cancellation of an order": changed((prompt) => Object.assign(prompt, { purpose: "cancelOrders", orderIds: [word] })),
  "consent to another order": instead("presign", (call) => [{ ...call, data: `0xeb8fb268${word}` }], { orderHash: `0x${word}` }),
  "a deposit for another order": instead("presign", (call) => [{ ...call, value: "1" }], { orderHash: `0x${word}` }),
  "a transfer": instead("withdraw", (call) => [{ ...call, to: stranger, value: "1" }]),
  "no call": instead("market", () => []),
  personal_sign: instead("message", ({ sentence, from, value }) => [{ sentence, from, value, message: `0x${word}` }]),
  eth_sign: instead("hash", ({ sentence, from, value }) => [{ sentence, from, value, hash: `0x${word}` }]),
  eth_signTransaction: instead("order", (call) => [{ ...call, isSigned: true }]),
  "another order, hash and all": another,
  "another order, said to be agreed to": (prompt) => ({ ...another(prompt), isRepeated: true }),
  "another digest": changed(({ digests }) => (digests.eip712 = `0x${word}`)),
  "another kind of order": changed((prompt) => (prompt.purpose = "otc")),
  "the order twice": changed(({ parts }) => parts.push(parts[0])),
  "the order, and a call": part((sent) => Object.assign(sent, { to: stranger, value: "1", data: "0x" })),
};

const TRADES = {
  "another contract": part((sent) => (sent.to = stranger)),
  "another value": part((sent) => (sent.value = "1")),
  "other data": part((sent) => (sent.data = sent.data.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")))),
  "another chain": part((sent) => (sent.chainId = 1)),
  "another sender": part((sent) => (sent.from = stranger)),
  "more than a call": part((sent) => (sent.authorizationList = [{ address: stranger }])),
  "a withdrawal": changed((prompt) => (prompt.purpose = "withdraw")),
};

/** Before the trade an approval, which the review does not have. */
const approving = (more) =>
  changed(({ parts }) => {
    const [{ from, chainId }, { address: token }] = [parts[0], tokenOf("permit")];
    const approval = { token, spender: chain.router, amount: "1" };
    parts.unshift({ sentence: "", from, chainId, to: token, value: "0", data: "0x", approval, ...more });
  });

/** Among the calls of an approval and its trade, where the review has no approval. */
const CALLS = {
  "an approval": approving({}),
  "an approval for another": approving({ approval: { token: stranger, spender: stranger, amount: "1" } }),
  "an approval of another token": approving({ to: stranger }),
  "an approval that pays": approving({ value: "1" }),
  "one call more": changed(({ parts }) => parts.push({ ...parts[0], to: stranger, value: "1", data: "0x" })),
  "one call before": changed(({ parts }) => parts.unshift({ ...parts[0], to: stranger })),
};

/** A controller of an account that allowed 100 to the spender. */
async function started(spender, form = {}) {
  const token = tokenOf("permit");
  const account = await funded(token);
  await sandbox.control("POST", "approve", { chainId: chain.chainId, token: token.address, owner: account, amount: raw(100, token), spender });
  const wallet = walletOf(account);
  return { ...(await opened(wallet, form)), wallet };
}

/** Each is refused, and the honest one after them opens the wallet. */
async function refuses({ swap, wallet }, lies, method) {
  for (const [place, [name, next]] of [...Object.entries(lies), ["", null]].entries()) {
    // Another trade each time.
    swap.change({ amount: String(60 + place) });
    await reviewing(swap);
    lie = next;
    swap.confirm();
    if (next === null) break;
    const { failure } = await until(swap, ({ failure }) => failure, name);
    lie = null;
    assert.equal(failure.error.code, "INTERNAL", name);
    assert.deepEqual(wallet.asked, [], `the wallet is closed: ${name}`);
    swap.back();
  }
  await until(swap, () => wallet.asked.length > 0, "an honest prompt");
  assert.deepEqual(wallet.asked, [method]);
}

test("the wallet signs the order that was reviewed, and nothing else", async () => {
  await refuses(await started(chain.delta), ORDERS, SIGNED);
});

test("the wallet sends the trade that was reviewed, and nothing else", async () => {
  await refuses(await started(chain.router, { path: "market" }), { ...TRADES, ...CALLS }, SENT);
});
