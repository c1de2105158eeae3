/** This package's client on paper. */
import { createClient } from "verified-swap";

/** With the storage of the page only if the trades are to be written down: the SDK writes none. */
export function paperClient({ wallet, world: { chainId, baseUrl }, isStored }) {
  // The flow is measured, not the service's limit.
  const rateLimit = { perSecond: 1_000, burst: 1_000, perDay: 1_000_000 };
  const storage = isStored ? {} : { storage: false };
  return createClient({ baseUrl, wallet, account: wallet.address, rpc: { [chainId]: wallet }, advanced: { rateLimit }, ...storage });
}
