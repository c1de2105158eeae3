// A Snap's bundle as the wallet runs it: under lockdown(), in a Compartment with a Snap's globals and no others. Reads calls from
// standard input, a line each, `[handler, argument]`, and writes the results; `argv`: the bundle. It has a process of its own,
// because lockdown() cannot be taken back.
import "ses";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

lockdown();

/** A Snap's state, its dialogs, the user's answer to them, and the chain that the wallet is on. */
const wallet = { state: null, dialogs: [], confirms: true, chainId: "0x2105" };
const request = async ({ method, params }) => {
  if (method === "snap_dialog") return wallet.dialogs.push(params), wallet.confirms;
  if (method !== "snap_manageState") throw new Error(`the manifest does not permit ${method}`);
  if (params.operation === "update") wallet.state = structuredClone(params.newState);
  return structuredClone(wallet.state);
};

// Globals that the wallet gives to each Snap, and with endowment:webassembly. Those of the language are there already.
const endowments = {
  AbortController, AbortSignal, atob: (text) => atob(text), btoa: (text) => btoa(text), clearInterval: (id) => clearInterval(id),
  clearTimeout: (id) => clearTimeout(id), console, crypto, Date, Intl, isSecureContext: true, Math, setInterval: (work, ms) => setInterval(work, ms),
  setTimeout: (work, ms) => setTimeout(work, ms), TextDecoder, TextEncoder, URL, URLSearchParams, WebAssembly,
};
const module = { exports: {} };
// With endowment:ethereum-provider: a node, of which the Snap asks the chain alone.
const ethereum = { request: async ({ method }) => (method === "eth_chainId" ? wallet.chainId : Promise.reject(new Error(method))) };
const globals = { ...endowments, module, exports: module.exports, snap: harden({ request }), ethereum: harden(ethereum) };
const compartment = new Compartment({ __options__: true, globals });
compartment.evaluate(readFileSync(process.argv[2], "utf8"));
const absent = ["window", "document", "fetch", "performance", "process", "Buffer", "require"].filter((name) => compartment.globalThis[name] !== undefined);
if (absent.length) throw new Error(`a Snap has no ${absent.join()}`);

for await (const line of createInterface({ input: process.stdin })) {
  const [handler, argument] = JSON.parse(line);
  if (handler === "wallet") Object.assign(wallet, argument);
  const work = handler === "wallet" ? wallet : module.exports[handler](argument);
  const answer = await Promise.resolve(work).then((result) => ({ result }), ({ message, stack }) => ({ error: message, stack }));
  console.log(JSON.stringify(answer));
}
