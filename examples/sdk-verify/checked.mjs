// A gasless trade by the operator's SDK as npm has it. The SDK fetches, builds and posts; it has no wallet. Its order is
// checked by verified-swap/verify, and only then signed, by viem.
import { constructSimpleSDK } from "@velora-dex/sdk";
import { erc20Abi } from "viem";
import { init, verifyOrder } from "verified-swap/verify";
import { askPrice, build, confirm, isAllowed, main, post } from "./shared.mjs";

/** Refuses what differs from the request, and what nobody agrees to. Returns the typed data to sign, as it was read. */
async function check({ request, known, agree }, price, built) {
  const report = verifyOrder({ request, quote: price, toSign: built, ...known });
  console.log(report.sentence);
  for (const { text } of report.questions) {
    if (!(await agree(text))) throw new Error(`Not agreed to: ${text}`);
  }
  return JSON.parse(report.toSign);
}

/**
 * Price, order, check, approval, signature, post, until the order has ended. `known` is what the caller knows beside the
 * request: a `reference` price, `readings` of the chain, and `contracts` of one that is not pinned.
 */
export async function trade({ sdk, wallet, request, known, agree }) {
  await init();
  const price = await askPrice(sdk, request);
  // A copy: what is checked is what is posted, whatever the SDK does with its own.
  const built = structuredClone(await build(sdk, request, price));
  const typed = await check({ request, known, agree }, price, built);
  // Not the SDK's approveTokenForDelta, which asks the service once more whom to approve: this contract was checked.
  await approve(wallet, request, typed.domain.verifyingContract);
  return post(sdk, built.data, await wallet.account.signTypedData(typed));
}

/** Lets the contract take exactly what is sold. */
async function approve(wallet, request, spender) {
  if (await isAllowed(wallet, request, spender)) return;
  const args = [spender, BigInt(request.amount)];
  await confirm(wallet, await wallet.writeContract({ address: request.srcToken, abi: erc20Abi, functionName: "approve", args }));
}

await main(import.meta.url, ({ options, ask, ...rest }) => trade({ sdk: constructSimpleSDK(options), agree: ask, ...rest }));
