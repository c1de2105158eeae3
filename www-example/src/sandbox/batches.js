/* Several calls at once (EIP-5792), in front of a node that knows nothing of it. Plain JavaScript without imports: the
   tests' wallets answer by it, too. */

/** `to`, `value` and `data`, each of which may be missing. @typedef {Record<string, string>} Call */

/** @typedef {"supported" | "ready" | "unsupported"} Atomic */

/**
 * A batch as the wallet keeps it. It is `waiting` until its transactions are sent, whose hashes then are there;
 * `failed` if they never will be. `atomic`: all of it is one transaction.
 *
 * @typedef {{ chainId: number, from: string, state: "waiting" | "sent" | "failed", atomic: boolean, hashes: string[] }} Batch
 */

/** A paymaster's service (ERC-7677). @typedef {{ url: string, context?: Record<string, unknown>, optional?: boolean }} Paymaster */

/** @typedef {{ chainId: number, from: string, calls: Call[], upgrades: boolean, paymaster?: Paymaster }} Request */

/** @typedef {{ status: string } & Record<string, unknown>} Receipt */

/**
 * How a wallet departs from one that does what it says.
 *
 * - `claims`: what it says of atomicity, where that is not the truth.
 * - `version`: the one it speaks; `1.0` has ids of the wallet's own, and knows no failure.
 * - `sends`: `one by one`, whatever it said of atomicity, up to the first call that reverts; `later`, when others have
 *   signed, too; `never`.
 * - `paymaster`: it knows paymasters, and the service that it is told of `pays` or `refuses`; without it, it knows none.
 * - `refuses`: the code of the error with which it answers to a batch; 5750 after its prompt.
 *
 * @typedef {{
 *   claims?: Atomic,
 *   version?: "1.0" | "2.0.0",
 *   sends?: "one by one" | "later" | "never",
 *   paymaster?: "pays" | "refuses",
 *   refuses?: number | null,
 * }} Habits
 */

/**
 * The parts of the wallet. `confirm` shows the calls to the user; `send` makes all of them in one transaction, after
 * having the account delegate to code if it `upgrades`, and gives the transaction's hash. `sponsor` gives back what its gas cost.
 *
 * @typedef {{
 *   accounts(): string[],
 *   chainIds: number[],
 *   atomic(chainId: number, account: string): Promise<Atomic>,
 *   confirm(request: Request): Promise<boolean>,
 *   send(request: Request): Promise<string>,
 *   sponsor?(chainId: number, hash: string): Promise<unknown>,
 *   receipt(chainId: number, hash: string): Promise<Receipt | null>,
 *   show?(id: string): void,
 *   memory: { get(id: string): Batch | undefined, set(id: string, batch: Batch): unknown },
 *   habits: Habits,
 * }} Parts
 */

/** @type {Record<number, string>} */
const REFUSALS = {
  4001: "The user rejected the request.",
  4100: "The account is not connected.",
  4200: "Batches are not offered.",
  5700: "A capability is not supported.",
  5710: "The chain is not supported.",
  5720: "There is a batch with this id.",
  5730: "No batch has this id.",
  5740: "The batch is too large.",
  5750: "The user rejected the upgrade of the account.",
  5760: "The calls cannot be made together.",
  [-32601]: "The method does not exist.",
  [-32602]: "The parameters are invalid.",
};

const RECEIPT_PAUSE_MS = 20;

/** @param {Parts} parts */
export function createBatches({ accounts, chainIds, atomic, confirm, send, sponsor, receipt, show, memory, habits }) {
  /** @type {(() => Promise<void>)[]} Batches that the user confirmed, and others have not. */
  const later = [];

  /** @param {string} account */
  function checkAccount(account) {
    if (!accounts().some((own) => own.toLowerCase() === account.toLowerCase())) throw refusal(4100);
  }

  /** @param {string} id */
  function isKnown(id) {
    return memory.get(id) !== undefined;
  }

  /**
   * @param {number} chainId
   * @param {string} account
   */
  async function claimed(chainId, account) {
    return habits.claims ?? atomic(chainId, account);
  }

  /** @param {readonly any[]} params */
  async function getCapabilities([account, wanted]) {
    checkAccount(account);
    const asked = chainIds.filter((chainId) => !wanted || wanted.map(Number).includes(chainId));
    const entries = asked.map(async (chainId) => {
      const status = await claimed(chainId, account);
      const said = habits.version === "1.0" ? { atomicBatch: { supported: status !== "unsupported" } } : { atomic: { status } };
      return [hex(chainId), habits.paymaster ? { ...said, paymasterService: { supported: true } } : said];
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  /** @param {readonly any[]} params */
  async function sendCalls([{ version, id: given, from, chainId: onChain, atomicRequired, calls, capabilities = {} }]) {
    const { version: spoken = "2.0.0", sends, refuses } = habits;
    const isFirst = spoken === "1.0";
    if (version !== spoken || typeof atomicRequired !== (isFirst ? "undefined" : "boolean")) throw refusal(-32602);
    if (refuses && refuses !== 5750) throw refusal(refuses);
    checkAccount(from);
    const chainId = Number(onChain);
    if (!chainIds.includes(chainId)) throw refusal(5710);
    const paymaster = habits.paymaster && capabilities.paymasterService;
    /** @param {{ optional?: boolean }} capability */
    const isUnknown = (capability) => capability !== paymaster && capability.optional !== true;
    if (Object.values(capabilities).some(isUnknown)) throw refusal(5700);
    if (calls.length > 10) throw refusal(5740);
    /** @type {string} */
    const id = isFirst || given === undefined ? randomId() : given;
    if (isKnown(id)) throw refusal(5720);
    const status = await claimed(chainId, from);
    if (atomicRequired && status === "unsupported") throw refusal(5760);
    const request = { chainId, from, calls, upgrades: status === "ready", ...(paymaster && { paymaster }) };
    if (!(await confirm(request))) throw refusal(4001);
    if (refuses) throw refusal(refuses);
    // Another prompt for the same may have been confirmed meanwhile.
    if (isKnown(id)) throw refusal(5720);
    /** @type {Batch} */
    const batch = { chainId, from, state: "waiting", atomic: status !== "unsupported" && sends !== "one by one", hashes: [] };
    memory.set(id, batch);
    const act = () => execute(id, batch, request);
    if (sends === "later") later.push(act);
    else await act();
    return isFirst ? id : { id };
  }

  /**
   * @param {string} id
   * @param {Batch} batch
   * @param {Request} request
   */
  async function execute(id, batch, request) {
    const { chainId, calls, paymaster } = request;
    try {
      if (habits.sends === "never") throw new Error("It is never sent.");
      for (const part of batch.atomic ? [calls] : calls.map((call) => [call])) {
        const hash = await send({ ...request, calls: part });
        batch.hashes.push(hash);
        memory.set(id, batch);
        if (paymaster && habits.paymaster === "pays") await sponsor?.(chainId, hash);
        if (!batch.atomic && (await mined(chainId, hash)).status !== "0x1") break;
      }
    } catch {
      // The node did not take it.
    }
    batch.state = batch.hashes.length > 0 ? "sent" : "failed";
    memory.set(id, batch);
  }

  /**
   * @param {number} chainId
   * @param {string} hash
   */
  async function mined(chainId, hash) {
    for (;;) {
      const found = await receipt(chainId, hash);
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, RECEIPT_PAUSE_MS));
    }
  }

  /** @param {readonly any[]} params */
  async function getCallsStatus([id]) {
    const batch = isKnown(id) ? memory.get(id) : undefined;
    if (!batch) throw refusal(5730);
    const { chainId, state, hashes } = batch;
    const found = (await Promise.all(hashes.map((hash) => receipt(chainId, hash)))).filter((one) => one !== null);
    const isDone = state === "sent" && found.length === hashes.length;
    const receipts = found.map(({ logs, status, blockHash, blockNumber, gasUsed, transactionHash }) => ({
      logs, status, blockHash, blockNumber, gasUsed, transactionHash,
    }));
    if (habits.version === "1.0") return isDone ? { status: "CONFIRMED", receipts } : { status: "PENDING" };
    const status = state === "failed" ? 400 : isDone ? statusOf(found) : 100;
    const answer = { version: "2.0.0", id, chainId: hex(chainId), status, atomic: batch.atomic };
    return isDone ? { ...answer, receipts } : answer;
  }

  /** @type {Record<string, (params: readonly any[]) => Promise<unknown>>} */
  const methods = {
    wallet_getCapabilities: getCapabilities,
    wallet_sendCalls: sendCalls,
    wallet_getCallsStatus: getCallsStatus,
    async wallet_showCallsStatus([id]) {
      if (!isKnown(id)) throw refusal(5730);
      show?.(id);
      return null;
    },
  };

  return {
    /** @param {string} method */
    knows: (method) => method in methods,
    /**
     * @param {string} method
     * @param {readonly unknown[]} params
     */
    answer: async (method, params) => methods[method]?.(params),
    /** The others sign: what waits for them is sent. */
    async release() {
      for (const act of later.splice(0)) await act();
    },
  };
}

const EXECUTE_BATCH_SELECTOR = "34fcd5be";

/**
 * The calldata of `executeBatch((address to, uint256 value, bytes data)[])`, by which the key of a smart account makes
 * it call.
 *
 * @param {Call[]} calls
 */
export function encodeBatch(calls) {
  const items = calls.map(({ to = "0x0", value = "0x0", data = "0x" }) => {
    const bytes = data.slice(2);
    const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, "0");
    return [to, value, 96, bytes.length / 2].map(word).join("") + padded;
  });
  let offset = 32 * calls.length;
  const offsets = items.map((item) => {
    const own = word(offset);
    offset += item.length / 2;
    return own;
  });
  return `0x${EXECUTE_BATCH_SELECTOR}${[32, calls.length].map(word).join("")}${offsets.join("")}${items.join("")}`;
}

/** @param {string | number} number */
function word(number) {
  return BigInt(number).toString(16).padStart(64, "0");
}

/** @param {Receipt[]} receipts */
function statusOf(receipts) {
  const reverted = receipts.filter(({ status }) => status !== "0x1").length;
  if (reverted === 0) return 200;
  return reverted === receipts.length ? 500 : 600;
}

/** @param {number} code */
function refusal(code) {
  return Object.assign(new Error(REFUSALS[code] ?? `The wallet refuses with ${code}.`), { code });
}

/** @param {number} chainId */
function hex(chainId) {
  return `0x${chainId.toString(16)}`;
}

function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
