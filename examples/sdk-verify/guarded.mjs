// An app on the operator's SDK as npm has it: the SDK fetches, builds, has the wallet sign and send, and posts. The wallet that it
// gets is a guard: what the user did not ask for does not get past it, whatever the service, the SDK, or its own data say.
import { constructSimpleSDK } from "@velora-dex/sdk";
import { custom } from "viem";
import { guard, init } from "verified-swap/verify";
import { askPrice, build, confirm, isAllowed, main, post, walletOf } from "./shared.mjs";
import { keyWallet } from "./wallet.mjs";

/** The wallet, as the SDK gets it. `said.price` is what the service answered, once it did. */
function guardedWallet(provider, { request, known, agree }, said) {
  const { chainId, account, srcToken: token, amount } = request;
  const { contracts } = known;
  const order = () => ({ verifier: "verifyOrder", input: { request, quote: said.price, ...known } });
  const approval = { verifier: "verifyTransaction", input: { kind: "approval", contracts, request: { chainId, account, path: "delta", token, amount } } };
  return guard(provider, { request: () => [order(), approval], onPrompt: agree });
}

/**
 * Price, approval, order, until it has ended. `makeSdk` is given a wallet client of viem's. `known` is what the caller knows beside
 * the request: a `reference` price, `readings` of the chain, and `contracts` of one that is not pinned. `agree` is `onPrompt`.
 */
export async function trade({ provider, makeSdk, request, known, agree }) {
  const said = {};
  await init();
  const wallet = walletOf(request.account, request.chainId, custom(guardedWallet(provider, { request, known, agree }, said)));
  const sdk = makeSdk(wallet);
  const price = await askPrice(sdk, request);
  // A copy: the SDK goes on with its own.
  said.price = structuredClone(price);
  if (!(await isAllowed(wallet, request, await sdk.delta.getDeltaContract()))) {
    await confirm(wallet, await sdk.delta.approveTokenForDelta(request.amount, request.srcToken));
  }
  const built = await build(sdk, request, price);
  return post(sdk, built.data, await sdk.delta.signDeltaOrder(built));
}

/** `onPrompt` on a terminal: each question, and the whole, is asked. */
function asking(ask) {
  return async ({ verdict, sentence, questions, findings }) => {
    const accept = [];
    for (const { id, text } of questions) if (await ask(text)) accept.push(id);
    const found = findings.filter(({ severity }) => severity === "caution" || severity === "danger").map(({ text }) => `\n- ${text}`);
    return (await ask(`${sentence} (${verdict})${found.join("")}`)) && { accept };
  };
}

await main(import.meta.url, ({ wallet, options, request, known, ask }) => {
  const makeSdk = (viemClient) => constructSimpleSDK(options, { viemClient, account: request.account });
  return trade({ provider: keyWallet(wallet), makeSdk, request, known, agree: asking(ask) });
});
