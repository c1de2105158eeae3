import type { Address, Amount, Hex, SentTransaction } from "verified-swap";
import type { Chain, Token } from "../sandbox/sandbox.ts";
import { isNative } from "../state/state.ts";
import { askNode } from "./node.ts";

/* What a transaction brought, by the page's own node: a wallet might claim more. Tokens are in its receipt's logs. The
   native token is in none: it is what the receiver's balance gained in that block, where nothing else can have moved
   it. */

interface Receipt {
  from: string;
  blockNumber: Hex;
  gasUsed: Hex;
  effectiveGasPrice: Hex;
  /** Of a rollup: more than the gas was paid. */
  l1Fee?: Hex;
  logs: { address: string; topics: string[]; data: Hex }[];
}

interface Block {
  miner: string;
  withdrawals?: { address: string }[];
  transactions: { hash: string; from: string; to: string | null }[];
}

/** `Transfer(address,address,uint256)` of ERC-20. */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** Null where it cannot be read, or is not certain. */
export async function arrivedBy(
  chain: Chain,
  { hash, from }: SentTransaction,
  token: Token,
  receiver: Address,
): Promise<Amount | null> {
  const ask = (method: string, params: unknown[]): Promise<unknown> => askNode(chain, method, params);
  try {
    const receipt = (await ask("eth_getTransactionReceipt", [hash])) as Receipt;
    if (!isNative(token)) return transferred(receipt, token.address, receiver);
    const block = (await ask("eth_getBlockByNumber", [receipt.blockNumber, true])) as Block;
    if (!isSame(receipt.from, from) || receipt.l1Fee || isMovedElsewhere(block, hash, receiver)) return null;
    const before = `0x${(BigInt(receipt.blockNumber) - 1n).toString(16)}`;
    const [then, now] = await Promise.all(
      [before, receipt.blockNumber].map(async (block) => BigInt((await ask("eth_getBalance", [receiver, block])) as Hex)),
    );
    const gas = isSame(receiver, from) ? BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice) : 0n;
    return String(now! - then! + gas);
  } catch {
    return null;
  }
}

/** The sum of the token's transfers to the receiver; null where there is none. */
function transferred({ logs }: Receipt, token: Address, receiver: Address): Amount | null {
  const transfers = logs.filter(
    ({ address, topics, data }) =>
      isSame(address, token) &&
      topics[0] === TRANSFER &&
      isSame(topics[2]?.slice(-40) ?? "", receiver.slice(2)) &&
      /^0x[0-9a-f]{64}$/i.test(data),
  );
  if (transfers.length === 0) return null;
  return transfers.reduce((sum, { data }) => sum + BigInt(data), 0n).toString();
}

/** Whether the block names that account beside this transaction. */
function isMovedElsewhere({ miner, withdrawals = [], transactions }: Block, hash: Hex | null, account: Address): boolean {
  const others = transactions.filter((other) => other.hash !== hash).flatMap(({ from, to }) => [from, to ?? ""]);
  return [miner, ...withdrawals.map(({ address }) => address), ...others].some((party) => isSame(party, account));
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
