/** Readings that need an account with orders, which are read and never changed. */
import { hashTypedData } from "verified-swap";
import { hashed } from "./kinds.mjs";
import { known, types } from "./known.mjs";
import { seen } from "./requests.mjs";

const FINAL = ["COMPLETED", "FAILED", "EXPIRED", "CANCELLED", "REFUNDED"];

/** `account`: whose orders; null where none was named. */
export function readingsOfAccount(subject, account, openClient) {
  const orders = async () => {
    if (!account) throw new Error("the made-up owner has no orders; --orders-of ADDRESS names somebody who has");
    return seen(await subject.ask("/v2/delta/orders", { query: { userAddress: account, chainId: subject.chainId } })).json.data;
  };
  return [
    ["sort order of orders", async () => {
      const times = (await orders()).map(({ createdAt }) => Date.parse(createdAt));
      if (new Set(times).size < 2) throw new Error("it takes two orders of different times");
      const steps = times.slice(1).map((time, index) => time - times[index]);
      return known(times, { "newest first": () => steps.every((step) => step <= 0), "oldest first": () => steps.every((step) => step >= 0) });
    }],
    ["bounds of an order", async () => {
      const [order] = await orders();
      if (!order) throw new Error("the account has no order");
      const bound = order.side === "BUY" ? order.input : order.output;
      return known(bound, { "stated": (sent) => "minAmount" in sent || "maxAmount" in sent, "left out": (sent) => "token" in sent });
    }],
    ["build/cancellation", async () => {
      const open = (await orders()).find(({ status }) => !FINAL.includes(status));
      if (!open) throw new Error("the account has no open order");
      const body = JSON.stringify({ orderIds: [open.id] });
      const { toSign, hash } = seen(await subject.ask("/v2/delta/orders/build/cancellation", { body })).json;
      const own = await shownToWallet(openClient, subject.chainId, open);
      const reading = known({ hash, types: types(toSign) }, { "this package's own typed data": ({ hash }) => hash?.toLowerCase() === hashTypedData(own) });
      return `${reading}; ${hashed(toSign, hash)}`;
    }],
  ];
}

/** The typed data that this package would have the owner sign to cancel: shown to a wallet that never signs. */
async function shownToWallet(openClient, chainId, order) {
  let shown;
  const request = async ({ method, params }) => {
    if (method === "eth_chainId") return `0x${chainId.toString(16)}`;
    if (method === "eth_accounts" || method === "eth_requestAccounts") return [order.owner];
    if (method === "eth_signTypedData_v4") shown = JSON.parse(params[1]);
    throw Object.assign(new Error(`${method} is not done here`), { code: 4001 });
  };
  const client = await openClient({ wallet: { request } });
  try {
    await client.cancel(order).catch((error) => {
      if (!shown) throw error;
    });
    return shown;
  } finally {
    client.close();
  }
}
