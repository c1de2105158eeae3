/**
 * verified-swap: trade tokens through gasless intents; a wallet prompt opens only for a payload that does what the user
 * requested.
 *
 * Units, everywhere: amounts are raw token units (wei-like integers) as decimal strings out, `bigint | string` in;
 * `...Bps` are basis points (1/100 of a percent); `...Secs` seconds; `...Ms` milliseconds; `deadline` unix seconds.
 */
export type * from "./types/values.ts";
export type * from "./types/setup.ts";
export type * from "./types/client.ts";
export type * from "./types/trade.ts";
export type * from "./types/request.ts";
export type * from "./types/quote.ts";
export type * from "./types/build.ts";
export type * from "./types/report.ts";
export type * from "./types/prompt.ts";
export type * from "./types/permit.ts";
export type * from "./types/approvals.ts";
export type * from "./types/submit.ts";
export type * from "./types/signed.ts";
export type * from "./types/orders.ts";
export type * from "./types/otc.ts";
export type * from "./types/trades.ts";
export type * from "./types/info.ts";
export type * from "./types/settings.ts";
export type * from "./types/events.ts";
export type * from "./types/errors.ts";
export type * from "./types/functions.ts";
