// The amounts that a Market swap moved, by the node of the account's wallet: the client reads no receipts. Tokens are in a
// receipt's logs. The native token is in none: it is what a balance gained in that block, where nothing else can have moved it.
import { membersOf } from "./module.ts";
import { list, text } from "./reading.ts";
import type { Address, Eip1193Provider, SentTransaction } from "./types.ts";
import type { MovedAmounts, SwapFigures } from "./types/swap.ts";

type Ask = (method: string, ...params: unknown[]) => Promise<unknown>;

/** `Transfer(address,address,uint256)` of ERC-20. */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

/** The amounts that left the sender and reached the receiver; each null where it cannot be read, or is not certain. */
export async function movedBy(
  request: Eip1193Provider["request"], sent: SentTransaction, { src, dest, receiver }: Pick<SwapFigures, "src" | "dest" | "receiver">,
): Promise<MovedAmounts> {
  const ask: Ask = async (method, ...params) => request({ method, params });
  const gain = (token: Address, account: Address | null) =>
    account === null ? null : gainOf(ask, sent, token, account).catch(() => null);
  // A wallet's node is of the chain on which the wallet is now.
  const isThere = await ask("eth_chainId").then((id) => Number(id) === sent.chainId, () => false);
  if (!isThere || !sent.hash) return { paid: null, received: null };
  const [left, gained] = await Promise.all([gain(src.token, sent.from), gain(dest.token, receiver)]);
  return { paid: left === null ? null : `${-left}`, received: gained === null ? null : `${gained}` };
}

async function gainOf(ask: Ask, { hash, from }: SentTransaction, token: Address, account: Address): Promise<bigint | null> {
  const receipt = membersOf(await ask("eth_getTransactionReceipt", hash));
  if (!receipt) return null;
  if (!isSame(token, NATIVE)) return transferred(list(receipt.logs, "receipt.logs"), token, account);
  const number = text(receipt.blockNumber);
  const block = await ask("eth_getBlockByNumber", number, true);
  // A rollup takes more than the gas.
  if (!isSame(text(receipt.from), from) || receipt.l1Fee || isMovedElsewhere(block, text(hash), account)) return null;
  const balances = [`0x${(BigInt(number) - 1n).toString(16)}`, number].map((at) => ask("eth_getBalance", account, at));
  const [before = 0n, after = 0n] = (await Promise.all(balances)).map((balance) => BigInt(text(balance)));
  const gas = isSame(account, from) ? BigInt(text(receipt.gasUsed)) * BigInt(text(receipt.effectiveGasPrice)) : 0n;
  return after - before + gas;
}

/** The token's transfers to the account less those from it; null where there is none. */
function transferred(logs: readonly unknown[], token: Address, account: Address): bigint | null {
  let [gain, isMoved] = [0n, false];
  for (const log of logs.map(membersOf)) {
    const [event, from, to] = list(log?.topics, "log.topics").map(text);
    const data = text(log?.data);
    if (!isSame(text(log?.address), token) || event !== TRANSFER || !/^0x[0-9a-f]{64}$/i.test(data)) continue;
    const isOf = (topic = "") => isSame(topic.slice(-40), account.slice(2));
    if (isOf(to)) gain += BigInt(data);
    if (isOf(from)) gain -= BigInt(data);
    isMoved ||= isOf(to) || isOf(from);
  }
  return isMoved ? gain : null;
}

/** Whether the block names that account beside this transaction. */
function isMovedElsewhere(block: unknown, hash: string, account: Address): boolean {
  const { miner, withdrawals, transactions } = membersOf(block) ?? {};
  const paid = list(withdrawals, "block.withdrawals").map((one) => membersOf(one)?.address);
  const others = list(transactions, "block.transactions").map(membersOf).filter((other) => other?.hash !== hash);
  return [miner, ...paid, ...others.flatMap((other) => [other?.from, other?.to])].some((party) => isSame(text(party), account));
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
