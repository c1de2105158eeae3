// Wallets of viem, wagmi and ethers, and those that a page finds by itself, as this package takes them. The functions
// return an object with `request` and `account`: an EIP-1193 provider, which `withWallet` takes as it is. Nothing is
// imported from those libraries.
import { answerOf, asFromEthers, foreign, membersOf, type Holds, type Members } from "./module.ts";
import { absent, fault } from "./reading.ts";
import type { Address, Eip1193Provider, Hex, TypedData } from "./types.ts";
import type * as published from "./types/viem.ts";

export type Entry = Holds<typeof import("./viem.ts"), typeof published>;

type Ask = Eip1193Provider["request"];
/** A transaction, as the client has it sent. */
interface Sent {
  from: Address;
  to: Address;
  data: Hex;
  value: Hex;
  chainId: number | Hex;
  nonce?: Hex;
}
/** A number as libraries have it. */
type Numeric = bigint | number | string | null | undefined;
/** The members of a transaction by which its fee is judged, as a library fills them in. */
interface Priced {
  gas?: Numeric;
  gasLimit?: Numeric;
  maxFeePerGas?: Numeric;
  gasPrice?: Numeric;
}
/** An account of viem's that can sign transactions, and its wallet client. */
interface SendingAccount extends published.ViemAccount {
  nonceManager?: { reset(of: { address: Address; chainId: number }): void };
  signTransaction(transaction: object, options: { serializer: unknown }): Promise<string>;
}
interface SendingClient {
  chain?: { id: number; serializers?: { transaction?: unknown } } | null;
  prepareTransactionRequest(transaction: object): Promise<Priced>;
  sendTransaction(transaction: object): Promise<string>;
  sendRawTransaction(transaction: { serializedTransaction: string }): Promise<string>;
}
/** A connector of wagmi's. */
interface Connector {
  getAccounts(): Promise<unknown>;
  getProvider(): Promise<Eip1193Provider>;
}
/** A signer of ethers' and its provider, as far as they have been looked at. */
interface SendingSigner extends published.EthersSigner {
  address?: Address;
  provider: SendingProvider | null | undefined;
  signer?: unknown;
  getAddress(): Promise<Address>;
  getNonce(block: "pending"): Promise<number>;
  increment(): void;
  reset(): void;
  populateTransaction(transaction: object): Promise<Priced & { from?: unknown }>;
  signTransaction(transaction: object): Promise<string>;
  sendTransaction(transaction: object): Promise<{ hash: string }>;
}
interface SendingProvider {
  send(method: string, params: unknown): Promise<unknown>;
  getNetwork(): Promise<{ chainId: bigint }>;
  broadcastTransaction(transaction: string): Promise<{ hash: string }>;
}

const can = (object: unknown, ...names: string[]) => names.every((name) => typeof membersOf(object)?.[name] === "function");

const isText = (value: unknown): value is string => typeof value === "string";

/** An error of EIP-1193. */
const providerError = (code: number, message: string, cause?: unknown) => Object.assign(new Error(message, { cause }), { code });

/** Whether a test holds for an error, or for one that caused it. */
const isInside = (error: unknown, is: (error: Members) => boolean, depth = 8): boolean =>
  Boolean(error) && depth > 0 && (is(membersOf(error) ?? {}) || isInside(membersOf(error)?.cause, is, depth - 1));

/** The codes of a user's refusal, of EIP-1193 and of ethers; with them those by which nodes and wallets refuse, and words. */
const REJECTED: readonly unknown[] = [4001, "ACTION_REJECTED"];
const REFUSED = [...REJECTED, 3, 4100, 4200, -32601, -32602, 4902];
const REFUSALS = /insufficient funds|intrinsic gas|block base fee|revert/i;
const isRefused = (error: unknown) => isInside(error, ({ code, message }) => REFUSED.includes(code) || REFUSALS.test(String(message)));

/** An error of these functions before they send: the client reads it by its first words. */
const unsent = (code: number, message: unknown, cause?: unknown) => providerError(code, `nothing was sent: ${message}`, cause);
const notSent = (error: unknown) =>
  isInside(error, ({ code }) => REJECTED.includes(code)) ? error : unsent(-32602, membersOf(error)?.message, error);

/** Reports that the transaction may have been sent: a node may have taken it without acknowledging. */
const perhapsSent = (error: unknown) => (isRefused(error) ? error : providerError(4900, String(membersOf(error)?.message ?? error), error));

/** The result of `step`; if it fails, its error as `meaning` converts it. */
const attempt = async <Result>(step: () => Result, meaning: (error: unknown) => unknown): Promise<Awaited<Result>> => {
  try {
    return await step();
  } catch (error) {
    throw meaning(error);
  }
};

/** A transaction's nonce, if this package states one. */
const numbered = (nonce: unknown) => (nonce === undefined ? {} : { nonce: Number(nonce) });

/** The least cap of a transaction's fee, in wei: 0.02 of a coin such as ether, and as many times that of one worth less. */
const FEE = 20_000_000_000_000_000n;
const LESS_WORTH: Record<number, bigint> = { 56: 4n, 100: 3_000n, 137: 7_500n, 43114: 100n };

/** Refuses a fee that a node proposes: beyond `maxFee`, else beyond the larger of the least cap and 5 % of what is given. */
function checkFee(gas: Numeric, price: Numeric, { chainId, value }: { chainId: number | bigint; value: bigint }, maxFee?: bigint) {
  const [fee, given] = [BigInt(gas ?? 0) * BigInt(price ?? 0), value / 20n];
  const least = FEE * (LESS_WORTH[Number(chainId)] ?? 1n);
  const limit = maxFee ?? (given > least ? given : least);
  if (fee <= limit) return;
  const message = `the node proposes a fee of up to ${fee} wei (${gas} gas at ${price} wei), more than ${limit} wei: maxFee allows more`;
  throw providerError(-32602, message);
}

const isSame = (offered: unknown, account: unknown) => String(offered).toLowerCase() === String(account).toLowerCase();

/** viem's `request`, sent once: by itself it repeats a prompt that failed with a code such as -32603. */
const once = (client: published.ViemWalletClient): Ask => (args) => client.request(args, { retryCount: 0 });

/** The same wallet for the same source: a page may name it in every render, and another wallet ends an open review. */
function perSource<Source extends object, Wallet>(make: (source: Source) => Wallet) {
  const made = new WeakMap<Source, Readonly<Wallet>>();
  return (source: Source): Readonly<Wallet> => {
    const wallet = made.get(source) ?? Object.freeze(make(source));
    made.set(source, wallet);
    return wallet;
  };
}

/** A wallet behind `ask`, of which only `account` trades. */
function restricted(account: Address, ask: Ask): published.BoundWallet {
  const isIt = (offered: unknown) => isSame(offered, account);
  const request: Ask = async (args) => {
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
function keyed(account: Address | undefined, { signTypedData, send, ask, accounts = () => [account] }: {
  signTypedData(typedData: TypedData): Promise<string>;
  send(transaction: Sent): Promise<string>;
  ask: Ask;
  accounts?: () => unknown[] | Promise<unknown[]>;
}): published.BoundWallet {
  const checkOwner = async (asked: unknown) => {
    const [own] = await accounts();
    if (!isSame(asked, own)) throw unsent(4100, `the key is of ${own}, not of ${asked}`);
  };
  const request: Ask = async ({ method, params = [] }) => {
    if (method === "eth_accounts") return accounts();
    const { 0: first, 1: second } = membersOf(params) ?? {};
    if (method === "eth_signTypedData_v4") {
      await checkOwner(first);
      return signTypedData(answerOf<TypedData>(JSON.parse(String(second))));
    }
    if (method === "eth_sendTransaction") {
      const sent = foreign<Sent>(first);
      await checkOwner(sent.from);
      // Libraries sign for any given chain, and nodes may take it.
      const id = await attempt(() => ask({ method: "eth_chainId" }), notSent);
      if (Number(id) !== Number(sent.chainId)) throw unsent(-32602, "the node is of another chain than the transaction");
      return send(sent);
    }
    // The node is not the user's wallet: an unlocked one would sign for its own accounts.
    if (!READS.has(method)) throw providerError(4200, `a local account has no ${method}`);
    return ask({ method, params });
  };
  return account ? { request, account } : { request };
}

export const fromWalletClient = perSource((walletClient: published.ViemWalletClient): published.BoundWallet => {
  if (!can(walletClient, "request")) fault("walletClient", "a viem WalletClient", walletClient);
  const { account } = walletClient;
  if (can(account, "signTypedData")) return fromAccount(foreign<published.ViemAccount>(account), { walletClient });
  return account ? restricted(account.address, once(walletClient)) : { request: once(walletClient) };
});

/** An account that signs; it sends by `sendTransaction`, if at all. */
function signing(account: published.ViemAccount, sendTransaction?: SendTransaction): published.BoundSigner {
  const signTypedData = (typedData: TypedData) => account.signTypedData(typedData);
  const give = (send: SendTransaction) => (sent: Sent & { chainId: number }) =>
    attempt(() => send({ ...sent, value: BigInt(sent.value), ...numbered(sent.nonce) }), perhapsSent);
  return { account: account.address, signTypedData, ...(sendTransaction && { sendTransaction: give(sendTransaction) }) };
}
const signingAlone = perSource((account: published.ViemAccount) => signing(account));

/** The other means of sending, of an account without a wallet client. */
type SendTransaction = (transaction: Omit<Sent, "value" | "chainId" | "nonce"> & { value: bigint; chainId: number }) => Promise<string>;

export function fromAccount(
  account: published.ViemAccount, options: { walletClient: published.ViemWalletClient; maxFee?: bigint | undefined },
): published.BoundWallet;
export function fromAccount(
  account: published.ViemAccount, options?: { sendTransaction?: SendTransaction | undefined },
): published.BoundSigner;
export function fromAccount(account: published.ViemAccount, { walletClient, sendTransaction, maxFee }: {
  walletClient?: published.ViemWalletClient; sendTransaction?: SendTransaction | undefined; maxFee?: bigint | undefined;
} = {}): published.BoundWallet | published.BoundSigner {
  if (!can(account, "signTypedData")) fault("account", "a viem account that signs, e.g. of privateKeyToAccount", account);
  if (!walletClient) return sendTransaction ? signing(account, sendTransaction) : signingAlone(account);
  if (!can(walletClient, "request", "sendTransaction")) fault("walletClient", "a viem WalletClient", walletClient);
  if (!absent(maxFee) && typeof maxFee !== "bigint") fault("maxFee", "wei, as a bigint", maxFee);
  const signs = can(account, "signTransaction") && can(walletClient, "prepareTransactionRequest", "sendRawTransaction");
  const [sender, signer] = [foreign<SendingClient>(walletClient), foreign<SendingAccount>(account)];
  const send = async ({ to, data, value, ...sent }: Sent) => {
    const chainId = Number(sent.chainId);
    const chain = sender.chain?.id === chainId ? sender.chain : null;
    const asked = { chainId, to, data, value: BigInt(value), ...numbered(sent.nonce) };
    // A smart account's client sends by itself.
    if (!signs) return attempt(() => sender.sendTransaction({ account, chain, ...asked }), perhapsSent);
    const { address, nonceManager } = signer;
    const sign = async () => {
      const prepared = await sender.prepareTransactionRequest({ account, chain, nonceManager, ...asked });
      checkFee(prepared.gas, prepared.maxFeePerGas ?? prepared.gasPrice, asked, maxFee);
      return signer.signTransaction({ ...prepared, ...asked }, { serializer: chain?.serializers?.transaction });
    };
    try {
      const serializedTransaction = await attempt(sign, notSent);
      return await attempt(() => sender.sendRawTransaction({ serializedTransaction }), perhapsSent);
    } catch (error) {
      nonceManager?.reset({ address, chainId });
      throw error;
    }
  };
  return keyed(account.address, { ...signing(account), send, ask: once(walletClient) });
}

/** The members of a wagmi connection whose change is an event of EIP-1193. */
const TOLD: Record<string, (now: unknown) => unknown> = {
  accountsChanged: (now) => foreign<readonly unknown[] | undefined>(membersOf(now)?.accounts)?.join(),
  chainChanged: (now) => membersOf(now)?.chainId,
};

export const fromWagmi = perSource((config: published.WagmiConfig) => {
  if (!can(config?.state?.connections, "get")) fault("config", "a wagmi config", config);
  const request: Ask = async ({ method, params }) => {
    const { connections, current } = config.state;
    const connected = membersOf(connections.get(current))?.connector;
    // Until it has reconnected, wagmi has a connector's name alone.
    if (!can(connected, "getProvider")) {
      if (method === "eth_accounts") return [];
      throw providerError(4100, "wagmi has no connected wallet");
    }
    const connector = foreign<Connector>(connected);
    if (method === "eth_accounts") return connector.getAccounts();
    // With a chain, WalletConnect's would switch to it first.
    const provider = await connector.getProvider();
    return provider.request({ method, params });
  };
  type Listener = (value: unknown) => void;
  const listening: { event: string; listener: Listener; leave: (() => void) | undefined }[] = [];
  const on = (event: string, listener: Listener) => {
    const read = ({ connections, current }: published.WagmiConfig["state"]) => TOLD[event]?.(connections.get(current));
    const accounts = (told: unknown) => (isText(told) ? told.split(",") : []);
    const leave = config.subscribe?.(read, (told: unknown) => listener(event === "chainChanged" ? told : accounts(told)));
    listening.push({ event, listener, leave });
  };
  const removeListener = (event: string, listener: Listener) => {
    const at = listening.findIndex((one) => one.event === event && one.listener === listener);
    if (at >= 0) listening.splice(at, 1)[0]?.leave?.();
  };
  return { request, on, removeListener };
});

export const fromEthers = asFromEthers(/* @__PURE__ */ perSource((signer: SendingSigner): published.BoundWallet | published.BoundSigner => {
  if (!can(signer, "getAddress", "signTypedData")) fault("signer", "a signer of ethers 6", signer);
  const { address, provider } = signer;
  const signTypedData = ({ domain, types: { EIP712Domain, ...types }, message }: TypedData) =>
    signer.signTypedData(domain, types, message);
  if (!provider) {
    return { account: address ?? fault("signer", "one with a provider, or an address", signer), signTypedData };
  }
  const ask: Ask = async ({ method, params = [] }) => {
    if (can(provider, "send")) return provider.send(method, params);
    // The provider is a fallback over several nodes, or a service's own.
    if (method === "eth_chainId") return String((await provider.getNetwork()).chainId);
    throw providerError(4200, `the signer's provider has no ${method}`);
  };
  // A JsonRpcSigner is a wallet behind its provider.
  if (address && can(signer, "sendUncheckedTransaction")) return restricted(address, ask);
  const canSign = can(signer, "populateTransaction", "signTransaction") && can(provider, "broadcastTransaction");
  // A NonceManager counts only what it sends itself.
  const counts = can(signer, "increment", "reset");
  const send = async ({ to, data, value, chainId, nonce: stated }: Sent) => {
    const asked = { to, data, value: BigInt(value), chainId: BigInt(chainId), ...numbered(stated) };
    const draws = counts && stated === undefined;
    // A NonceManager puts its own number in place of one that is stated.
    const sender = counts && !draws && can(signer.signer, "sendTransaction") ? foreign<SendingSigner>(signer.signer) : signer;
    const sign = async () => {
      const nonce = draws && signer.getNonce("pending");
      if (draws) signer.increment();
      const { from, ...prepared } = await signer.populateTransaction(draws ? { ...asked, nonce: await nonce } : asked);
      checkFee(prepared.gasLimit, prepared.maxFeePerGas ?? prepared.gasPrice, asked);
      // Some signers can only send.
      return signer.signTransaction(prepared).catch((error) => {
        if (membersOf(error)?.code !== "UNSUPPORTED_OPERATION") throw error;
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
}));

export { discoverWallets } from "./discover.ts";
