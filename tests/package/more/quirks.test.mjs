/** Wallets that refuse, seen through the libraries that apps put before them: each wraps what was thrown in its own way. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { BrowserProvider } from "ethers";
import { createClient, isTradeError } from "verified-swap";
import { createWalletClient, custom } from "viem";
import { fundedTrade } from "../trade.mjs";
import { startSandbox } from "../sandbox.mjs";

let sandbox;
before(async () => (sandbox = await startSandbox()));
after(() => sandbox?.stop());

const error = (message, more = {}) => Object.assign(new Error(message), more);
const PROMPTS = ["eth_signTypedData_v4", "eth_sendTransaction"];

/** Errors of wallets; and whether each is a rejection. */
const THROWN = [
  [() => error("MetaMask Tx Signature: User denied transaction signature.", { code: 4001 }), true],
  [() => ({ code: 4001, message: "User rejected the request.", stack: "" }), true],
  [() => error("User rejected.", { code: 5000 }), true],
  [() => error("User rejected methods.", { code: 5002 }), true],
  [() => error("User rejected the transaction", { code: -32000 }), true],
  [() => error("Internal JSON-RPC error.", { code: -32603, data: { originalError: { code: 4001 } } }), true],
  [() => error("Ledger device: Condition of use not satisfied (denied by the user?) (0x6985)", { code: -32603 }), true],
  [() => error("Action cancelled by user", { code: -32603 }), true],
  [() => error("User canceled"), true],
  [() => error("Internal JSON-RPC error.", { code: -32603 }), false],
  [() => error("execution reverted: User rejected", { code: -32603 }), false],
  [() => error("execution reverted: user denied", { code: 3, data: "0x08c379a0" }), false],
  [() => error("invalid typed data", { code: -32602 }), false],
  [() => error("transaction rejected: nonce too low", { code: -32003 }), false],
];

/** The node's wallet of an account, which throws at prompts as it is set to. */
function wallet(account, chainId) {
  const self = { fails: null, prompts: 0 };
  self.request = async ({ method, params }) => {
    if (/accounts/i.test(method)) return [account];
    // viem asks for it after some refusals; few wallets have it.
    if (method === "wallet_sendTransaction") throw error("not known", { code: -32601 });
    if (PROMPTS.includes(method)) {
      self.prompts++;
      if (self.fails) throw self.fails();
    }
    return sandbox.rpc(chainId, method, params);
  };
  return self;
}

/** The ways in which an app binds such a wallet. */
const BOUND = {
  "the provider itself": async (wallet) => ({ wallet }),
  "viem's client": async (wallet, account) => {
    const { request } = createWalletClient({ account, transport: custom(wallet, { retryCount: 0 }) });
    return { account, request };
  },
  "viem's account": async (wallet, account, chainId) => {
    const client = createWalletClient({ account, transport: custom(wallet, { retryCount: 0 }) });
    return {
      account,
      signTypedData: (typedData) => client.signTypedData(typedData),
      sendTransaction: ({ to, data, value }) => client.sendTransaction({ to, data, value: BigInt(value), chain: { id: chainId } }),
    };
  },
  "ethers' signer": async (wallet, account) => {
    const signer = await new BrowserProvider(wallet).getSigner(account);
    return {
      account,
      signTypedData({ domain, types: { EIP712Domain, ...types }, message }) {
        return signer.signTypedData(domain, types, message);
      },
      sendTransaction: async ({ to, data, value }) => signer.sendUncheckedTransaction({ to, data, value: BigInt(value), gasLimit: 200_000n }),
    };
  },
};

let number = 0;
for (const [name, bind] of Object.entries(BOUND)) {
  test(`a rejection is known through ${name}, and nothing else is one`, async () => {
    const { settings } = await fundedTrade(sandbox, number++);
    const { baseUrl, account, chainId, contracts, references, request } = settings;
    const mine = wallet(account, chainId);
    const rpc = { [chainId]: `${sandbox.url}/rpc/${chainId}` };
    const reading = await createClient({ baseUrl, rpc, contracts, advanced: { references }, storage: false });
    const client = reading.withWallet(await bind(mine, account, chainId));
    const build = await client.build(await client.quote({ ...request, account }), { slippageBps: 50 });
    assert.ok(build.approval, "something to send, too");
    const codes = async (call) => {
      const found = [];
      for (const [thrown] of THROWN) {
        mine.fails = thrown;
        await assert.rejects(call(), (error) => isTradeError(error) && found.push(error.code) > 0);
      }
      mine.fails = null;
      return found;
    };
    const expected = THROWN.map(([, isRejection]) => (isRejection ? "USER_REJECTED" : "WALLET_FAILED"));
    const named = (codes) => codes.map((code, index) => `${THROWN[index][0]().message}: ${code}`);
    assert.deepEqual(named(await codes(() => client.approve(build.approval))), named(expected), "eth_sendTransaction");
    await client.approve(build.approval);
    const prompts = mine.prompts;
    assert.deepEqual(named(await codes(() => client.submit(build))), named(expected), "eth_signTypedData_v4");
    assert.equal(mine.prompts - prompts, THROWN.length, "no prompt is repeated unasked");
    assert.equal((await client.submit(build)).orderHash, build.orderHash);
    reading.close();
  });
}
