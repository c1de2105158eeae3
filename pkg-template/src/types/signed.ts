import type { Address, Hex } from "./values.ts";
import type { HardwareScreen } from "./report.ts";

/** A signed order. `submit` accepts it again, so nothing signed is lost. */
export interface SignedOrder {
  /** Tells it from a build. */
  kind: "signedOrder";
  /** The chain of the order. */
  chainId: number;
  /** The account that signed. */
  owner: Address;
  /** EIP-712 digest of the order. */
  orderHash: Hex;
  /** Until when it may be filled, unix seconds. */
  deadline: number;
  /**
   * As it is posted: compact for an account without code, the account's own bytes for one with code, `0x` for a
   * pre-signature.
   */
  signature: Hex;
  /** The order, verbatim. Pass it on untouched. */
  sealed: string;
}

/** A signed OTC order. `submit` accepts it again. */
export interface SignedOtcOrder extends Pick<SignedOrder, "chainId" | "orderHash" | "sealed"> {
  /** Tells it from a build. */
  kind: "signedOtcOrder";
  /** As it is posted. */
  signature: Hex;
}

/** A transaction that was sent, or calls that were sent together. */
export interface SentTransaction {
  /** Tells it from an order. */
  kind: "sent";
  /** The chain. */
  chainId: number;
  /** The sender. */
  from: Address;
  /** Transaction hash; null for calls that were sent together, until the wallet names a transaction that has them. */
  hash: Hex | null;
  /** The wallet's id of calls that were sent together (EIP-5792); null for a transaction. */
  batch: string | null;
  /** The sender's nonce; null until `watch` or `wait` has read it. A replacement has the same. */
  nonce: number | null;
  /**
   * `REPLACED`: another transaction with this nonce was read in a block. `DROPPED`: the node no longer knows it. `PARTIAL`: some
   * of the calls that were sent together reverted, which a wallet that keeps its word does not let happen. `FAILED`
   * without a `hash`: the wallet sent nothing, and will not. `FOREIGN`: an account without code was asked, and the hash
   * that its wallet named is another account's transaction, or one to another contract or with other calldata. The trade
   * has not failed by that: it stands in the way of the same one until the user decides (`existing: "keepBoth"`,
   * `trades.abandon`).
   */
  status: "PENDING" | "COMPLETED" | "FAILED" | "REPLACED" | "DROPPED" | "PARTIAL" | "FOREIGN";
  /** The block it was mined in; null before. */
  blockNumber: number | null;
  /**
   * How many of the sender's earlier nonces are in no block yet, while it is `PENDING` and there are any: they go first. If
   * the wallet shows no transaction for one of them, there is a gap, and this one waits until the wallet fills it.
   */
  waitsFor?: number;
}

/** The build of an order, as the journal keeps it: the input of `submit`, with the request stated again. */
export interface TradeBuild {
  /** The kind of order. */
  kind: "delta" | "otc";
  /** The chain on which it is settled. */
  chainId: number;
  /** The order. Pass it on untouched. */
  sealed: string;
}

/** A step of a call, as passed to `onProgress`. */
export interface Progress {
  /** The current step, or the last one. */
  step: "checking" | "signing" | "signed" | "posting" | "posted" | "resetting" | "approving" | "confirming" | "approved"
    | "simulating" | "sending" | "sent" | "presigning";
  /** A transaction hash, where one was sent. */
  transaction?: Hex | undefined;
  /** The wallet's id, where calls were sent together. */
  batch?: string | undefined;
  /**
   * Present from "signed" on, also at "confirming" of the approval that it waits for, and at that of a pre-signature.
   * Keep it: `submit` takes it back (a pre-signature's once that is in a block).
   */
  signedOrder?: SignedOrder | SignedOtcOrder | undefined;
  /**
   * At "signed" and "sent": whether the journal has it on disk ("stored"), or only this page knows it ("memory"), for
   * lack of a storage, or because it took longer than half a second.
   */
  journal?: "stored" | "memory" | undefined;
  /** At "signing": the display of a hardware wallet. For orders it is also in `build.report`. */
  hardware?: HardwareScreen | undefined;
}

/** A step of a trade: those of `Progress`, and its own. */
export type TradeStep = Progress["step"]
  | "quoting" | "permitting" | "building" | "reviewing" | "following" | "done" | "failed";
