/**
 * A wallet that remembers what it signed and sent: in a timed run signatures and hashes come from an earlier one, since they
 * are the wallet's work and not the client's. It also answers the reads of a funded account.
 */
import { keccak256, stringToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { CHAIN_ID, OWNER_KEY, ROUTER, USDC } from "./orders.mjs";
import { FEEDS } from "./paper-prices.mjs";

const PLENTY = `0x${"f".repeat(32).padStart(64, "0")}`;
/** The router's result: three amounts. */
const TRADED = `0x${"1".padStart(64, "0").repeat(3)}`;
/** Code in the place of the tokens. */
const TOKEN_CODE = `0x${"60".repeat(64)}`;

const BLOCK_NUMBER = 0x1000000;

export class PaperWallet {
  #account = privateKeyToAccount(OWNER_KEY);
  #answers;
  #isFirstRun;
  #sent = {};
  #questions = {};
  #asker;
  /** How many calls it has answered. */
  calls = 0;

  /** With `answers` of an earlier run it signs and sends nothing else: a payload that is not among them is an error. */
  constructor(answers) {
    this.#answers = new Map(answers);
    this.#isFirstRun = answers === undefined;
  }

  /** `[payload text, signature or hash]` of everything signed or sent. */
  answers() {
    return [...this.#answers];
  }

  get address() {
    return this.#account.address;
  }

  /** The name of the next trade. */
  begin(name) {
    this.#asker = name;
    this.#questions[name] = [];
  }

  /** The questions of the last trade of that name: `{ method, params }` each. */
  questionsOf(name) {
    return this.#questions[name] ?? [];
  }

  request = async ({ method, params }) => {
    this.calls += 1;
    this.#questions[this.#asker]?.push({ method, params });
    switch (method) {
      case "eth_accounts":
      case "eth_requestAccounts":
        return [this.address];
      case "eth_chainId":
        return `0x${CHAIN_ID.toString(16)}`;
      case "eth_getCode":
        return params[0].toLowerCase() === this.address.toLowerCase() ? "0x" : TOKEN_CODE;
      case "eth_getBlockByNumber":
        return { number: `0x${BLOCK_NUMBER.toString(16)}`, timestamp: `0x${Math.floor(Date.now() / 1000).toString(16)}` };
      case "eth_call":
        return params[0].to ? callResult(params[0].to, params[0].data ?? params[0].input) : testimony(params[0].data ?? params[0].input);
      case "eth_signTypedData_v4":
        return this.#known(params[1], (text) => this.#signed(text));
      case "eth_sendTransaction":
        this.#sent = params[0];
        return this.#known(payload(params[0]), (text) => keccak256(stringToHex(text)));
      case "eth_gasPrice":
        return "0x5f5e100";
      case "eth_getBalance":
        return PLENTY;
      case "eth_getTransactionCount":
        return "0x7";
      case "eth_getTransactionByHash":
        return { ...this.#sent, hash: params[0], input: this.#sent.data, nonce: "0x7", blockNumber: null };
      case "eth_getTransactionReceipt":
        return null;
      default:
        throw Object.assign(new Error(`the paper wallet has no ${method}`), { code: 4200 });
    }
  };

  async #known(text, answer) {
    let known = this.#answers.get(text);
    if (!known) {
      if (!this.#isFirstRun) throw new Error("the payload is not the one that was signed or sent beforehand");
      known = await answer(text);
      this.#answers.set(text, known);
    }
    return known;
  }

  #signed(text) {
    const typedData = JSON.parse(text);
    const { EIP712Domain, ...types } = typedData.types;
    return this.#account.signTypedData({ ...typedData, types });
  }
}

/** The members that identify a transaction; gas is the wallet's business. */
function payload({ from, to, value = "0x0", data }) {
  return `${from.toLowerCase()} ${to.toLowerCase()} ${value} ${data}`;
}

/** ERC-20 reads: `decimals()` of USDC 6 and of the other token 18, `allowance` and `balanceOf` plenty; the router trades. */
function callResult(to, data) {
  if (to.toLowerCase() === ROUTER.toLowerCase()) return TRADED;
  const decimals = to.toLowerCase() === USDC.toLowerCase() ? 6 : 18;
  const known = { "0x313ce567": `0x${decimals.toString(16).padStart(64, "0")}`, "0xdd62ed3e": PLENTY, "0x70a08231": PLENTY };
  const result = known[data.slice(0, 10)];
  if (!result) throw Object.assign(new Error(`the paper token has no ${data.slice(0, 10)}`), { code: -32000 });
  return result;
}

/** Code bytes in front of the package's question to the references of a price (`crates/verify/src/domain/reference/lens.rs`). */
const LENS_BYTES = 1_010;

/** The result of that code: the block's time and number, no pool that answers, and answers of these two tokens' feeds, written just now. */
function testimony(data) {
  const [pools, sources] = [data.slice(2 + 2 * LENS_BYTES, 4 + 2 * LENS_BYTES), data.slice(4 + 2 * LENS_BYTES).match(/.{40}/g) ?? []];
  const now = Math.floor(Date.now() / 1000);
  const said = sources.flatMap((source, at) => {
    const price = at < Number(`0x${pools}`) ? undefined : FEEDS[`0x${source.toLowerCase()}`];
    return price === undefined ? [0] : [8 + 1, price, now];
  });
  return `0x${[now, BLOCK_NUMBER, ...said].map((word) => word.toString(16).padStart(64, "0")).join("")}`;
}
