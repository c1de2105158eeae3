/**
 * `verified-swap/verify`: the checks alone. For a wallet, a co-signer, or an app that lets another SDK fetch and sign: no
 * client, no network, no wallet. `await init()` once; then every call is synchronous.
 *
 * Each verifier compares what was built elsewhere with what the user asked for, by the rules of the client
 * (docs/verification.md), and returns the client's report. It throws a `TradeError`: VERIFY_MISMATCH with the first member
 * that differs and a report of all; LOSS_TOO_HIGH if stated costs explain a bad price, or gas may cost too much (`transaction.gas`);
 * SERVICE_MALFORMED if the payload cannot be read, or has a number of 2^53 or more that is not in quotes, which JavaScript rounds;
 * INVALID_INPUT with the member of the input; UNSUPPORTED_CHAIN without a known contract.
 *
 * Nothing is refused for an open question: `report.questions` are for the user, and what they answer is the caller's
 * business. No chain is read: what a reading would judge is `unknown` in `report.checks` or named in `report.unread`,
 * unless `readings` brings it.
 *
 * An input is plain data: objects and lists of any realm, whose members all are own, enumerable and named by text. A getter, a
 * hidden member, a symbol, a list with holes, and an instance of a class are refused, because what is signed later could have
 * another value. A `Proxy` looks like plain data: check `structuredClone(payload)`, which refuses one, and sign that copy. It may
 * have 131,072 values, where a text or name counts as one more for each 32 characters and a shared value as often as it stands
 * there, 256 members in one object, and 64 levels; `explain` says `unread` of more. Typed data may have 8,192 values.
 */
export type * from "./verifiers.ts";
export type * from "./explain.ts";
export type * from "./guard.ts";
export type { Check, Question, Report, Verdict } from "./report.ts";
export type { TradeError } from "./errors.ts";
export { isTradeError } from "./errors.ts";
export { isSupported } from "./setup.ts";
