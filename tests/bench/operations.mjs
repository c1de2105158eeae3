/**
 * The pure operations, each by this package and by the libraries a user would take instead. Runs in the
 * page. Inputs change with every call: viem remembers the addresses it has seen.
 */
import * as ethers from "ethers";
import * as viem from "viem";
import { privateKeyToAccount } from "viem/accounts";
import * as ours from "verified-swap";
import { init as initVerify, verifyOrder } from "verified-swap/verify";
import { honestTrade } from "../vectors/delta-trade.mjs";
import { SeededRandom } from "../vectors/seeded-random.mjs";
import { ORDER_TYPES, OTC_TYPES, OWNER_KEY, TWAP_TYPES, orderTypedData, otcTypedData, twapTypedData } from "./orders.mjs";

const ORDERS = 64;
/** More than viem's memory of addresses (8,192) holds. */
const ADDRESSES = 20_011;

/** Rows of `{ id, title, isAsync, candidates, note }`; the inputs are made here, outside of any timing. */
export async function operations() {
  await Promise.all([ours.init(), initVerify()]);
  const account = privateKeyToAccount(OWNER_KEY);
  const orders = orderTypedData(account.address, ORDERS);
  const texts = orders.map((typedData) => JSON.stringify(typedData));
  const signed = await Promise.all(orders.map((typedData) => account.signTypedData(typedData)));
  const addresses = checksummedAddresses();
  const amounts = Array.from({ length: 997 }, (_, at) => (123_456_789_012_345n * BigInt(at + 1) ** 3n).toString());
  const decimals = amounts.map((amount) => viem.formatUnits(BigInt(amount), 18));
  const bigints = amounts.map(BigInt);
  const random = new SeededRandom(1);
  const trades = Array.from({ length: ORDERS }, () => honestTrade(random));
  const at = (list, i) => list[i % list.length];
  const structs = [
    ["twapDigest", "TWAP order digest", twapTypedData(account.address, ORDERS), TWAP_TYPES],
    ["otcDigest", "OTC order digest", otcTypedData(account.address, ORDERS), OTC_TYPES],
  ];

  return [
    ...structs.map(([id, title, list, types]) => ({
      id, title,
      candidates: {
        ours: (i) => ours.hashTypedData(at(list, i)),
        viem: (i) => viem.hashTypedData(at(list, i)),
        ethers: (i) => ethersDigest(at(list, i), types),
      },
    })),
    {
      id: "jsonDigest", title: "digest from JSON typed data",
      candidates: {
        ours: (i) => ours.hashTypedData(at(texts, i)),
        viem: (i) => viem.hashTypedData(JSON.parse(at(texts, i))),
        ethers: (i) => ethersDigest(JSON.parse(at(texts, i))),
      },
    },
    {
      id: "recover", title: "recover the signer of an Order", isAsync: true,
      candidates: {
        ours: (i) => ours.recoverTypedDataSigner(at(orders, i), at(signed, i)),
        viem: (i) => viem.recoverTypedDataAddress({ ...at(orders, i), signature: at(signed, i) }),
        ethers: (i) => ethers.verifyTypedData(at(orders, i).domain, ORDER_TYPES, at(orders, i).message, at(signed, i)),
      },
    },
    {
      id: "checksum", title: "EIP-55 check, addresses not seen before",
      candidates: {
        ours: (i) => ours.isAddress(at(addresses, i)),
        viem: (i) => viem.isAddress(at(addresses, i)),
        ethers: (i) => ethers.isAddress(at(addresses, i)),
      },
    },
    {
      id: "checksumAgain", title: "EIP-55 check, the same 64 addresses again",
      note: "viem keeps its last 8,192 answers",
      candidates: {
        ours: (i) => ours.isAddress(addresses[i % 64]),
        viem: (i) => viem.isAddress(addresses[i % 64]),
        ethers: (i) => ethers.isAddress(addresses[i % 64]),
      },
    },
    {
      id: "parseUnits", title: "parseUnits, 18 decimals",
      candidates: {
        ours: (i) => ours.parseUnits(at(decimals, i), 18),
        viem: (i) => viem.parseUnits(at(decimals, i), 18),
        ethers: (i) => ethers.parseUnits(at(decimals, i), 18),
      },
    },
    {
      id: "formatUnits", title: "formatUnits, 18 decimals",
      candidates: {
        ours: (i) => ours.formatUnits(at(amounts, i), 18),
        viem: (i) => viem.formatUnits(at(bigints, i), 18),
        ethers: (i) => ethers.formatUnits(at(bigints, i), 18),
      },
    },
    {
      id: "verifyOrder", title: "verifyOrder: every check of a built order", note: "no other library does this",
      candidates: { ours: (i) => verifyOrder(at(trades, i)).digest },
      expected: (i) => at(trades, i).orderHash,
    },
  ];
}

/** Throws unless every candidate gives the same answer for the first inputs; a wrong answer is never timed. */
export async function sameAnswers({ id, candidates, expected }) {
  for (let i = 0; i < 70; i++) {
    const answers = Object.entries(candidates).map(async ([name, call]) => [name, String(await call(i))]);
    const [[, first], ...others] = await Promise.all(answers);
    if (expected && first !== expected(i)) throw new Error(`${id}: ours says ${first}, expected ${expected(i)}`);
    for (const [name, answer] of others) {
      if (first !== answer) throw new Error(`${id}: ours says ${first}, ${name} says ${answer}`);
    }
  }
}

function ethersDigest({ domain, message }, types = ORDER_TYPES) {
  return ethers.TypedDataEncoder.hash(domain, types, message);
}

function checksummedAddresses() {
  return Array.from({ length: ADDRESSES }, (_, at) => {
    const digest = ethers.id(`address ${at}`);
    return ethers.getAddress(digest.slice(0, 42));
  });
}
