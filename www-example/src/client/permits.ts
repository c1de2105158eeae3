import type { Client, PermitKind } from "verified-swap";
import type { Chain, Token } from "../sandbox/sandbox.ts";
import type { State } from "../state/state.ts";

/* How a contract may get to spend a token without an approval. A token list would know this; here the sandbox says it.
 */

/** The kinds of tokens that take a permit of their own. */
const OWN: readonly string[] = ["permit", "signOnly"];

/** What the router does not take. */
const SHORT: readonly PermitKind[] = ["permit2Allowance", "permit2Existing"];

/** The kinds a token knows by itself, and those of Permit2 where the token was approved for that. */
export function permitKinds({ src, permit2, path }: Pick<State, "src" | "permit2" | "path">): PermitKind[] {
  const own = ownPermit(src);
  const kinds: PermitKind[] = [
    ...(own ? [own] : []),
    ...(permit2 === src ? (["permit2Transfer", ...SHORT] as const) : []),
  ];
  return kinds.filter((kind) => isTaken(kind, path === "market"));
}

/** Whether the contract takes a permit of that kind. */
export function isTaken(kind: PermitKind, isMarket: boolean): boolean {
  return !isMarket || !SHORT.includes(kind);
}

/** Whether that way of spending is a permit for what is traded at once. */
export function takesPermit(
  spending: State["spending"],
  tab: State["tab"],
  { kind }: { kind: "delta" | "market" },
): spending is PermitKind {
  return spending !== "approve" && tab === "swap" && isTaken(spending, kind === "market");
}

/** Whether the token cannot be approved: the service builds nothing for it without a permit. */
export function takesPermitOnly({ kind }: Token): boolean {
  return kind === "signOnly";
}

/** The permit a token knows by itself. */
function ownPermit({ kind }: Token): "eip2612" | null {
  return OWN.includes(kind) ? "eip2612" : null;
}

/** How spending starts for a token: by an approval, unless it takes none. */
export function firstSpending(token: Token): State["spending"] {
  return takesPermitOnly(token) ? "eip2612" : "approve";
}

/** Whether Permit2 was approved for `token`. */
export async function isInPermit2(
  client: Client,
  { permit2 }: Chain,
  account: State["account"],
  { chainId, address, kind }: Token,
): Promise<boolean> {
  if (!permit2 || !account || kind === "native") return false;
  return (await client.approvals.allowance({ chainId, token: address, account, spender: permit2 })) !== "0";
}
