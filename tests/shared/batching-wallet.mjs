/** A simulated wallet with batches (EIP-5792), in front of a node of the sandbox; for clients in Node and in pages. */
import { setTimeout as sleep } from "node:timers/promises";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { createBatches, encodeBatch } from "../../www-example/src/sandbox/batches.js";

const SIGN = "eth_signTypedData_v4";
const SEND = "eth_sendTransaction";
const SEND_CALLS = "wallet_sendCalls";
/** Above anything that is sent here: with it a node sends what reverts, too. */
const GAS = 4_000_000;

/** After so many looks for a receipt no more blocks come. */
const MAX_LOOKS = 50;

/** A key that the node holds: of one of the sandbox's accounts. */
export function nodesKey(sandbox, chainId, address) {
  const rpc = (method, ...params) => sandbox.rpc(chainId, method, params);
  return {
    address,
    sign: (text) => rpc(SIGN, address, text),
    send: (call) => rpc(SEND, { ...call, from: address, gas: hex(GAS) }),
  };
}

/** A key of viem's. It delegates by the transaction that makes use of it (EIP-7702). */
export function ownKey(sandbox, chainId, key) {
  const { address } = key;
  const rpc = (method, ...params) => sandbox.rpc(chainId, method, params);
  return {
    address,
    sign: (text) => key.signTypedData(JSON.parse(text)),
    async send({ to, data = "0x", value = "0x0" }, delegate) {
      const nonce = Number(await rpc("eth_getTransactionCount", address, "pending"));
      const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n, gas: BigInt(GAS) };
      // The sender's own number is used up before the authorization is looked at.
      const authorize = () => key.signAuthorization({ contractAddress: delegate, chainId, nonce: nonce + 1 });
      const more = delegate ? { authorizationList: [await authorize()] } : {};
      return rpc("eth_sendRawTransaction", await key.signTransaction({ chainId, to, data, value: BigInt(value), nonce, ...fees, ...more }));
    },
  };
}

/**
 * A wallet of one account: that of `key`, or the smart account at `account` that the key controls. `habits` may be
 * changed at any time; beside those of `batches.js`:
 *
 * - `signs`: what it answers to typed data, instead of a signature;
 * - `hidesHashes`: what it answers to a transaction is no transaction's hash; that is sent at `release()`, and from then on
 *   the wallet shows its receipt for either hash, as a Safe does;
 * - `rejects`: the user refuses every prompt.
 *
 * `payer` pays for gas; a paymaster gives it back. `prompts` are those it opened. While it `holds`, they stay open until `answer()`.
 */
export function openWallet({ sandbox, chain, key, account = key.address, mayUpgrade = false, habits = {}, memory = new Map() }) {
  const { chainId } = chain;
  const rpc = (method, ...params) => sandbox.rpc(chainId, method, params);
  const wallet = { account, payer: key.address, habits, asked: [], prompts: [], holds: false };
  const open = [];
  const later = [];
  /** Hashes of transactions by those that the wallet answered. */
  const hidden = new Map();

  const hasCode = async () => (await rpc("eth_getCode", account, "latest")) !== "0x";

  /** Makes calls by one transaction; its hash, as of `mined`. */
  const send = async (calls, upgrades) => {
    const isThrough = upgrades || (await hasCode());
    const call = isThrough ? { to: account, data: encodeBatch(calls) } : calls[0];
    return mined(await key.send(call, upgrades && chain.delegates[0]));
  };

  /** The hash, once its transaction is in a block, if there are blocks. */
  const mined = async (hash) => {
    for (let looks = 0; looks < MAX_LOOKS && !(await rpc("eth_getTransactionReceipt", hash)); looks++) await sleep(10);
    return hash;
  };

  /** Opens a prompt; fails if the user refuses. */
  const ask = async (method, params, act) => {
    const prompt = { method, params, isAnswered: false };
    wallet.prompts.push(prompt);
    if (wallet.holds) await new Promise((resolve) => open.push(resolve));
    try {
      if (wallet.habits.rejects) throw Object.assign(new Error("The user rejected the request."), { code: 4001 });
      return await act();
    } finally {
      // A confirmed batch is still to be sent.
      prompt.isAnswered = method !== SEND_CALLS || wallet.habits.rejects;
    }
  };

  const batches = createBatches({
    accounts: () => [account],
    chainIds: [chainId],
    atomic: async () => ((await hasCode()) ? "supported" : mayUpgrade ? "ready" : "unsupported"),
    confirm: (request) => ask(SEND_CALLS, [request], async () => true).catch(() => false),
    send: ({ calls, upgrades }) => send(calls, upgrades),
    sponsor: async (_, hash) => {
      const { gasUsed, effectiveGasPrice } = await rpc("eth_getTransactionReceipt", hash);
      const [paymaster] = await rpc("eth_accounts");
      const paid = await rpc(SEND, { from: paymaster, to: key.address, value: hex(BigInt(gasUsed) * BigInt(effectiveGasPrice)) });
      await mined(paid);
    },
    receipt: (_, hash) => rpc("eth_getTransactionReceipt", hash),
    memory,
    habits: new Proxy({}, { get: (_, name) => wallet.habits[name] }),
  });

  const sendHidden = (call) => {
    const name = hex32();
    later.push(async () => hidden.set(name, await send([call])));
    return name;
  };

  wallet.request = async ({ method, params = [] }) => {
    wallet.asked.push(method);
    switch (method) {
      case SEND_CALLS:
        return batches.answer(method, params).finally(() => {
          // Each question brings calls of its own.
          for (const prompt of wallet.prompts) prompt.isAnswered ||= prompt.params[0].calls === params[0].calls;
        });
      case "eth_accounts":
      case "eth_requestAccounts":
        return [account];
      case "eth_chainId":
        return hex(chainId);
      case SIGN:
        return ask(method, params, async () => wallet.habits.signs ?? key.sign(params[1]));
      case SEND:
        return ask(method, params, async () => (wallet.habits.hidesHashes ? sendHidden(params[0]) : send([params[0]])));
      case "eth_getTransactionReceipt":
        return rpc(method, hidden.get(params[0]) ?? params[0]);
      default:
        return batches.knows(method) ? batches.answer(method, params) : rpc(method, ...params);
    }
  };
  /** The user answers every prompt that is open. */
  wallet.answer = async () => {
    wallet.holds = false;
    const asked = [...wallet.prompts];
    for (const confirm of open.splice(0)) confirm();
    while (!asked.every(({ isAnswered }) => isAnswered)) await sleep(10);
  };
  /** The others sign what waits for them. */
  wallet.release = async () => {
    await batches.release();
    for (const act of later.splice(0)) await act();
  };
  return wallet;
}

/**
 * A wallet of a new account of that kind, in a world of `coverage/world.mjs`: `contract` or `delegated`, of the node's last
 * key; or `own key`, which with `, upgrades` behind it delegates at the first batch.
 */
export async function walletOf({ sandbox, chain, accounts }, kind, habits = {}) {
  const { chainId } = chain;
  const isOwn = kind.startsWith("own key");
  const key = isOwn ? ownKey(sandbox, chainId, privateKeyToAccount(generatePrivateKey())) : nodesKey(sandbox, chainId, accounts.at(-1));
  const make = (kind) => sandbox.control("POST", "wallet", { chainId, owner: key.address, kind });
  if (!isOwn) await make("plain");
  const account = ["contract", "delegated"].includes(kind) ? (await make(kind)).address : key.address;
  return openWallet({ sandbox, chain, key, account, mayUpgrade: kind.endsWith("upgrades"), habits });
}

const hex = (number) => `0x${number.toString(16)}`;

const hex32 = () => `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex")}`;
