import { setTimeout } from "node:timers/promises";
import { locate } from "../package/locations.mjs";
import { startSandbox as start } from "../package/sandbox.mjs";

/* Starts the sandbox (service, nodes, page) as a process of this test file, and talks to its control surface. */

export async function startSandbox() {
  return new Sandbox(await start({ pages: locate("WWW_DIR") }));
}

export class Sandbox {
  #sandbox;

  constructor(sandbox) {
    this.#sandbox = sandbox;
    this.url = sandbox.url;
    this.config = sandbox.config;
    this.stop = sandbox.stop;
    this.chain = this.config.chains[0];
    this.used = 0;
  }

  /** The next of the sandbox's accounts in turn, with nothing approved. */
  async nextAccount() {
    const { accounts } = this.config;
    const account = accounts[this.used++ % accounts.length];
    const { tokens, delta, router, rfq, permit2 } = this.chain;
    for (const token of tokens.filter(({ kind }) => kind !== "native")) {
      for (const spender of [delta, router, rfq, permit2]) {
        if ((await this.allowance(account, token, spender)) !== 0n) await this.approve(account, token, 0, spender);
      }
    }
    return account;
  }

  /** The token with this symbol, or of this kind. */
  token(name) {
    const token = this.chain.tokens.find(({ symbol, kind }) => symbol === name || kind === name);
    if (!token) throw new Error(`No token is called ${name}: ${this.chain.tokens.map(({ symbol }) => symbol)}`);
    return token;
  }

  control(path, body) {
    return this.#sandbox.control("POST", path, body ?? {});
  }

  reset() {
    return this.control("reset");
  }

  mint(account, token, units) {
    return this.control("faucet", {
      chainId: this.chain.chainId,
      address: account,
      token: token.address,
      amount: raw(units, token),
    });
  }

  /** Requests that reached an endpoint of the service. */
  async requests(endpoint) {
    const { requests } = await this.#sandbox.control("GET", "record");
    return requests.filter((request) => request.endpoint === endpoint);
  }

  /** The chain's own balance of `account`, as BigInt. */
  balance(account, token, chain = this.chain) {
    return this.#read(token.address, `0x70a08231${word(account)}`, chain);
  }

  /** Allowance of `spender`, the Delta contract by default. */
  allowance(account, token, spender = this.chain.delta) {
    return this.#read(token.address, `0xdd62ed3e${word(account)}${word(spender)}`);
  }

  approve(owner, token, amount, spender = this.chain.delta) {
    return this.control("approve", {
      chainId: this.chain.chainId,
      token: token.address,
      owner,
      amount: String(amount),
      spender,
    });
  }

  /** The owner's own `approve(token, spender, amount, expiration)` of Permit2, for good. Resolves once it is mined. */
  async allowInPermit2(owner, token, spender, amount) {
    const number = (value) => BigInt(value).toString(16).padStart(64, "0");
    const data = `0x87517c45${word(token.address)}${word(spender)}${number(amount)}${number(2n ** 48n - 1n)}`;
    const hash = await this.rpc("eth_sendTransaction", [{ from: owner, to: this.chain.permit2, data }]);
    while (!(await this.rpc("eth_getTransactionReceipt", [hash]))) await setTimeout(20);
  }

  /** Wei. */
  async nativeBalance(account, chain = this.chain) {
    return BigInt(await this.rpc("eth_getBalance", [account, "latest"], chain));
  }

  /** A stranger's trade, which moves the price. */
  trade(src, dest, units) {
    return this.control("trade", {
      chainId: this.chain.chainId,
      srcToken: src.address,
      destToken: dest.address,
      amount: raw(units, src),
    });
  }

  /** Moves the chain's clock. */
  time(advanceSecs) {
    return this.control("time", { advanceSecs });
  }

  async orders(account) {
    const response = await fetch(`${this.url}/v2/delta/orders?userAddress=${account}&chainId=${this.chain.chainId}`);
    return (await response.json()).data;
  }

  rpc(method, params, chain = this.chain) {
    return this.#sandbox.rpc(chain.chainId, method, params);
  }

  async #read(to, data, chain = this.chain) {
    return BigInt(await this.rpc("eth_call", [{ to, data }, "latest"], chain));
  }
}

/** Whole units as raw units. */
export function raw(units, { decimals }) {
  return (BigInt(units) * 10n ** BigInt(decimals)).toString();
}

/** Decimal text, with thousands separators or without, as raw units. */
export function unitsOf(text, { decimals }) {
  const [whole, fraction = ""] = text.replaceAll(",", "").split(".");
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

function word(address) {
  return address.slice(2).toLowerCase().padStart(64, "0");
}
