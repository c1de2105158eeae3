import type { Address, Amount, Hex, SentTransaction } from "verified-swap";
import type { Chain, Token } from "../sandbox/sandbox.ts";
import { isNative } from "../state/state.ts";
import { askNode } from "./node.ts";

/* What a transaction moved, by the page's own node: a wallet might claim more. Tokens are in its receipt's logs. The
   native token is in none: it is what the account's balance gained in that block, where nothing else can have moved it. */

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

/** What left the sender, and what reached the receiver; each null where it cannot be read, or is not certain. */
export async function amountsMoved(
  chain: Chain,
  transaction: SentTransaction,
  [src, dest]: [Token, Token],
  receiver: Address,
): Promise<{ paid: Amount | null; received: Amount | null }> {
  const [left, gained] = await Promise.all([
    gainOf(chain, transaction, src, transaction.from),
    gainOf(chain, transaction, dest, receiver),
  ]);
  return { paid: left === null ? null : String(-left), received: gained === null ? null : String(gained) };
}

async function gainOf(chain: Chain, { hash, from }: SentTransaction, token: Token, account: Address): Promise<bigint | null> {
  const ask = (method: string, params: unknown[]): Promise<unknown> => askNode(chain, method, params);
  try {
    const receipt = (await ask("eth_getTransactionReceipt", [hash])) as Receipt;
    if (!isNative(token)) return transferred(receipt, token.address, account);
    const block = (await ask("eth_getBlockByNumber", [receipt.blockNumber, true])) as Block;
    if (!isSame(receipt.from, from) || receipt.l1Fee || isMovedElsewhere(block, hash, account)) return null;
    const before = `0x${(BigInt(receipt.blockNumber) - 1n).toString(16)}`;
    const [then, now] = await Promise.all(
      [before, receipt.blockNumber].map(async (block) => BigInt((await ask("eth_getBalance", [account, block])) as Hex)),
    );
    const gas = isSame(account, from) ? BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice) : 0n;
    return now! - then! + gas;
  } catch {
    return null;
  }
}

/** The token's transfers to the account less those from it; null where there is none. */
function transferred({ logs }: Receipt, token: Address, account: Address): bigint | null {
  const party = (topic: string | undefined): boolean => isSame(topic?.slice(-40) ?? "", account.slice(2));
  const transfers = logs.filter(
    ({ address, topics, data }) =>
      isSame(address, token) &&
      topics[0] === TRANSFER &&
      (party(topics[1]) || party(topics[2])) &&
      /^0x[0-9a-f]{64}$/i.test(data),
  );
  const signed = transfers.map(({ topics, data }) => BigInt(data) * BigInt(Number(party(topics[2])) - Number(party(topics[1]))));
  return transfers.length === 0 ? null : signed.reduce((sum, amount) => sum + amount, 0n);
}

/** Whether the block names that account beside this transaction. */
function isMovedElsewhere({ miner, withdrawals = [], transactions }: Block, hash: Hex | null, account: Address): boolean {
  const others = transactions.filter((other) => other.hash !== hash).flatMap(({ from, to }) => [from, to ?? ""]);
  return [miner, ...withdrawals.map(({ address }) => address), ...others].some((party) => isSame(party, account));
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
