import { render, type ComponentChildren, type VNode } from "preact";
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
    details: (
      <>
        <h3>{data.primaryType}</h3>
        <Members of={data.message} />
      </>
    ),
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
    details: <Members of={transaction} />,
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
    details: (
      <ol class="calls">
        {calls.map((call, place) => (
          <CallLines key={place} chain={chain} call={call} />
        ))}
      </ol>
    ),
    note: "All of them are made, or none. The network fee is paid in test ETH.",
  });
}

function CallLines({ chain, call }: { chain: Chain; call: Call }): VNode {
  const approval = readApproval(chain, call);
  return (
    <li>
      <h3>{approval ? approval.title.slice(0, -1) : "Send a transaction"}</h3>
      {approval && <Facts of={approval.facts} />}
      <Members of={{ ...call }} />
    </li>
  );
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
    details: (
      <ol class="calls">
        {hashes.map((hash) => (
          <li key={hash}>{hash}</li>
        ))}
      </ol>
    ),
    note: "",
    isNotice: true,
  });
}

interface Prompt {
  title: string;
  confirm: string;
  facts: [string, string][];
  details: ComponentChildren;
  note: string;
  /** There is nothing to reject. */
  isNotice?: boolean;
}

/** In a window of its own, as a wallet's is: outside of the page's tree, until it is answered. */
function ask(prompt: Prompt): Promise<boolean> {
  const before = document.activeElement;
  const place = document.createDocumentFragment();
  return new Promise((resolve) => {
    const close = (): void => {
      const answer = dialog?.returnValue;
      render(null, place);
      dialog?.remove();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      resolve(answer === "yes");
    };
    render(<PromptWindow {...prompt} onClose={close} />, place);
    const dialog = place.querySelector("dialog");
    document.body.append(place);
    dialog?.showModal();
  });
}

function PromptWindow(props: Prompt & { onClose(): void }): VNode {
  const { title, confirm, facts, details, note, isNotice, onClose } = props;
  return (
    <dialog class="prompt" aria-labelledby="prompt-title" onClose={onClose}>
      <p class="prompt-brand">
        <svg viewBox="0 0 20 20" class="icon" aria-hidden="true" focusable="false">
          <path d={SHIELD} />
        </svg>
        Sandbox wallet
      </p>
      <h2 id="prompt-title" tabIndex={-1} autofocus>
        {title}
      </h2>
      <Facts of={facts} />
      <section class="prompt-data" aria-label="Contents" tabIndex={0}>
        {details}
      </section>
      <p class="quiet">{note}</p>
      <form method="dialog" class="buttons">
        {!isNotice && (
          <button class="secondary" value="">
            Reject
          </button>
        )}
        <button class="primary" value="yes">
          {confirm}
        </button>
      </form>
    </dialog>
  );
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

function Facts({ of }: { of: [string, string][] }): VNode {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Members({ of }: { of: object }): VNode {
  return (
    <dl class="vs-members">
      {Object.entries(of).map(([name, value]: [string, unknown]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === "object" && value !== null ? <Members of={value} /> : String(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
