import type { Address, Amount, AmountInput, Hex } from "./values.ts";
import type { DeltaBuild, MarketBuild } from "./build.ts";
import type { Quote, TwapPlan } from "./quote.ts";
import type { Question } from "./report.ts";

/**
 * The least that arrives at `slippageBps` below the quote, raw units after the fee, rounded down; Market: also after
 * `destTransferFeeBps`. BUY: the amount bought, of a gasless quote after the fee; the router takes the fee of a purchase out
 * of what is paid.
 */
export declare function minReceived(quote: Quote, slippageBps: number): Amount;

/** The most that is spent at `slippageBps` above the quote, raw units, rounded up. SELL: the amount sold. */
export declare function maxSpent(quote: Quote, slippageBps: number): Amount;

/**
 * Whether `next` binds the user to nothing worse than `before`: a gasless or Market build of the same kind, request and owner,
 * which spends no more and pays out no less. On another chain no less arrives, and what was bound stays bound: a promise is
 * compared with a promise. False where a member is missing.
 */
export declare function isNoWorse(next: DeltaBuild | MarketBuild, before: DeltaBuild | MarketBuild): boolean;

/**
 * The ids of the questions of `next` to which an answer carries over, for `accept`. `questions`: those of `before` that the user
 * accepted. A question about a price carries over to a build that `isNoWorse`, unless `belowBps` is higher; any other only to
 * the same payload, by its id.
 */
export declare function carriesOver(questions: Question[], next: DeltaBuild | MarketBuild, before: DeltaBuild | MarketBuild): string[];

/** The slices of a TWAP order with their earliest times, for display. `startSecs`: unix seconds of the first. */
export declare function twapSchedule(plan: TwapPlan, startSecs: number): { index: number; notBefore: number; amount: Amount }[];

/**
 * The service's answer for this price, unchanged, for display: the legs of the route, each fee, the block. The members
 * of a `Quote` were verified; this was not.
 */
export declare function rawQuote(quote: Quote): { [member: string]: unknown };

/** The address with its EIP-55 checksum. Throws INVALID_INPUT that says what is wrong. */
export declare function parseAddress(text: string): Address;

/** Whether `parseAddress` would take it. */
export declare function isAddress(text: unknown): text is Address;

/** The address to send for a token: the native token's exact placeholder, or the checksummed address. */
export declare function normalizeToken(token: string): Address;

/**
 * `parseUnits("1.5", 6)` is `"1500000"`: decimal text, not a `bigint` as viem's. Exact, 0..77 decimals; more fraction
 * digits than `decimals` are refused.
 */
export declare function parseUnits(text: string, decimals: number): Amount;

/** `formatUnits("1500000", 6)` is `"1.5"`. Exact. */
export declare function formatUnits(amount: AmountInput, decimals: number): string;

/** EIP-712 digest of any typed data (`message` or `value`; `primaryType` optional if there is only one root type). */
export declare function hashTypedData(typedData: unknown): Hex;

/** The signature in ERC-2098 form: 65 bytes become 64; 64 bytes come back unchanged. */
export declare function compactSignature(signature: Hex): Hex;

/** The signer of this typed data. Takes 64 or 65 bytes. */
export declare function recoverTypedDataSigner(typedData: unknown, signature: Hex): Address;

/** The native token's placeholder, in the only casing the service accepts. */
export declare const NATIVE_TOKEN: "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";

/** The service's public URL. Never used unless passed as `baseUrl`. */
export declare const VELORA_BASE_URL: "https://api.velora.xyz";
