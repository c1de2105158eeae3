/** The tarball's declarations in strict TypeScript apps: what should compile does, what should not does not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "node:path";
import { freshApp, run } from "./app.mjs";
import { ROOT } from "./locations.mjs";

/** Each `@ts-expect-error` fails the compilation where the line below it would compile. */
const APP = `import {
  createClient, init, isTradeError, minReceived, parseUnits,
  type Client, type Comparison, type DeltaBuild, type DeltaQuote, type LiveQuote, type MarketBuild, type Order, type OtcBuild, type OtcOrder, type Permit,
  type QuoteRequest, type QuoteState, type SentTransaction, type ActiveTrade,
} from "verified-swap";
import { createClient as createInlined } from "verified-swap/inline";
import { verifyOrder, type VerifyOrderInput, type VerifyReport } from "verified-swap/verify";

const wallet = { request: async ({ method }: { method: string; params?: readonly unknown[] | object }): Promise<unknown> => method };

export async function trade(): Promise<Order> {
  const client: Client = await createClient({ baseUrl: "https://service.example", partner: "app", wallet });
  const inlined: Client = await createInlined({ baseUrl: "https://service.example" });
  inlined.close();
  const nativeCurrency = { name: "Ether", symbol: "ETH", decimals: 18 };
  const described = { id: 10, name: "OP", nativeCurrency, rpcUrls: { default: { http: ["https://op.example"] } }, testnet: false } as const;
  const stated = { chainName: "Base", nativeCurrency, rpcUrls: ["https://base.example"] };
  await createClient({ baseUrl: "https://service.example", wallet, switchChain: true, addChain: { 8453: stated, [described.id]: described } });
  for (const storage of [false, new Map<string, string>()] as const) await createClient({ baseUrl: "https://service.example", storage });
  const { state, reason }: { state: "stored" | "memory" | "unreadable" | "off"; reason: string | null } = await client.trades.storage();
  void [state, reason];
  const quote = await client.quote({ chainId: 8453, srcToken: "native", destToken: "0x", amount: 1n, srcDecimals: 18, destDecimals: 6 });
  const least: string = minReceived(quote, 50);
  const build: DeltaBuild = await client.build(quote, { slippageBps: 50, minReceived: least });
  if (build.approval) await client.approve(build.approval, { amount: "unlimited" });
  for await (const order of client.watch(await client.submit(build))) if (order.status === "COMPLETED") return order;
  throw new Error("not completed");
}

export async function mistakes(client: Client, build: DeltaBuild): Promise<void> {
  await init();
  // @ts-expect-error: a number has lost digits before anyone can check it
  await client.quote({ chainId: 1, srcToken: "a", destToken: "b", amount: 1, srcDecimals: 18, destDecimals: 6 });
  // @ts-expect-error: slippage has no silent default
  await client.build(await client.quote({ chainId: 1, srcToken: "a", destToken: "b", amount: "1", srcDecimals: 18, destDecimals: 6 }), {});
  // @ts-expect-error: a misspelt option
  await client.submit(build, { onProgres: () => undefined });
  // @ts-expect-error: not a storage, and nothing less
  await createClient({ baseUrl: "https://service.example", storage: true });
  const asked = { chainId: 1, srcToken: "a", destToken: "b", amount: "1", srcDecimals: 18, destDecimals: 6 };
  // The client's \`onPrompt\` may be who asks.
  (await createClient({ baseUrl: "https://service.example", onPrompt: () => true })).withWallet({ wallet: { request: async () => [] } }).trade(asked, { slippageBps: 50 });
  client.trade(asked, { slippageBps: 50, onReview: undefined });
  // @ts-expect-error: no answer
  client.trade(asked, { slippageBps: 50, onPrompt: () => "yes" });
  // @ts-expect-error: it opens no prompt
  await client.quote(asked, { onPrompt: () => true });
  // @ts-expect-error: slippage has no silent default here either
  client.trade(asked, { onReview: () => true });
  const slice: DeltaQuote = await client.quote({ ...asked, numSlices: 2, intervalSecs: 60 });
  const compared: Comparison = await client.quote({ ...asked, mode: "BOTH" }, { onQuote: ({ kind }) => void kind });
  void [slice, compared];
  // @ts-expect-error: slices have a pace
  await client.quote({ ...asked, numSlices: 2 });
  const routed: MarketBuild = await client.build({ ...asked, mode: "MARKET" }, { slippageBps: 50, minReceived: 1n });
  void routed;
  // @ts-expect-error: only a Market request is priced with its build
  await client.build(asked, { slippageBps: 50 });
  // @ts-expect-error: a chain without a node
  await createClient({ baseUrl: "https://service.example", addChain: { 1: { chainName: "x", nativeCurrency: { name: "x", symbol: "x", decimals: 18 } } } });
  // @ts-expect-error: a client needs to know its service
  await createClient({});
  const units: bigint = BigInt(parseUnits("1.5", 6));
  void units;
}

/** As a form does it: a live price, and all steps of the trade in one call. */
export async function form(client: Client, request: QuoteRequest, show: (state: QuoteState) => void): Promise<string> {
  const live: LiveQuote = client.watchQuotes(request);
  const leave: () => void = live.subscribe(show);
  for await (const { quote, isStale } of live) if (quote && !isStale) break;
  leave();
  live.update({ ...request, mode: "BOTH" });
  live.pause();
  live.resume();
  const { best, delta, market } = live.state.comparison ?? { best: null };
  void [best === "delta" ? delta?.alternatives.length : market?.spender, (live.state.retryAtMs ?? 0) - Date.now(), live.state.paused === "app"];
  // @ts-expect-error: a trade is of one path
  client.trade({ ...request, mode: "BOTH" }, { slippageBps: 50, onReview: () => true });
  const { quote } = live.state;
  const started: ActiveTrade = client.trade(quote ?? request, {
    slippageBps: 50,
    advanced: { directFeeTransfer: false },
    partiallyFillable: false,
    permit: "whenPossible",
    approveAmount: "unlimited",
    onReview: async ({ sentence, approval, steps, signal }) => !signal.aborted && approval === null && sentence.length > 0 && steps.every(({ purpose, paysGas }) => purpose === "order" || paysGas),
    onPrompt: ({ purpose, verdict, questions, parts, findings, digests, hardware }) =>
      purpose === "cancelOrders" || verdict === "unknown" || parts.length > 1 || findings.length > 1 || digests.eip712 === hardware?.digest || { accept: questions.map(({ id }) => id) },
    onProgress: ({ step, message }) => void [step, message],
  });
  client.trade({ ...request, numSlices: 2, intervalSecs: 60, side: "BUY" }, { maxSrcAmount: 7n, onReview: () => true });
  client.trade(request, { limitPrice: "0.1", validForSecs: 86_400, onReview: () => true });
  const { order, build } = await started;
  const [status, hash]: [string, string] = [order.status, build.kind === "delta" ? build.orderHash : build.transaction.to];
  return [status, hash, started.state.signedOrder?.orderHash].join();
}

type Asked = VerifyOrderInput["request"];
const account = "0x5555555555555555555555555555555555555555";
const pair = { chainId: 8453, srcToken: "native", destToken: account, amount: 100n, srcDecimals: 18, destDecimals: 6, account } as const;
const slices = { numSlices: 12, intervalSecs: 3600 } as const;

/** Between another SDK's build and sign: each kind of order with the options it was built with. */
export function verified(quote: unknown, toSign: string, orderHash: \`0x\${string}\`, permit: Permit): VerifyReport[] {
  const { sealed, ...foreign } = permit;
  const asked: Asked[] = [
    { ...pair, slippageBps: 50, minReceived: 99n, maxSpent: "100", deadline: 1_800_000_000, nonce: 7n },
    { ...pair, side: "BUY", slippageBps: 50, advanced: { metadata: "0x99", takeSurplus: false, capSurplus: true } },
    { ...pair, limitAmount: 101n },
    { ...pair, type: "LIMIT", slippageBps: 50 },
    { ...pair, limitAmount: "101", partiallyFillable: true },
    { ...pair, ...slices, slippageBps: 50 },
    { ...pair, ...slices, limitAmount: 9n },
    { ...pair, ...slices, side: "BUY", maxSrcAmount: 120n },
    { ...pair, destChainId: 10, slippageBps: 50, advanced: { route: 0 } },
    { ...pair, slippageBps: 50, permit },
    { ...pair, slippageBps: 50, permit: foreign },
    { ...pair, slippageBps: 50, advanced: { external: { handler: account, data: "0xabcd" } } },
  ];
  // @ts-expect-error: neither slippage nor limit
  asked.push({ ...pair });
  // @ts-expect-error: a price is not exact enough to check by: the amount is
  asked.push({ ...pair, limitPrice: "0.1" });
  // @ts-expect-error: the moment it ends, not how long it lasts
  asked.push({ ...pair, slippageBps: 50, validForSecs: 60 });
  // @ts-expect-error: without the owner
  asked.push({ ...pair, account: undefined, slippageBps: 50 });
  return asked.map((request) => verifyOrder({ request, quote, toSign, orderHash }));
}

export const whichever = (client: Client, build: DeltaBuild | MarketBuild | OtcBuild): Promise<Order | OtcOrder | SentTransaction> =>
  client.submit(build, { onProgress: ({ signedOrder }) => signedOrder && client.submit(signedOrder) });

export function told(error: unknown): string | undefined {
  if (isTradeError(error, "VERIFY_MISMATCH")) {
    const code: "VERIFY_MISMATCH" = error.code;
    return [code, error.field, error.expected, error.actual].join(" ");
  }
  if (isTradeError(error) && error.code === "USER_REJECTED") return "rejected";
  // @ts-expect-error: not one of the codes
  if (isTradeError(error, "USER_REJECT")) return "rejected";
  return undefined;
}
`;

const OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
  target: "es2022",
  lib: ["es2022", "dom"],
  types: [],
};

const KINDS = {
  bundler: { module: "esnext", moduleResolution: "bundler" },
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
};

/** Node's own types, as far as the declarations name them; `WebAssembly` and the DOM are not among them. */
const NODE = `declare class URL { readonly href: string }
declare class AbortSignal { readonly aborted: boolean }
declare class Response { readonly ok: boolean }
`;
const IN_NODE = `import { createClient, init } from "verified-swap";
await init(new Uint8Array(8));
await init(new URL());
const client = await createClient({ baseUrl: "https://service.example" });
await client.info.chains({ signal: new AbortSignal() });
// @ts-expect-error: nothing a module is in
await init(7);
`;

/** Compiles those files of an app of that name: resolves where TypeScript has no complaint. */
async function compiles(name, files, compilerOptions) {
  const config = JSON.stringify({ compilerOptions: { ...OPTIONS, ...compilerOptions }, files: Object.keys(files) });
  const folder = await freshApp(name, { ...files, "tsconfig.json": config });
  return run(folder, process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "--project", "."]);
}

test("a strict app in Node compiles without the DOM's types", () =>
  compiles("types-node", { "node.d.ts": NODE, "app.ts": IN_NODE }, { ...KINDS.nodenext, lib: ["es2022"] }));

const GUARD = `import { createClient, type OnPrompt } from "verified-swap";
import { guard, type Asked, type GuardOptions, type GuardPrompt, type GuardedProvider } from "verified-swap/verify";
import { guard as inlined } from "verified-swap/verify/inline";
import { createWalletClient, custom, type EIP1193Provider } from "viem";

export async function guarded(provider: EIP1193Provider, order: Asked, agree: OnPrompt & GuardOptions["onPrompt"], quote: unknown): Promise<GuardedProvider> {
  const wallet = guard(provider, { onPrompt: ({ sentence, questions: [question] }: GuardPrompt) => (question ? { accept: [question.id] } : sentence.length > 0) });
  createWalletClient({ transport: custom(wallet) });
  inlined(wallet, { onPrompt: async () => false }).on?.("chainChanged", (id: string) => void id).removeListener?.("chainChanged", () => {});
  const account = "0x5555555555555555555555555555555555555555";
  const approval = { verifier: "verifyTransaction", input: { kind: "approval", request: { chainId: 1, account, path: "delta", token: account, amount: 1n } } } as const;
  const request: Asked[] = [order, approval, { verifier: "verifyOrder", input: { request: { chainId: 1, srcToken: "native", destToken: account, amount: 1n, srcDecimals: 18, destDecimals: 6, account, slippageBps: 50 }, quote } }];
  guard(provider, { onPrompt: agree, request, context: { tokens: [{ address: account }], accounts: [account] } });
  guard(provider, { onPrompt: agree, request: async () => undefined, context: () => ({}) });
  await createClient({ baseUrl: "https://service.example", wallet, onPrompt: agree });
  const onPrompt = ({ verdict, findings, isRepeated, parts, purpose }: GuardPrompt): boolean =>
    verdict === "verified" && purpose !== "switchChain" && !isRepeated && findings.every(({ severity }) => severity === "info") && parts.every((part) => !("method" in part));
  // @ts-expect-error: nobody is asked
  guard(provider, {});
  // @ts-expect-error: no answer
  guard(provider, { onPrompt: () => "yes" });
  // @ts-expect-error: no verifier
  guard(provider, { onPrompt, request: { verifier: "explain", input: {} } });
  // @ts-expect-error: the payload is the wallet's
  guard(provider, { onPrompt, request: { verifier: "verifyOrder", input: { request: order.input.request, quote, toSign: "{}" } } });
  // @ts-expect-error: the wallet says its chain
  guard(provider, { onPrompt, context: { chainId: 1 } });
  const { result, id }: { result: unknown; id: unknown } = await wallet.send("eth_chainId");
  wallet.sendAsync({ method: "eth_chainId", id }, (error, response) => void [error, response, result]);
  return wallet;
}
`;

test("a guard takes a provider of viem's, and is one", async () => {
  for (const [name, kind] of Object.entries(KINDS)) await compiles(`types-guard-${name}`, { "app.ts": GUARD }, { ...kind, skipLibCheck: true });
});

const ACCOUNTS = `import type { Client } from "verified-swap";
import { createWalletClient, custom, http, type EIP1193Provider } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { JsonRpcSigner, Wallet } from "ethers";

export function bound(client: Client, provider: EIP1193Provider, url: string, signers: (JsonRpcSigner | Wallet)[]): Client[] {
  const account = privateKeyToAccount("0x1111111111111111111111111111111111111111111111111111111111111111");
  const chain = createWalletClient({ account, transport: http(url) });
  return [
    client.withWallet({ wallet: provider }),
    client.withWallet({ request: createWalletClient({ transport: custom(provider) }).request }),
    client.withWallet({ account, signTypedData: account.signTypedData }),
    client.withWallet({
      account,
      signTypedData: (typedData) => chain.signTypedData(typedData),
      sendTransaction: ({ value, ...rest }) => chain.sendTransaction({ ...rest, value: BigInt(value), chain: null }),
    }),
    ...signers.map((signer) => client.withWallet({
      account: signer,
      signTypedData: ({ domain, types: { EIP712Domain, ...types }, message }) => signer.signTypedData(domain, types, message),
      sendTransaction: async ({ value, ...rest }) => (await signer.sendTransaction({ ...rest, value: BigInt(value) })).hash,
    })),
  ];
}
`;

// The types of Node that ethers brings do not pass a check of libraries.
test("accounts of viem and ethers are bound without a cast", () =>
  compiles("types-accounts", { "app.ts": ACCOUNTS }, { ...KINDS.bundler, skipLibCheck: true }));

for (const [name, kind] of Object.entries(KINDS)) {
  test(`a strict app compiles with moduleResolution ${name}`, () => compiles(`types-${name}`, { "app.ts": APP }, kind));
}

const VECTORS = `import vectors from "verified-swap/vectors" with { type: "json" };
import type { Expected, Vector } from "verified-swap/vectors";
import * as verify from "verified-swap/verify";

export const [first]: readonly Vector[] = vectors.vectors;
export const verdicts: Expected[] = vectors.vectors.map(({ expected }) => expected);
export const sentences = vectors.vectors.map(({ verifier, input }) => verify[verifier]({ ...input, now: vectors.now } as never).sentence);
export const codes = vectors.vectors.flatMap(({ expected }) => (expected.verdict === "refused" ? [expected.code] : []));
// @ts-expect-error: an honest payload has none
export const code = vectors.vectors.map(({ expected }) => expected.verdict === "ok" && expected.code);
`;

for (const [name, kind] of Object.entries(KINDS)) {
  test(`the vectors are typed with moduleResolution ${name}`, () => compiles(`types-vectors-${name}`, { "app.ts": VECTORS }, kind));
}

test("a trade that states no price is told of the slippage first", async () => {
  const app = `import type { Client, QuoteRequest } from "verified-swap";
export const trade = (client: Client, request: QuoteRequest) => client.trade(request, { onReview: () => true });
`;
  await assert.rejects(compiles("types-message", { "app.ts": app }, KINDS.bundler), /'slippageBps' is missing/);
});

test("what is wrong with a request to verify is told of the request, and of no other kind of trade", async () => {
  const pair = `chainId: 8453, srcToken: "0x", amount: 1n, account: "0x1"`;
  for (const [request, said] of [
    [`{ ${pair}, destToken: "0x" }`, /'slippageBps' is missing/],
    [`{ ${pair}, slippageBps: 50 }`, /'destToken' is missing/],
    [`{ ${pair}, destTokn: "0x", slippageBps: 50 }`, /does not exist in type 'OrderRequest & Slippage'\. Did you mean to write 'destToken'/],
  ]) {
    const app = `import { verifyOrder } from "verified-swap/verify";
verifyOrder({ request: ${request}, quote: {}, toSign: { types: {} } });
`;
    const told = await compiles("types-verify", { "app.ts": app }, KINDS.bundler).catch(String);
    assert.match(told, said);
    assert.doesNotMatch(told, /numSlices/);
  }
});
