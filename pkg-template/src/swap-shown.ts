// A prompt against the review that was agreed to: the client verifies each of both, and this sees to it that they are one trade.
// A path that forgot a review would open the wallet for something that no view has shown.
import { hashTypedData } from "verified-swap";
import { isSame } from "./swap-form.ts";
import type { Approval, DeltaBuild, MarketBuild, Prompt, PromptPart } from "./types.ts";

/** A build under review, with the approval that is still needed. */
interface Reviewed {
  readonly build: DeltaBuild | MarketBuild;
  readonly approval: Approval | null;
}

/**
 * The place of a prompt in a review: `"same"`, as the review has it; `"own"`, an approval that the review has otherwise, which is
 * shown with its own amount before it opens; `"other"`, nothing that belongs to it.
 */
export function placeInReview(prompt: Prompt, { build, approval }: Reviewed): "same" | "own" | "other" {
  const { purpose, parts, permit, orderHash, digests } = prompt;
  const last = parts[parts.length - 1];
  const token = build.request.srcToken;
  if (!last || parts.some(({ from }) => !isSame(from, build.owner))) return "other";
  if (last.typedData) {
    const isWhole = parts.length === 1 && hasOnly(last, ["typedData"]) && hashTypedData(last.typedData) === digests.eip712;
    const isOrder = purpose === "order" && build.kind === "delta" && orderHash === build.orderHash && digests.eip712 === orderHash;
    if (isOrder && isWhole) return "same";
    if (purpose !== "permit" || !isWhole || !permit || permit.chainId !== build.chainId || !isSame(permit.token, token)) return "other";
    const [spender, amount] = [approval?.spender ?? build.spender, approval?.amount ?? build.maxSpent];
    return isSame(permit.spender, spender) && permit.amount === amount ? "same" : "own";
  }
  const approvals = purpose === "approve" ? parts : parts.slice(0, -1);
  const isCall = parts.every((part) => part.chainId === build.chainId && hasOnly(part, ["chainId", "to", "value", "data", "approval"]));
  if (!isCall || !approvals.every((part) => approves(part, token))) return "other";
  const isCertain = approvals.every(({ approval: given }, place) => isOf(given, place, approvals.length, approval));
  if (purpose === "approve") return isCertain ? "same" : "own";
  return isCertain && isTrade(prompt, last, build) ? "same" : "other";
}

/** Whether it has no member that could change its effect. */
const hasOnly = (part: PromptPart, members: string[]) =>
  Object.keys(part).every((name) => ["sentence", "from", ...members].includes(name));

/** Whether it is an approval of that token, and pays nothing. */
const approves = ({ to, value, approval }: PromptPart, token: string) =>
  approval !== undefined && isSame(approval.token, token) && isSame(to ?? "", token) && value === "0";

/** Whether an approval is the one under review, or before it the reset of the old one. */
function isOf(given: PromptPart["approval"], place: number, count: number, reviewed: Approval | null): boolean {
  if (!given || !reviewed || !isSame(given.spender, reviewed.spender) || count > 2) return false;
  return given.amount === reviewed.amount ? place === count - 1 : given.amount === "0" && reviewed.resetFirst && place === 0;
}

function isTrade({ purpose, orderHash }: Prompt, { to, value, data }: PromptPart, build: Reviewed["build"]): boolean {
  const isTo = (contract: string): boolean => isSame(to ?? "", contract);
  if (build.kind === "market") {
    const { transaction } = build;
    return purpose === "market" && isTo(transaction.to) && BigInt(value ?? "") === BigInt(transaction.value) && data === transaction.data;
  }
  return purpose === "presign" && orderHash === build.orderHash && isTo(build.spender) && (value === "0" || value === build.maxSpent);
}
