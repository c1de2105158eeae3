/**
 * `verified-swap` as a running snippet imports it: the package, of which each client trades in the sandbox, where no
 * contract is pinned; and the values of the names in `prelude.d.ts`.
 */
import * as swap from "verified-swap";
import { startSandbox } from "verified-swap/testing";

export * from "verified-swap";

export const sandbox = await startSandbox(); // that of VERIFIED_SWAP_SANDBOX
export const createClient = (options) => swap.createClient({ ...options, ...sandbox.clientOptions });

const wallet = sandbox.wallet();
const options = { baseUrl: sandbox.url, partner: "my-dapp", wallet };
const { srcSymbol, destSymbol, ...request } = sandbox.request("USDC", "WETH", "100");
const client = await createClient(options);
const quiet = () => undefined;
/** Where the page states what is shown, that is printed. */
const show = process.env.VERIFIED_SWAP_SHOWS ? console.log : quiet;
Object.assign(globalThis, swap, {
  ...{ ...request, ...options, url: sandbox.url, request, options, client, createClient },
  ...{ account: wallet.address, taker: sandbox.accounts[1].address, takerClient: client.withWallet({ wallet: sandbox.wallet(1) }) },
  ...{ USDC: request.srcToken, WETH: request.destToken, USDC_THERE: sandbox.token("USDC", 31338).address },
  ...{ show, render: quiet, showUnfinished: quiet, keep: quiet, confirm: () => true },
});
globalThis.window = Object.assign(Object.create(null), { ethereum: wallet });
process.env.PRIVATE_KEY = sandbox.accounts[0].privateKey;
