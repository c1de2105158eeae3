import type { Batch, Call } from "./batches.js";
import type { SandboxChain } from "./control.ts";
import { el } from "../dom.ts";

/* The windows of the sandbox wallet before it signs or sends. It reads only what it is given, as a real wallet does. */

const APPROVE_SELECTOR = "0x095ea7b3";
const NATIVE_DECIMALS = 18;

/** The event of a window that opens to ask. */
export const PROMPT = "wallet-prompt";

/** Titles of typed data that is not an order, by type name. */
const TITLES: Record<string, string> = {
  OrderCancellations: "Sign this cancellation?",
  Permit: "Sign this permit?",
  PermitSingle: "Sign this permit?",
  PermitTransferFrom: "Sign this permit?",
};

type Facts = [name: string, value: string][];

/** Shows EIP-712 typed data; true when the person signs. */
export function askToSign(chain: SandboxChain, account: string, text: string): Promise<boolean> {
  const { domain, message, primaryType } = JSON.parse(text);
  return ask({
    title: TITLES[primaryType] ?? "Sign this order?",
    confirm: "Sign",
    facts: [...placeOf(chain, account), ["Contract", `${domain.name} ${domain.verifyingContract ?? ""}`]],
    details: [el("h3", {}, primaryType), members(message)],
    note: "Signing costs nothing.",
  });
}

/** Shows a transaction; true when the person sends it. */
export function askToSend(chain: SandboxChain, account: string, transaction: Call): Promise<boolean> {
  const approval = readApproval(chain, transaction);
  const plain: Facts = [
    ["To", transaction["to"] ?? ""],
    ["ETH", units(BigInt(transaction["value"] ?? "0x0"), NATIVE_DECIMALS)],
  ];
  return ask({
    title: approval?.title ?? "Send this transaction?",
    confirm: approval?.confirm ?? "Send",
    facts: [...placeOf(chain, account), ...(approval?.facts ?? plain)],
    details: [members(transaction)],
    note: "The network fee is paid in test ETH.",
  });
}

/**
 * Shows calls that are made together; true when the person sends them. One alone is shown as any transaction. The
 * account `upgrades` with them, from one of a key to one with code.
 */
export function askToSendCalls(chain: SandboxChain, account: string, calls: Call[], upgrades: boolean): Promise<boolean> {
  const [first] = calls;
  if (first && calls.length === 1 && !upgrades) return askToSend(chain, account, first);
  const native = calls.reduce((sum, { value = "0x0" }) => sum + BigInt(value), 0n);
  const upgrade: Facts = upgrades ? [["Upgrade", "The account becomes a smart account (EIP-7702)."]] : [];
  return ask({
    title: calls.length === 1 ? "Send this call?" : `Send these ${calls.length} calls?`,
    confirm: "Send",
    facts: [...placeOf(chain, account), ...upgrade, ["ETH", units(native, NATIVE_DECIMALS)]],
    details: [el("ol", { class: "calls" }, ...calls.map((call) => el("li", {}, ...callLines(chain, call))))],
    note: "All of them are made, or none. The network fee is paid in test ETH.",
  });
}

/** Shows how far a batch is. */
export function showCalls({ from, state, hashes }: Batch): void {
  const facts: Facts = [["Account", from], ["State", state]];
  const details = [el("ol", { class: "calls" }, ...hashes.map((hash) => el("li", {}, hash)))];
  void ask({ title: "Your calls", confirm: "Close", facts, details, note: "", isNotice: true });
}

interface Prompt {
  title: string;
  confirm: string;
  facts: Facts;
  details: Node[];
  note: string;
  /** There is nothing to reject. */
  isNotice?: boolean;
}

/** A window as a wallet's is, until it is answered. */
function ask({ title, confirm, facts, details, note, isNotice }: Prompt): Promise<boolean> {
  const reject = el("button", { class: "secondary", value: "" }, "Reject");
  const agree = el("button", { class: "primary", value: "yes" }, confirm);
  const dialog = el(
    "dialog",
    { class: "prompt", "aria-labelledby": "prompt-title" },
    el("p", { class: "quiet" }, "Sandbox wallet"),
    el("h2", { id: "prompt-title", tabindex: "-1", autofocus: "" }, title),
    list("facts", facts),
    el("section", { class: "prompt-data", "aria-label": "Contents", tabindex: "0" }, ...details),
    el("p", { class: "quiet" }, note),
    el("form", { method: "dialog", class: "buttons" }, ...(isNotice ? [] : [reject]), agree),
  );
  document.body.append(dialog);
  dialog.showModal();
  if (!isNotice) dialog.dispatchEvent(new Event(PROMPT, { bubbles: true }));
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
  });
}

function placeOf({ name, chainId }: SandboxChain, account: string): Facts {
  return [["Account", account], ["Network", `${name} (${chainId})`]];
}

function callLines(chain: SandboxChain, call: Call): Node[] {
  const approval = readApproval(chain, call);
  const title = approval?.title.slice(0, -1) ?? "Send a transaction";
  return [el("h3", {}, title), ...(approval ? [list("facts", approval.facts)] : []), members(call)];
}

/** ERC-20 `approve(spender, amount)`, in words; null of any other call. */
function readApproval(chain: SandboxChain, { data = "", to }: Call): { title: string; confirm: string; facts: Facts } | null {
  const token = chain.tokens.find(({ address }) => address.toLowerCase() === to?.toLowerCase());
  if (!token || !data.startsWith(APPROVE_SELECTOR) || data.length !== 138) return null;
  const amount = BigInt(`0x${data.slice(74)}`);
  const [verb, confirm] = amount === 0n ? [`Take back the ${token.symbol} approval`, "Take back"] : [`Approve ${token.symbol}`, "Approve"];
  const facts: Facts = [["Amount", `${units(amount, token.decimals)} ${token.symbol}`], ["Spender", `0x${data.slice(34, 74)}`]];
  return { title: `${verb}?`, confirm, facts };
}

/** The members of an object, and of those in it. */
function members(of: object): HTMLElement {
  const shown = (value: unknown): string | Node => (value !== null && typeof value === "object" ? members(value) : String(value));
  return list("members", Object.entries(of).map(([name, value]) => [name, shown(value)]));
}

function list(name: string, rows: [string, string | Node][]): HTMLElement {
  return el("dl", { class: name }, ...rows.map(([term, value]) => el("div", {}, el("dt", {}, term), el("dd", {}, value))));
}

/** Raw units as decimal text. */
function units(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals || undefined)}.${digits.slice(digits.length - decimals)}`.replace(/\.?0*$/, "");
}
