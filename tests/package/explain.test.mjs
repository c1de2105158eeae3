// explain as a wallet calls it: every shape in which one is asked, payloads that no wallet should see, and what is the caller's
// fault. Its text on each kind is held natively, in crates/explain/tests/explain.rs.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { encodeFunctionData, erc20Abi, hashTypedData, parseTransaction, serializeTransaction } from "viem";
import { explain, init, isTradeError } from "verified-swap/verify";

const ACCOUNT = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const STRANGER = "0x000000000000000000000000000000000000bad0";
const context = { accounts: [ACCOUNT], chainId: 8453, now: 1_800_000_000 };
const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [STRANGER, 5_000_000n] });
const transaction = { from: ACCOUNT, to: USDC, value: "0x0", data };
const typed = {
  domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: USDC },
  primaryType: "Permit",
  types: {
    EIP712Domain: [["name", "string"], ["version", "string"], ["chainId", "uint256"], ["verifyingContract", "address"]].map(([name, type]) => ({ name, type })),
    Permit: [["owner", "address"], ["spender", "address"], ["value", "uint256"], ["nonce", "uint256"], ["deadline", "uint256"]].map(([name, type]) => ({ name, type })),
  },
  message: { owner: ACCOUNT, spender: STRANGER, value: "5000000", nonce: "0", deadline: "1800000600" },
};
const ids = ({ findings }) => findings.map(({ id }) => id);
/** Whether a value is plain JSON, and all its text is visible. */
const plain = (value) => {
  assert.deepEqual(JSON.parse(JSON.stringify(value)), value);
  assert.doesNotMatch(JSON.stringify(value), /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u);
  return value;
};

before(() => init());

test("a transaction is the same in each shape in which a wallet, a Snap or a co-signer has it", () => {
  const raw = serializeTransaction({ type: "eip1559", chainId: 8453, nonce: 1, gas: 60_000n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n, to: USDC, data });
  assert.equal(parseTransaction(raw).data, data);
  const shapes = [
    { method: "eth_sendTransaction", params: [transaction] },
    { method: "eth_signTransaction", params: [transaction] },
    { transaction, chainId: "eip155:8453", transactionOrigin: "https://app.example" },
  ];
  const [first, ...others] = shapes.map((shape) => plain(explain(shape, context)));
  assert.match(first.sentence, /5 USDC/);
  assert.deepEqual(first.facts.gives.map(({ value }) => value), ["5000000"]);
  for (const other of others) assert.equal(other.sentence, first.sentence);
  const unsigned = plain(explain({ raw }, context));
  assert.ok(unsigned.sentence.includes("5 USDC"), unsigned.sentence);
  const batch = plain(explain({ method: "wallet_sendCalls", params: [{ version: "2.0.0", from: ACCOUNT, chainId: "0x2105", calls: [{ to: USDC, data }] }] }, context));
  assert.equal(batch.inner.length, 1);
  assert.match(batch.inner[0].sentence, /5 USDC/);
});

test("typed data is the same as an object, as text, and from a Snap; its digest is viem's", () => {
  const shapes = [
    { method: "eth_signTypedData_v4", params: [ACCOUNT, typed] },
    { method: "eth_signTypedData_v4", params: [ACCOUNT, JSON.stringify(typed)] },
    { signature: { from: ACCOUNT, data: typed, signatureMethod: "eth_signTypedData_v4" }, signatureOrigin: "https://app.example" },
  ];
  for (const shape of shapes) {
    const { sentence, digests, verdict } = plain(explain(shape, context));
    assert.deepEqual([digests.eip712, verdict], [hashTypedData(typed), "explained"]);
    assert.match(sentence, /5 USDC/);
  }
  const exact = { ...typed, message: { ...typed.message, value: 5_000_000n } };
  assert.equal(explain({ method: "eth_signTypedData_v4", params: [ACCOUNT, exact] }, context).digests.eip712, hashTypedData(typed), "a BigInt counts as its digits");
});

test("no payload throws: each is answered, as unread if it cannot be read", () => {
  const text = JSON.stringify(typed);
  const hostile = {
    "a member twice": text.replace('"value":', '"value":"1","value":'),
    "text that is no JSON": "{",
    "without end": "[".repeat(50_000),
    "a type that refers to itself": JSON.stringify({ ...typed, types: { Permit: [{ name: "owner", type: "Permit" }] } }),
    "a name that runs from the right": JSON.stringify({ ...typed, domain: { ...typed.domain, name: "\u202eDSU" } }),
    "no text at all": 7,
    nothing: null,
  };
  for (const [what, payload] of Object.entries(hostile)) {
    const answer = plain(explain({ method: "eth_signTypedData_v4", params: [ACCOUNT, payload] }, context));
    assert.ok(answer.verdict === "unread" || what.startsWith("a name"), what);
  }
  assert.deepEqual(ids(explain({ method: "eth_signTypedData_v4", params: [ACCOUNT, hostile["a member twice"]] }, context)), ["json.duplicate"]);
  let deep = {};
  for (let depth = 0; depth < 10_000; depth += 1) deep = { deep };
  assert.equal(plain(explain({ method: "eth_signTypedData_v4", params: [ACCOUNT, deep] }, context)).verdict, "unread");
  for (const method of ["eth_coinbase", "wallet_inventedTomorrow", ""]) assert.equal(plain(explain({ method, params: [1, "x"] }, context)).verdict, "unread", method);
  assert.equal(plain(explain({}, context)).verdict, "unread");
});

test("a parameter behind those that are read is named", () => {
  for (const [method, params] of [
    ["eth_sendTransaction", [transaction, { to: STRANGER }]], ["personal_sign", ["hello", ACCOUNT, { from: STRANGER }]], ["wallet_sendCalls", [{ from: ACCOUNT, calls: [] }, {}]],
    ["eth_signTypedData_v4", [ACCOUNT, typed, "more"]],
  ]) {
    const { verdict, opaque, findings } = plain(explain({ method, params }, context));
    const field = `params.${params.length - 1}`;
    assert.deepEqual([verdict, opaque.includes(field), findings.find(({ id }) => id === "member.unread")?.field], ["unread", true, field], method);
  }
});

test("what is the caller's own fault is a typed error at its member", () => {
  const call = { method: "personal_sign", params: ["0x6869", ACCOUNT] };
  const fault = (given, more) => {
    try {
      explain(given, more);
    } catch (error) {
      assert.ok(isTradeError(error, "INVALID_INPUT"), error.stack);
      return error.field;
    }
  };
  assert.equal(fault(call, {}), "context.chainId");
  assert.equal(fault(call, { ...context, accounts: ["0x1"] }), "context.accounts.0");
  assert.equal(fault(call, { ...context, adressBook: [] }), "context.adressBook");
  assert.equal(fault(call, { ...context, safe: { address: USDC } }), "context.safe.version");
  assert.equal(fault("personal_sign", context), "call");
  assert.equal(fault({ ...call, wallet: () => 1 }, context), "call.wallet");
  assert.equal(fault({ ...call, wallet: new (class Shown { text = "a"; })() }, context), "call.wallet");
});

test("without `now` a deadline is judged by this machine's clock", () => {
  const { now, ...rest } = context;
  const order = { ...typed, message: { ...typed.message, deadline: "1" } };
  assert.ok(ids(explain({ method: "eth_signTypedData_v4", params: [ACCOUNT, order] }, rest)).includes("deadline.passed"));
});
