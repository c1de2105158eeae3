import type { Address, AmountInput, Hex } from "./values.ts";
import type { ChainContracts } from "./settings.ts";

/**
 * Explains a payload that a wallet is asked to sign or send, without a request of the user's: what it does in sentences and in facts, what is
 * unusual about it, and what of it cannot be read (docs/explain.md). It calls nothing harmless: an answer without findings is one
 * in which nothing is known to be wrong. It throws for a malformed `context`, never for what the payload holds.
 *
 * `call` is `{ method, params }` as a wallet gets it, or what a MetaMask Snap's `onSignature` or `onTransaction` gets, or
 * `{ raw }`, a transaction in its serialized form, signed or not, or `{ kind: "message", bytes, account }`, the bytes that a wallet
 * is about to sign as a message (`personal_sign`), after its own reading of what a page passed; without an account there is no `request`.
 */
export declare function explain(call: ExplainCall, context: ExplainContext): Explanation;

/**
 * The tables that are compiled in, each with the day (`2026-11-28`) on which it was last compared with its sources
 * (docs/tables.md): the operator's contracts, tokens with their decimals, factories of pools, feeds, the operator's old contracts,
 * delegates of accounts, contracts of other services.
 */
export declare function tables(): Record<"contracts" | "assets" | "factories" | "feeds" | "spenders" | "delegates" | "services", string>;

/** The argument of `explain`. */
export type ExplainCall =
  | { method: string; params?: unknown }
  | { signature: { from?: string; data: unknown; signatureMethod: string }; signatureOrigin?: string }
  | { transaction: object; chainId?: string; transactionOrigin?: string }
  | { raw: Hex }
  | { kind: "message"; bytes: Hex; account?: Address | undefined };

/** The caller's knowledge beside the payload. A statement that rests on it is marked as the caller's. */
export interface ExplainContext {
  /** The user's accounts, contract accounts and Safes among them: any other address is a stranger's; without any, no address is. */
  accounts: readonly Address[];
  /** The chain that the wallet is on. */
  chainId: number;
  /** Unix seconds; this machine's clock if it is absent. */
  now?: number | undefined;
  /** The origin of the page that asks. It is shown, and compared with the place of a sign-in. */
  origin?: string | undefined;
  /** The caller's names of tokens, and their decimals. `chainId` is the context's if it is absent. */
  tokens?: { address: Address; chainId?: number | undefined; symbol?: string | undefined; decimals?: number | undefined }[] | undefined;
  /** Addresses that the user names. */
  addressBook?: { address: Address; name: string }[] | undefined;
  /** Dollars of one whole token, decimal text, by chain and address; `native` for the native token. */
  references?: Record<number, Record<string, string>> | undefined;
  /** The service's contracts by chain id, for chains that are not pinned. */
  contracts?: Record<number, ChainContracts> | undefined;
  /** The Safe that a `SafeTx` is for, so that its hash can be told. */
  safe?: { address: Address; version: string; nonce: AmountInput } | undefined;
}

/** The kinds of payloads. As with all ids, new ones come in minor versions, and none is renamed. */
export type ExplainedKind =
  | "account.call" | "account.signature" | "authorization" | "batch" | "chain" | "delegation"
  | "delta.call" | "delta.cancellation" | "delta.externalOrder" | "delta.fillableOrder" | "delta.order" | "delta.twapBuyOrder"
  | "delta.twapOrder" | "erc20.approval" | "erc20.authorization" | "erc20.transfer" | "hash" | "item.transfer"
  | "market.swap" | "message" | "name" | "native.transfer" | "native.wrap" | "otc.cancellation"
  | "otc.fill" | "otc.order" | "permission" | "permit.dai" | "permit.eip2612" | "permit2.allowance"
  | "permit2.transfer" | "request" | "safe.message" | "safe.transaction" | "service.lending" | "service.trade"
  | "token" | "token.operator" | "transaction" | "typedData" | "userOperations";

/** The parts of sentences. */
export type PartId =
  | "about" | "account" | "account.control" | "account.other" | "account.signs" | "account.unjudged"
  | "allow" | "allow.less" | "allow.more" | "allow.none" | "allow.unlimited" | "and"
  | "authorization.end" | "batch" | "bridge.enters" | "bridge.ifBridged" | "bridge.ifDelivered" | "bridge.output"
  | "bridge.promise" | "buy" | "bySignature" | "bySignature.from" | "bySignature.until" | "call"
  | "chain.add" | "create" | "delegatecall" | "delegation" | "delegation.account" | "delegation.caveats"
  | "delegation.everyChain" | "delegation.none" | "delegation.signed" | "deposit" | "expires" | "fee"
  | "fee.withoutGas" | "for" | "for.atLeast" | "for.atMost" | "gas.paid" | "hash"
  | "hash.call" | "inParts" | "lending" | "name.register" | "name.renew" | "nonce.invalidate"
  | "on" | "operator" | "operator.none" | "order.cancel" | "order.cancelAtService" | "otc.cancel"
  | "otc.cancelOne" | "otc.give" | "otc.offer" | "otc.open" | "otc.openUntil" | "pay"
  | "permission.atOnce" | "permission.every" | "permission.inAll" | "permit2.endAllowances" | "permit2.endTransfers" | "preSign"
  | "preSign.none" | "rests" | "rests.inParts" | "safe" | "safe.message" | "sell"
  | "send" | "service" | "service.unless" | "slice.one" | "slices" | "take"
  | "take.allowed" | "text" | "to" | "to.anybody" | "to.handler" | "to.unbound"
  | "token.watch" | "typedData" | "typedData.nowhere" | "unread" | "unwrap" | "withdraw"
  | "wrap";

/** The kinds of findings: docs/explain.md has each in words. */
export type FindingId =
  | "account.control" | "account.unjudged" | "address.resembles" | "amount.unlimited" | "amount.unlimitedUnknown" | "batch.called"
  | "batch.parts" | "bridge.factor" | "bridge.unjudged" | "bytes.unread" | "call.malformed" | "call.unknown"
  | "call.unknownPaid" | "chain.currency" | "chain.named" | "chain.nodes" | "chain.none" | "chain.other"
  | "code.created" | "contract.other" | "contract.unknown" | "deadline.far" | "deadline.none" | "deadline.passed"
  | "deadline.unjudged" | "delegatecall" | "delegatecall.batch" | "delegation" | "delegation.bounded" | "delegation.everyChain"
  | "delegation.none" | "delegation.open" | "domain.contract" | "domain.foreign" | "domain.own" | "fee.high"
  | "fee.surplus" | "fee.unknown" | "gas.high" | "handler.unknown" | "hash.personal" | "hash.raw"
  | "hash.unread" | "inner.tooMany" | "json.duplicate" | "json.refused" | "member.extra" | "member.unread"
  | "message.form" | "method.unknown" | "number.form" | "operation.unknown" | "operator.all" | "permission.unknown"
  | "price.none" | "price.poor" | "price.unjudged" | "receiver.named" | "receiver.other" | "receiver.repaid"
  | "receiver.unbound" | "request.decoy" | "route.argument" | "route.module" | "route.tokens" | "safe.hash"
  | "safe.other" | "safe.refund" | "sender.other" | "signIn.origin" | "signIn.unjudged" | "spender.retired"
  | "spender.service" | "spender.signed" | "spender.unknown" | "text.cut" | "token.alias" | "token.unknown"
  | "transaction.signature" | "transaction.signed" | "transfer.out" | "transfer.signed" | "typedData.unhashable" | "typedData.unknown"
  | "userOperation.entryPoint" | "userOperation.gas" | "userOperation.init" | "userOperation.paymaster" | "value.extra" | "value.other";

/** A value with its type, its text, and a form that is safe to show. */
export interface ShownValue {
  type: string;
  value: string;
  display: string;
  /** The token of an amount in raw units, or of so many of an item; and its chain. */
  token?: Address | undefined;
  chainId?: number | undefined;
  /** The number of an item (ERC-721, ERC-1155). */
  item?: string | undefined;
  /** The source of the name in `display`, if there is one. */
  statedBy?: "table" | "caller" | "payload" | undefined;
}

/** Something that a person should know of a payload. */
export interface Finding {
  id: FindingId;
  /** `danger`: tokens or control can go to an account that is not named, or it is something else than it looks like. `caution`: unusual, or not read. `info`: a fact. */
  severity: "info" | "caution" | "danger";
  field: string;
  values: Record<string, ShownValue>;
  text: string;
  /** The anchor of docs/explain.md that says the rule. */
  link: string;
}

/** The answer of `explain`: plain JSON, no BigInt. */
export interface Explanation {
  kind: ExplainedKind;
  /** `unread`: what decides what it does could not be read. */
  verdict: "explained" | "unread";
  title: string;
  /** The parts in English. */
  sentence: string;
  parts: { id: PartId; values: Record<string, ShownValue> }[];
  /** Those of this payload alone: `inner` has those of the payloads inside. */
  facts: Record<string, unknown>;
  findings: Finding[];
  coverage: { bytes: { read: number; total: number }; fields: { read: number; total: number } };
  /** Paths of what was not read. */
  opaque: string[];
  digests: Record<string, Hex>;
  inner: Explanation[];
  /**
   * The call in the form that was read; forward this one. A message is `0x` and hex, numbers are hex quantities, accounts have their
   * checksum, typed data is JSON text; a member that is not read (`member.unread`) stays as it is, and a parameter beyond those of the
   * method is left out. `null` if the form was not read, for what is `inner`, for `{ raw }` and a Snap's transaction. Not to be shown.
   */
  request: { method: string; params: unknown[] } | null;
}
