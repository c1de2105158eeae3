/** The peer's reads, by viem's own functions: of account and chain it asks what this package asked for its last trade. */
import { decodeFunctionData, erc20Abi } from "viem";
import { ROUTER } from "../orders.mjs";

const READS = {
  eth_chainId: ({ reader }) => reader.getChainId(),
  eth_accounts: ({ viemClient }) => viemClient.getAddresses(),
  eth_getBlockByNumber: ({ reader }) => reader.getBlock(),
  eth_getCode: ({ reader }, [address]) => reader.getCode({ address }),
  eth_gasPrice: ({ reader }) => reader.getGasPrice(),
  eth_getBalance: ({ reader }, [address]) => reader.getBalance({ address }),
  eth_getTransactionCount: ({ reader }, [address]) => reader.getTransactionCount({ address }),
  // Without `to`: the references of a price, asked by code of the package's own.
  eth_call: ({ reader }, [{ to, data, input = data }]) =>
    to ? reader.readContract({ address: to, abi: erc20Abi, ...called(input) }) : reader.call({ data: input }),
};

/** Questions to a token, by calldata: decoded once, as the peer would. */
const known = new Map();

function called(data) {
  if (!known.has(data)) known.set(data, decodeFunctionData({ abi: erc20Abi, data }));
  return known.get(data);
}

/**
 * The peer's own questions to the wallet; and those of this package alone: once what the wallet can do, and after each
 * transaction whether it is the one that was to be sent.
 */
const OTHER = [
  "eth_signTypedData_v4", "eth_sendTransaction", "wallet_getCapabilities", "eth_getTransactionByHash", "eth_getTransactionReceipt",
];

/** `questions` are those of this package; a trade's own trial by `eth_call` is the flow's. */
export async function readTheSame(connected, questions) {
  const isRead = ({ method, params }) => !OTHER.includes(method) && params?.[0]?.to?.toLowerCase() !== ROUTER.toLowerCase();
  // One behind the other: viem would ask equal ones once that are asked together.
  for (const { method, params } of questions.filter(isRead)) {
    if (!(method in READS)) throw new Error(`${method}: the peer has no such question`);
    await READS[method](connected, params);
  }
}
