// Tokens that no list has, read from the chain by their address.
import { parseAddress } from "verified-swap";
import { membersOf } from "../../src/module.ts";
import { plainText } from "../parts/plain-text.ts";
import type { Eip1193Provider } from "../../src/types/prompt.ts";
import type { SwapToken } from "../../src/types/swap.ts";
import type { Address } from "../../src/types/values.ts";
import type { Given } from "../session.ts";

/** A request to a node of a chain. Rejects where there is no node to ask. */
export type Ask = (chainId: number, method: string, params: readonly unknown[]) => Promise<unknown>;

/** A token as its contract describes itself; `calls`: its own word for its symbol. */
export interface Unlisted {
  token: SwapToken;
  calls: string;
}

const DECIMALS = "0x313ce567";
const SYMBOL = "0x95d89b41";
const MOST_DECIMALS = 77;
const LONGEST_NAME = 40;
/** Letters that cannot be taken for others. */
const PLAIN = /^[A-Za-z][A-Za-z0-9.+$-]{0,10}$/;

/** The address that a text is; null if it is none, and until the module is there. */
export function addressIn(text: string): Address | null {
  try {
    return parseAddress(text.trim());
  } catch {
    return null;
  }
}

/** Asks the nodes of the client's options in turn; else the wallet, while it is on that chain. */
export function nodeOf(client: Given["client"], wallet: Eip1193Provider | null, walletChainId: number | null): Ask {
  const rpc = "baseUrl" in client ? client.rpc : undefined;
  return async (chainId, method, params) => {
    const own = [rpc?.[chainId] ?? []].flat();
    const nodes = own.length === 0 && wallet && walletChainId === chainId ? [wallet] : own;
    let failure: unknown = new Error("no node");
    for (const node of nodes) {
      try {
        return await (typeof node === "string" ? post(node, method, params) : node.request({ method, params }));
      } catch (error) {
        failure = error;
        if (isRevert(error)) break;
      }
    }
    throw failure;
  };
}

async function post(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  const answer = membersOf(await response.json());
  if (answer?.error) throw answer.error;
  return answer?.result;
}

/** Whether a node has run the call, and the contract refused it. */
function isRevert(error: unknown): boolean {
  const { code, message } = membersOf(error) ?? {};
  return code === 3 || /revert/i.test(String(message));
}

/** The token at an address; `"none"`: there is none; `"unread"`: the chain did not answer. */
export async function readUnlisted(ask: Ask, chainId: number, address: Address): Promise<Unlisted | "none" | "unread"> {
  const call = (data: string): Promise<unknown> => ask(chainId, "eth_call", [{ to: address, data }, "latest"]);
  try {
    const [count, name] = await Promise.all([call(DECIMALS), call(SYMBOL)]);
    if (typeof count !== "string" || typeof name !== "string") return "unread";
    const decimals = /^0x[0-9a-f]{64}$/i.test(count) ? Number(count) : NaN;
    const calls = textIn(name);
    if (!(decimals <= MOST_DECIMALS) || calls === "") return "none";
    const symbol = PLAIN.test(calls) ? calls : "?";
    return { token: { chainId, address, symbol, decimals, isUnlisted: true }, calls };
  } catch (error) {
    return isRevert(error) ? "none" : "unread";
  }
}

/** Whether its own name has letters that may look like those of another token. */
export function isForeign(calls: string): boolean {
  return /[^!-~]/.test(calls);
}

/** The listed token for which it could be taken: "000USDC" and "USDC.e" are read as USDC. */
export function posesAs(calls: string, tokens: readonly SwapToken[]): SwapToken | undefined {
  const letters = (text: string): string => text.replace(/[^a-z]/gi, "").toLowerCase();
  return tokens.find(({ symbol, isUnlisted }) => !isUnlisted && letters(symbol) !== "" && letters(symbol) === letters(calls));
}

/** A `string` as a node returns it, or the `bytes32` of old tokens; without what would disturb the text around it. */
function textIn(data: unknown): string {
  if (typeof data !== "string" || data.length < 66) return "";
  const bytes = Uint8Array.from(data.slice(2).match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const length = Number(`0x${data.slice(66, 130) || "0"}`);
  const text = bytes.length === 32 ? bytes : bytes.slice(64, 64 + length);
  return plainText(new TextDecoder().decode(text), LONGEST_NAME);
}
