/** Fees that a node proposes, in front of a key that signs here: from the sources, without the module. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Wallet } from "ethers";
import { createWalletClient, custom, parseTransaction } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { source } from "../../xtask/node/source.mjs";

const KEY = `0x${"11".repeat(32)}`;
const TO = `0x${"22".repeat(20)}`;
const COIN = 10n ** 18n;
const hex = (number) => `0x${number.toString(16)}`;

/** A node that proposes that price for a unit, and that limit; it keeps what is sent. */
function nodeOf(chainId, gas, price) {
  const sent = [];
  const block = { baseFeePerGas: hex(0n), number: "0x1", timestamp: "0x1", transactions: [], gasLimit: "0x1c9c380" };
  const answers = {
    eth_chainId: hex(chainId), eth_estimateGas: hex(gas), eth_gasPrice: hex(price), eth_maxPriorityFeePerGas: hex(price),
    eth_getBlockByNumber: block, eth_getTransactionCount: "0x0", eth_blockNumber: "0x1",
  };
  const request = async ({ method, params }) => {
    if (method !== "eth_sendRawTransaction") {
      if (method in answers) return answers[method];
      throw Object.assign(new Error(method), { code: -32601 });
    }
    sent.push(params[0]);
    return hex(BigInt(sent.length)).replace("0x", `0x${"0".repeat(63)}`);
  };
  return { sent, request };
}

const account = privateKeyToAccount(KEY);
const clientOf = ({ request }, own) => createWalletClient({ ...(own && { account }), transport: custom({ request }, { retryCount: 0 }) });
/** ethers' populates by itself; what it asks of a provider is little. */
function ethersOf({ sent, request }, chainId, gas, price) {
  const provider = {
    send: (method, params) => request({ method, params }),
    broadcastTransaction: async (signed) => ({ hash: (sent.push(signed), `0x${"00".repeat(32)}`) }),
  };
  const key = new Wallet(KEY);
  const signer = {
    address: key.address, provider, getAddress: async () => key.address, signTypedData: () => "0x",
    populateTransaction: async (asked) => ({ ...asked, from: key.address, nonce: 0, type: 2, gasLimit: gas, maxFeePerGas: price, maxPriorityFeePerGas: 0n }),
    signTransaction: (prepared) => key.signTransaction(prepared),
  };
  return fromEthers(signer);
}

const WALLETS = {
  fromAccount: (node) => fromAccount(account, { walletClient: clientOf(node) }),
  fromWalletClient: (node) => fromWalletClient(clientOf(node, true)),
  fromEthers: ethersOf,
};

const sends = (wallet, chainId, value) =>
  wallet.request({
    method: "eth_sendTransaction",
    params: [{ from: account.address, to: TO, data: "0x", value: hex(value), chainId: hex(chainId) }],
  });

/** The checks' own table: hundredths of a coin, by chain. */
const { fromAccount, fromEthers, fromWalletClient } = await source("viem");
const [, TABLE] = readFileSync(new URL("../../crates/verify/src/domain/gas.rs", import.meta.url), "utf8").match(/HUNDREDTHS: .* = \[(.*)\];/);
/** The chain, what is sent, and the cap. */
const CAPS = [
  ...Array.from(TABLE.matchAll(/\((\d+), ([\d_]+)\)/g), ([, chain, hundredths]) => [Number(chain), 0n, (COIN / 100n) * BigInt(hundredths.replace("_", ""))]),
  [1, 0n, COIN / 50n],
  [8453, COIN, COIN / 20n],
  [8453, (COIN * 4n) / 10n, COIN / 50n],
  // For an unknown coin there is nothing that would widen it.
  [987654, 0n, COIN / 50n],
];

test("the cap is held on each chain of the table", () => assert.ok(CAPS.length >= 8));

for (const [name, walletOf] of Object.entries(WALLETS)) {
  test(`${name}: a fee up to the cap is signed, and one unit more is not`, async () => {
    for (const [chainId, value, cap] of CAPS) {
      const gas = 100_000n;
      for (const [price, isFine] of [[cap / gas, true], [cap / gas + 1n, false], [cap * 1_000n, false]]) {
        const node = nodeOf(BigInt(chainId), gas, price);
        const sending = sends(walletOf(node, chainId, gas, price), chainId, value);
        if (isFine) await sending;
        else {
          const error = await sending.then(() => assert.fail(`${chainId} ${price}`), (error) => error);
          // A code that means that nothing was sent, and both figures.
          assert.equal(error.code, -32602);
          assert.ok(error.message.includes(String(gas * price)) && error.message.includes(`more than ${cap} wei`), error.message);
        }
        assert.equal(node.sent.length, isFine ? 1 : 0, `${chainId} ${price}`);
      }
    }
  });
}

test("the cap is the app's to set, also to a lower one", async () => {
  const gas = 100_000n;
  for (const [maxFee, price, isFine] of [[COIN, COIN / gas, true], [COIN, COIN / gas + 1n, false], [0n, 1n, false]]) {
    const node = nodeOf(1n, gas, price);
    const sending = sends(fromAccount(account, { walletClient: clientOf(node), maxFee }), 1, 0n);
    await (isFine ? sending : assert.rejects(sending, { code: -32602 }));
    assert.equal(node.sent.length, isFine ? 1 : 0);
    if (isFine) assert.equal(parseTransaction(node.sent[0]).maxFeePerGas, price);
  }
  for (const maxFee of ["1", 1]) {
    assert.throws(() => fromAccount(account, { walletClient: clientOf(nodeOf(1n, 1n, 1n)), maxFee }), { code: "INVALID_INPUT", field: "maxFee" });
  }
});
