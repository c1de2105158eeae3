import { element, icon, refocus } from "../view/element.ts";
import { exact } from "../state/money.ts";
import type { Chain } from "./sandbox.ts";
import type { Batch, Call } from "./batches.js";

/* What the sandbox wallet shows before it signs or sends. It reads only what it is given, as a real wallet does. */

const APPROVE_SELECTOR = "0x095ea7b3";
const NATIVE_DECIMALS = 18;
const SHIELD = "M10 2.5 4 5v4.5c0 3.8 2.6 6.8 6 8 3.4-1.2 6-4.2 6-8V5z";

/** Titles of typed data that is not an order, by type name. */
const TITLES: Record<string, string> = {
  OrderCancellations: "Sign this cancellation?",
  Permit: "Sign this permit?",
  PermitSingle: "Sign this permit?",
  PermitTransferFrom: "Sign this permit?",
};

/** Shows EIP-712 typed data; true when the person signs. */
export function askToSign(chain: Chain, account: string, text: string): Promise<boolean> {
  const data = JSON.parse(text) as {
    domain: Record<string, unknown>;
    message: Record<string, unknown>;
    primaryType: string;
  };
  return ask({
    title: TITLES[data.primaryType] ?? "Sign this order?",
    confirm: "Sign",
    facts: [
      ["Account", account],
      ["Network", `${chain.name} (${chain.chainId})`],
      ["Contract", `${String(data.domain["name"])} ${String(data.domain["verifyingContract"] ?? "")}`],
    ],
    details: element("div", {}, element("h3", {}, data.primaryType), members(data.message)),
    note: "Signing costs nothing.",
  });
}

/** Shows a transaction; true when the person sends it. */
export function askToSend(chain: Chain, account: string, transaction: Record<string, string>): Promise<boolean> {
  const approval = readApproval(chain, transaction);
  return ask({
    title: approval ? approval.title : "Send this transaction?",
    confirm: approval ? approval.confirm : "Send",
    facts: [
      ["Account", account],
      ["Network", `${chain.name} (${chain.chainId})`],
      ...(approval
        ? approval.facts
        : ([
            ["To", transaction["to"] ?? ""],
            ["ETH", exact(BigInt(transaction["value"] ?? "0x0").toString(), NATIVE_DECIMALS)],
          ] as [string, string][])),
    ],
    details: members(transaction),
    note: "The network fee is paid in test ETH.",
  });
}

/**
 * Shows calls that are made together; true when the person sends them. One alone is shown as any transaction. The
 * account `upgrades` with them, from one of a key to one with code.
 */
export function askToSendCalls(chain: Chain, account: string, calls: Call[], upgrades: boolean): Promise<boolean> {
  if (calls.length === 1 && !upgrades) return askToSend(chain, account, calls[0]!);
  const native = calls.reduce((sum, { value = "0x0" }) => sum + BigInt(value), 0n);
  return ask({
    title: calls.length === 1 ? "Send this call?" : `Send these ${calls.length} calls?`,
    confirm: "Send",
    facts: [
      ["Account", account],
      ["Network", `${chain.name} (${chain.chainId})`],
      ...(upgrades ? ([["Upgrade", "The account becomes a smart account (EIP-7702)."]] as [string, string][]) : []),
      ["ETH", exact(native.toString(), NATIVE_DECIMALS)],
    ],
    details: element("ol", { class: "calls" }, ...calls.map((call) => element("li", {}, ...callLines(chain, call)))),
    note: "All of them are made, or none. The network fee is paid in test ETH.",
  });
}

function callLines(chain: Chain, call: Call): HTMLElement[] {
  const approval = readApproval(chain, call);
  return [
    element("h3", {}, approval ? approval.title.slice(0, -1) : "Send a transaction"),
    ...(approval ? [factList(approval.facts)] : []),
    members(call),
  ];
}

/** Shows how far a batch is. */
export function showCalls({ from, state, hashes }: Batch): void {
  void ask({
    title: "Your calls",
    confirm: "Close",
    facts: [
      ["Account", from],
      ["State", state],
    ],
    details: element("ol", { class: "calls" }, ...hashes.map((hash) => element("li", {}, hash))),
    note: "",
    isNotice: true,
  });
}

interface Prompt {
  title: string;
  confirm: string;
  facts: [string, string][];
  details: HTMLElement;
  note: string;
  /** There is nothing to reject. */
  isNotice?: boolean;
}

function ask({ title, confirm, facts, details, note, isNotice }: Prompt): Promise<boolean> {
  return new Promise((resolve) => {
    const heading = element("h2", { id: "prompt-title", tabindex: -1, autofocus: true }, title);
    const dialog = element(
      "dialog",
      { class: "prompt", "aria-labelledby": "prompt-title" },
      element("p", { class: "prompt-brand" }, icon(SHIELD), "Sandbox wallet"),
      heading,
      factList(facts),
      element("section", { class: "prompt-data", "aria-label": "Contents", tabindex: 0 }, details),
      element("p", { class: "quiet" }, note),
      element(
        "div",
        { class: "buttons" },
        !isNotice &&
          element("button", { type: "button", class: "secondary", onclick: () => dialog.close("") }, "Reject"),
        element("button", { type: "button", class: "primary", onclick: () => dialog.close("yes") }, confirm),
      ),
    );
    const before = document.activeElement;
    dialog.addEventListener("close", () => {
      dialog.remove();
      refocus(before);
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** ERC-20 `approve(spender, amount)`, in words. */
function readApproval(
  chain: Chain,
  transaction: Record<string, string>,
): { title: string; confirm: string; facts: [string, string][] } | null {
  const data = transaction["data"] ?? "";
  const token = chain.tokens.find(({ address }) => address.toLowerCase() === transaction["to"]?.toLowerCase());
  if (!token || !data.startsWith(APPROVE_SELECTOR) || data.length !== 138) return null;
  const spender = `0x${data.slice(34, 74)}`;
  const amount = BigInt(`0x${data.slice(74)}`).toString();
  const none = amount === "0";
  return {
    title: none ? `Take back the ${token.symbol} approval?` : `Approve ${token.symbol}?`,
    confirm: none ? "Take back" : "Approve",
    facts: [
      ["Amount", `${exact(amount, token.decimals)} ${token.symbol}`],
      ["Spender", spender],
    ],
  };
}

function factList(facts: [string, string][]): HTMLElement {
  const list = element("dl", { class: "facts" });
  for (const [name, value] of facts) list.append(element("div", {}, element("dt", {}, name), element("dd", {}, value)));
  return list;
}

function members(value: Record<string, unknown>): HTMLElement {
  const list = element("dl", { class: "members" });
  for (const [name, member] of Object.entries(value)) {
    const nested = typeof member === "object" && member !== null;
    list.append(
      element(
        "div",
        {},
        element("dt", {}, name),
        element("dd", {}, nested ? members(member as Record<string, unknown>) : String(member)),
      ),
    );
  }
  return list;
}
