import type { Address, Amount, Eip1193Provider, Hex } from "verified-swap";

/* What a transaction brought, by its receipt: the sum of the token's transfers to the receiver. */

interface Log {
  address: string;
  topics: string[];
  data: Hex;
}

/** `Transfer(address,address,uint256)` of ERC-20. */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** Null where the receipt cannot be read or names no such transfer, as of the native token. */
export async function arrivedBy(
  provider: Eip1193Provider,
  hash: Hex,
  token: Address,
  receiver: Address,
): Promise<Amount | null> {
  const receipt = await provider.request({ method: "eth_getTransactionReceipt", params: [hash] }).catch(() => null);
  const transfers = logsOf(receipt).filter(
    ({ address, topics }) =>
      address.toLowerCase() === token.toLowerCase() &&
      topics[0] === TRANSFER &&
      topics[2]?.slice(-40).toLowerCase() === receiver.slice(2).toLowerCase(),
  );
  if (transfers.length === 0) return null;
  return transfers.reduce((sum, { data }) => sum + BigInt(data), 0n).toString();
}

function logsOf(receipt: unknown): Log[] {
  return typeof receipt === "object" && receipt !== null && "logs" in receipt && Array.isArray(receipt.logs)
    ? receipt.logs
    : [];
}
