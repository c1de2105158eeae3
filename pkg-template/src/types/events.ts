import type { ErrorCode } from "./errors.ts";

/** The argument of `onEvent`: a step that took time. `type` tells the kinds apart. */
export type ClientEvent = HttpEvent | RpcEvent | WalletEvent | VerifyEvent;

/** Members of all events. */
interface TimedEvent {
  /** The endpoint of the service (`quote`, `build`, `post`, `order`, ...), the method of the node or wallet, or the verified payload. */
  name: string;
  /** Whether it succeeded. */
  ok: boolean;
  /** Duration in milliseconds. */
  ms: number;
  /** Error code, if it failed. */
  code?: ErrorCode | undefined;
}

/** A request to the service. */
export interface HttpEvent extends TimedEvent {
  /** A request to the service. */
  type: "http";
  /** HTTP status, if there was an answer. */
  status?: number | undefined;
}

/** A request to a node. */
export interface RpcEvent extends TimedEvent {
  /** A request to a node. */
  type: "rpc";
}

/** A request to the wallet. */
export interface WalletEvent extends TimedEvent {
  /** A request to the wallet. */
  type: "wallet";
}

/** A verification. */
export interface VerifyEvent extends TimedEvent {
  /** A verification. */
  type: "verify";
}
