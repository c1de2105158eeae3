// @ts-nocheck
// Wallets of viem, wagmi and ethers, and those that a page finds by itself, as this package takes them. The functions
// return an object with `request` and `account`: an EIP-1193 provider, which `withWallet` takes as it is. Nothing is
// imported from those libraries.
import { absent, fault } from "./reading.ts";

const can = (object, ...names) => names.every((name) => typeof object?.[name] === "function");

/** An error of EIP-1193. */
const providerError = (code, message, cause) => Object.assign(new Error(message, { cause }), { code });

/** Whether a test holds for an error, or for one that caused it. */
const isInside = (error, is, depth = 8) => error && depth > 0 && (is(error) || isInside(error.cause, is, depth - 1));

/** The codes of a user's refusal, of EIP-1193 and of ethers; with them those by which nodes and wallets refuse, and words. */
const REJECTED = [4001, "ACTION_REJECTED"];
const REFUSED = [...REJECTED, 3, 4100, 4200, -32601, -32602, 4902];
const REFUSALS = /insufficient funds|intrinsic gas|block base fee|revert/i;
const isRefused = (error) => isInside(error, ({ code, message }) => REFUSED.includes(code) || REFUSALS.test(message));

/** An error of these functions before they send: the client reads it by its first words. */
const unsent = (code, message, cause) => providerError(code, `nothing was sent: ${message}`, cause);
const notSent = (error) => (isInside(error, ({ code }) => REJECTED.includes(code)) ? error : unsent(-32602, error?.message, error));

/** Reports that the transaction may have been sent: a node may have taken it without acknowledging. */
const perhapsSent = (error) => (isRefused(error) ? error : providerError(4900, error?.message ?? String(error), error));

/** The result of `step`; if it fails, its error as `meaning` converts it. */
const attempt = async (step, meaning) => {
  try {
    return await step();
  } catch (error) {
    throw meaning(error);
  }
};

/** A transaction's nonce, if this package states one. */
const numbered = (nonce) => (nonce === undefined ? {} : { nonce: Number(nonce) });

/** The least cap of a transaction's fee, in wei: 0.02 of a coin such as ether, and as many times that of one worth less. */
const FEE = 20_000_000_000_000_000n;
const LESS_WORTH = { 56: 4n, 100: 3_000n, 137: 7_500n, 43114: 100n };

/** Refuses a fee that a node proposes: beyond `maxFee`, else beyond the larger of the least cap and 5 % of what is given. */
function checkFee(gas, price, { chainId, value }, maxFee) {
  const [fee, given] = [BigInt(gas ?? 0) * BigInt(price ?? 0), value / 20n];
  const least = FEE * (LESS_WORTH[Number(chainId)] ?? 1n);
  const limit = maxFee ?? (given > least ? given : least);
  if (fee <= limit) return;
  const message = `the node proposes a fee of up to ${fee} wei (${gas} gas at ${price} wei), more than ${limit} wei: maxFee allows more`;
  throw providerError(-32602, message);
}

const isSame = (offered, account) => String(offered).toLowerCase() === account.toLowerCase();

/** viem's `request`, sent once: by itself it repeats a prompt that failed with a code such as -32603. */
const once = (client) => (args) => client.request(args, { retryCount: 0 });

/** The same wallet for the same source: a page may name it in every render, and another wallet ends an open review. */
function perSource(make) {
  const made = new WeakMap();
  return (source) => {
    if (!made.has(source)) made.set(source, Object.freeze(make(source)));
    return made.get(source);
  };
}

/** A wallet behind `ask`, of which only `account` trades. */
function restricted(account, ask) {
  const isIt = (offered) => isSame(offered, account);
  const request = async (args) => {
    const answer = await ask(args);
    return args.method === "eth_accounts" && Array.isArray(answer) ? answer.filter(isIt) : answer;
  };
  return { request, account };
}

/** The methods that the client calls at a node. */
const READS = new Set(
  `eth_blockNumber eth_call eth_chainId eth_gasPrice eth_getBalance eth_getBlockByNumber eth_getCode eth_getLogs
  eth_getTransactionByHash eth_getTransactionCount eth_getTransactionReceipt`.split(/\s+/),
);

/** A key that signs here, in front of a node; `account` may be known to `accounts` alone. */
function keyed(account, { signTypedData, send, ask, accounts = () => [account] }) {
  const checkOwner = async (asked) => {
    const [own] = await accounts();
    if (!isSame(asked, own)) throw unsent(4100, `the key is of ${own}, not of ${asked}`);
  };
  const request = async ({ method, params = [] }) => {
    if (method === "eth_accounts") return accounts();
    if (method === "eth_signTypedData_v4") {
      await checkOwner(params[0]);
      return signTypedData(JSON.parse(params[1]));
    }
    if (method === "eth_sendTransaction") {
      await checkOwner(params[0].from);
      // Libraries sign for any given chain, and nodes may take it.
      const id = await attempt(() => ask({ method: "eth_chainId" }), notSent);
      if (Number(id) !== Number(params[0].chainId)) throw unsent(-32602, "the node is of another chain than the transaction");
      return send(params[0]);
    }
    // The node is not the user's wallet: an unlocked one would sign for its own accounts.
    if (!READS.has(method)) throw providerError(4200, `a local account has no ${method}`);
    return ask({ method, params });
  };
  return account ? { request, account } : { request };
}

export const fromWalletClient = perSource((walletClient) => {
  if (!can(walletClient, "request")) fault("walletClient", "a viem WalletClient", walletClient);
  const { account } = walletClient;
  if (can(account, "signTypedData")) return fromAccount(account, { walletClient });
  return account ? restricted(account.address, once(walletClient)) : { request: once(walletClient) };
});

/** An account that signs; it sends by `sendTransaction`, if at all. */
function signing(account, sendTransaction) {
  const signTypedData = (typedData) => account.signTypedData(typedData);
  const give = (sent) =>
    attempt(() => sendTransaction({ ...sent, value: BigInt(sent.value), ...numbered(sent.nonce) }), perhapsSent);
  return { account: account.address, signTypedData, ...(sendTransaction && { sendTransaction: give }) };
}
const signingAlone = perSource((account) => signing(account));

export function fromAccount(account, { walletClient, sendTransaction, maxFee } = {}) {
  if (!can(account, "signTypedData")) fault("account", "a viem account that signs, e.g. of privateKeyToAccount", account);
  if (!walletClient) return sendTransaction ? signing(account, sendTransaction) : signingAlone(account);
  if (!can(walletClient, "request", "sendTransaction")) fault("walletClient", "a viem WalletClient", walletClient);
  if (!absent(maxFee) && typeof maxFee !== "bigint") fault("maxFee", "wei, as a bigint", maxFee);
  const signs = can(account, "signTransaction") && can(walletClient, "prepareTransactionRequest", "sendRawTransaction");
  const send = async ({ to, data, value, ...sent }) => {
    const chainId = Number(sent.chainId);
    const chain = walletClient.chain?.id === chainId ? walletClient.chain : null;
    const asked = { chainId, to, data, value: BigInt(value), ...numbered(sent.nonce) };
    // A smart account's client sends by itself.
    if (!signs) return attempt(() => walletClient.sendTransaction({ account, chain, ...asked }), perhapsSent);
    const { address, nonceManager } = account;
    const sign = async () => {
      const prepared = await walletClient.prepareTransactionRequest({ account, chain, nonceManager, ...asked });
      checkFee(prepared.gas, prepared.maxFeePerGas ?? prepared.gasPrice, asked, maxFee);
      return account.signTransaction({ ...prepared, ...asked }, { serializer: chain?.serializers?.transaction });
    };
    try {
      const serializedTransaction = await attempt(sign, notSent);
      return await attempt(() => walletClient.sendRawTransaction({ serializedTransaction }), perhapsSent);
    } catch (error) {
      nonceManager?.reset({ address, chainId });
      throw error;
    }
  };
  return keyed(account.address, { ...signing(account), send, ask: once(walletClient) });
}

/** The members of a wagmi connection whose change is an event of EIP-1193. */
const TOLD = { accountsChanged: (now) => now?.accounts?.join(), chainChanged: (now) => now?.chainId };

export const fromWagmi = perSource((config) => {
  if (!can(config?.state?.connections, "get")) fault("config", "a wagmi config", config);
  const request = async ({ method, params }) => {
    const { connections, current } = config.state;
    const { connector } = connections.get(current) ?? {};
    // Until it has reconnected, wagmi knows a connector by its name alone.
    if (!can(connector, "getProvider")) {
      if (method === "eth_accounts") return [];
      throw providerError(4100, "wagmi has no connected wallet");
    }
    if (method === "eth_accounts") return connector.getAccounts();
    // With a chain, WalletConnect's would switch to it first.
    const provider = await connector.getProvider();
    return provider.request({ method, params });
  };
  const listening = [];
  const on = (event, listener) => {
    const read = ({ connections, current }) => TOLD[event]?.(connections.get(current));
    const leave = config.subscribe?.(read, (told) => listener(event === "chainChanged" ? told : told?.split(",") ?? []));
    listening.push({ event, listener, leave });
  };
  const removeListener = (event, listener) => {
    const at = listening.findIndex((one) => one.event === event && one.listener === listener);
    if (at >= 0) listening.splice(at, 1)[0].leave?.();
  };
  return { request, on, removeListener };
});

export const fromEthers = perSource((signer) => {
  if (!can(signer, "getAddress", "signTypedData")) fault("signer", "a signer of ethers 6", signer);
  const { address, provider } = signer;
  const ask = async ({ method, params = [] }) => {
    if (can(provider, "send")) return provider.send(method, params);
    // The provider is a fallback over several nodes, or a service's own.
    if (method === "eth_chainId") return String((await provider.getNetwork()).chainId);
    throw providerError(4200, `the signer's provider has no ${method}`);
  };
  // A JsonRpcSigner is a wallet behind its provider.
  if (can(signer, "sendUncheckedTransaction")) return restricted(address, ask);
  const signTypedData = ({ domain, types: { EIP712Domain, ...types }, message }) =>
    signer.signTypedData(domain, types, message);
  if (!provider) {
    return { account: address ?? fault("signer", "one with a provider, or an address", signer), signTypedData };
  }
  const canSign = can(signer, "populateTransaction", "signTransaction") && can(provider, "broadcastTransaction");
  // A NonceManager counts only what it sends itself.
  const counts = can(signer, "increment", "reset");
  const send = async ({ to, data, value, chainId, nonce: stated }) => {
    const asked = { to, data, value: BigInt(value), chainId: BigInt(chainId), ...numbered(stated) };
    const draws = counts && stated === undefined;
    // A NonceManager puts its own number in place of one that is stated.
    const sender = counts && !draws && can(signer.signer, "sendTransaction") ? signer.signer : signer;
    const sign = async () => {
      const nonce = draws && signer.getNonce("pending");
      if (draws) signer.increment();
      const { from, ...prepared } = await signer.populateTransaction(draws ? { ...asked, nonce: await nonce } : asked);
      checkFee(prepared.gasLimit, prepared.maxFeePerGas ?? prepared.gasPrice, asked);
      // Some signers can only send.
      return signer.signTransaction(prepared).catch((error) => {
        if (error?.code !== "UNSUPPORTED_OPERATION") throw error;
      });
    };
    try {
      const signed = canSign && (await attempt(sign, notSent));
      if (signed) {
        const { hash } = await attempt(() => provider.broadcastTransaction(signed), perhapsSent);
        if (counts && !draws) signer.reset();
        return hash;
      }
    } catch (error) {
      if (counts) signer.reset();
      throw error;
    }
    if (canSign && counts) signer.reset();
    return (await attempt(() => sender.sendTransaction(asked), perhapsSent)).hash;
  };
  return keyed(address, { signTypedData, send, ask, accounts: async () => [await signer.getAddress()] });
});

/** Characters that would hide the text, or turn it around. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export function discoverWallets(onChange) {
  const known = new Map();
  let wallets = Object.freeze([]);
  const add = ({ detail }) => {
    const { info: told, provider } = detail ?? {};
    const { uuid, name, icon, rdns } = told ?? {};
    const isWallet = [uuid, name, rdns].every((text) => typeof text === "string") && can(provider, "request");
    if (!isWallet || known.has(uuid)) return;
    // Only data URLs: a picture elsewhere would reveal this page's user to that host.
    const image = typeof icon === "string" && /^data:image\//.test(icon) ? icon : null;
    const info = Object.freeze({ uuid, name: name.replace(HIDDEN, "").slice(0, 64), icon: image, rdns });
    known.set(uuid, Object.freeze({ info, provider }));
    wallets = Object.freeze([...known.values()]);
    onChange?.(wallets);
  };
  // On a server there is none.
  const page = globalThis.window;
  page?.addEventListener("eip6963:announceProvider", add);
  page?.dispatchEvent(new Event("eip6963:requestProvider"));
  return {
    get wallets() {
      return wallets;
    },
    close: () => page?.removeEventListener("eip6963:announceProvider", add),
  };
}
