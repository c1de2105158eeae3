// tsc fails where a published type has a name that Rust does not have, or lacks one: the message names it.
import type * as Published from "../../pkg-template/src/types.ts";
import type { AdvancedBuildOptions, BuildOptions, Client, QuoteRequest, StatedPrice, StatedTime, TwapRequest } from "../../pkg-template/src/types.ts";
import type { VerifyOrderInput, VerifyOrderTerms } from "../../pkg-template/src/types/verify.ts";
import type { Calls, Names, Resources } from "./names.ts";

/** The members that a type, or one of a union, may have; those of its `advanced` as `advanced.NAME`. */
type Members<T> = T extends unknown ? { [Name in keyof T & string]-?: Member<Name, T[Name]> }[keyof T & string] : never;
/** None where a union excludes it. */
type Member<Name extends string, Value> = [Value] extends [undefined]
  ? never
  : Name extends "advanced" ? `advanced.${Members<NonNullable<Value>>}` : Name;
type Optional<T> = { [Name in keyof T]-?: {} extends Pick<T, Name> ? Name : never }[keyof T];
/** The names that one side alone has. */
type Differing<A, B> = Exclude<A, B> | Exclude<B, A>;
type Both<A, B> = [Differing<A, B>] extends [never] ? true : Differing<A, B>;

/** The parameters of a call's declarations: TypeScript repeats the first in place of those that are not there. */
type Given<Call> = Call extends {
  (...given: infer A): unknown; (...given: infer B): unknown; (...given: infer C): unknown; (...given: infer D): unknown;
  (...given: infer E): unknown; (...given: infer F): unknown; (...given: infer G): unknown;
} ? A | B | C | D | E | F | G : never;
type Called<Path> = Path extends `${infer Group extends keyof Client & string}.${infer Name}`
  ? Client[Group][Name & keyof Client[Group]]
  : Client[Path & keyof Client];
type At<List, Index extends "0" | "1"> = List extends unknown ? (Index extends keyof List ? NonNullable<List[Index]> : never) : never;
/** Calls that take options alone. */
type BareCall = "info.chains" | "info.rateLimit" | "trades.resume";
type Options<Path> = Members<At<Given<Called<Path>>, Path extends BareCall ? "0" : "1">>;
/** Options of every call beside the plain options of its own; and `onQuote`, which is called in JavaScript. */
type Live = "signal" | "onProgress" | "onPrompt" | "waitForRateLimit";

/** Each member is `true`, or the names that differ. */
type Checks = {
  options: { [Path in keyof Calls]: Both<Exclude<Options<Path>, Live | (Path extends "quote" ? "onQuote" : never)>, Calls[Path]["options"]> };
  aborted: { [Path in keyof Calls]: "signal" extends Options<Path> ? true : "signal" };
  prompts: { [Path in keyof Calls]: ("onPrompt" extends Options<Path> ? true : false) extends Calls[Path]["prompts"] ? true : "onPrompt" };
  steps: { [Path in keyof Calls]: ("onProgress" extends Options<Path> ? true : false) extends Calls[Path]["steps"] ? true : "onProgress" };
  groups: Both<Paths<"otc" | "trades" | "approvals" | "info">, Extract<keyof Calls, `${string}.${string}`> | "trades.watch" | "trades.storage">;
  queries: { [Path in Exclude<keyof Resources, BareCall>]: Both<Members<Query<Path>>, Resources[Path]["all"]> };
  optional: { [Path in Exclude<keyof Resources, BareCall>]: Both<Optional<Query<Path>>, Resources[Path]["optional"]> };
  names: { [Name in keyof Names]: Both<Exclude<Own[Name], Name extends "BuildOptions" | "MarketBuildOptions" | "WatchOptions" ? Live : never>, Names[Name]> };
};
type Paths<Group extends keyof Client & string> = Group extends unknown ? `${Group}.${keyof Client[Group] & string}` : never;
type Query<Path> = At<Given<Called<Path>>, "0">;

/** The names of types that are no object's, or not those of the published type of that name. */
interface Own extends Described {
  QuoteRequest: Members<QuoteRequest | TwapRequest>;
  BuildOptions: Members<BuildOptions & StatedPrice & StatedTime>;
  MarketBuildOptions: Members<Published.MarketBuildOptions & StatedTime>;
  OtcFilter: Members<Published.OtcFilter & Published.OtcParty>;
  VerifyOrderTerms: Members<VerifyOrderTerms & Exclude<StatedPrice, { limitPrice: string }>>;
  VerifyOrderInput: Members<VerifyOrderInput>;
  external: Members<NonNullable<AdvancedBuildOptions["external"]>>;
  ErrorCode: Published.ErrorCode;
  ErrorAction: Published.ErrorAction;
  PermitKind: Published.PermitKind;
  PromptPurpose: Published.PromptPurpose;
}
/** The types that have the names of `Names` as their members. */
type Described = { [Name in keyof Objects]: Members<Objects[Name]> };
interface Objects {
  DeltaPriceOptions: Published.DeltaPriceOptions;
  MarketPriceOptions: Published.MarketPriceOptions;
  OtcRequest: Published.OtcRequest;
  ClientOptions: Published.ClientOptions;
  WalletBinding: Published.WalletBinding;
  ChainContracts: Published.ChainContracts;
  Agreement: Published.Agreement;
  WatchOptions: Published.WatchOptions;
  Permit: Published.Permit;
  Approval: Published.Approval;
  OrdersFilter: Published.OrdersFilter;
  BalanceQuery: Published.BalanceQuery;
  AllowanceQuery: Published.AllowanceQuery;
  AllowanceNeededQuery: Published.AllowanceNeededQuery;
  WithdrawalRequest: Published.WithdrawalRequest;
}

type AllTrue<T> = { [Name in keyof T]: T[Name] extends boolean | string ? true : { [Inner in keyof T[Name]]: true } };
declare const checks: Checks;
export const all: AllTrue<Checks> = checks;
