/**
 * A wallet that remembers what it signed: in a timed run signatures come from an earlier one, since signing is the wallet's
 * work and not the client's. It also answers the reads of a funded account.
 */
import { privateKeyToAccount } from "viem/accounts";
import { CHAIN_ID, OWNER_KEY, USDC } from "./orders.mjs";

const PLENTY = `0x${"f".repeat(32).padStart(64, "0")}`;

export class PaperWallet {
  #account = privateKeyToAccount(OWNER_KEY);
  #signatures;
  #maySign;
  /** Calls by method. */
  calls = {};

  /** With `signatures` of an earlier run it signs nothing else: a payload that is not among them is an error. */
  constructor(signatures) {
    this.#signatures = new Map(signatures);
    this.#maySign = signatures === undefined;
  }

  /** `[payload text, signature]` of everything signed. */
  signatures() {
    return [...this.#signatures];
  }

  get address() {
    return this.#account.address;
  }

  request = async ({ method, params }) => {
    this.calls[method] = (this.calls[method] ?? 0) + 1;
    switch (method) {
      case "eth_accounts":
      case "eth_requestAccounts":
        return [this.address];
      case "eth_chainId":
        return `0x${CHAIN_ID.toString(16)}`;
      case "eth_getCode":
        return "0x";
      case "eth_getBlockByNumber":
        return { number: "0x1000000", timestamp: `0x${Math.floor(Date.now() / 1000).toString(16)}` };
      case "eth_call":
        return callResult(params[0].to, params[0].data ?? params[0].input);
      case "eth_signTypedData_v4":
        return this.#signature(params[1]);
      default:
        throw Object.assign(new Error(`the paper wallet has no ${method}`), { code: 4200 });
    }
  };

  async #signature(text) {
    let signature = this.#signatures.get(text);
    if (!signature) {
      if (!this.#maySign) throw new Error("the payload is not the one that was signed beforehand");
      const { EIP712Domain, ...types } = JSON.parse(text).types;
      signature = await this.#account.signTypedData({ ...JSON.parse(text), types });
      this.#signatures.set(text, signature);
    }
    return signature;
  }
}

/** ERC-20 reads: `decimals()` of USDC 6 and of the other token 18, `allowance` and `balanceOf` plenty. */
function callResult(to, data) {
  const decimals = to.toLowerCase() === USDC.toLowerCase() ? 6 : 18;
  const known = { "0x313ce567": `0x${decimals.toString(16).padStart(64, "0")}`, "0xdd62ed3e": PLENTY, "0x70a08231": PLENTY };
  const result = known[data.slice(0, 10)];
  if (!result) throw Object.assign(new Error(`the paper token has no ${data.slice(0, 10)}`), { code: -32000 });
  return result;
}
