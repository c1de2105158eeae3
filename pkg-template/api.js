// What every entry shares: loading once, and the parts of the client that are JavaScript's own (async iteration).
// Importing does nothing; the module is loaded by the first createClient or init.
import load, * as wasm from "./verified_swap.js";

let source;
let loaded;
let ready = false;

/** Each entry says where the module's bytes come from. */
export function from(bytes) {
  source = bytes;
}

export function init(bytes) {
  // Forgotten on failure, so that a lost connection does not break the page until its reload.
  loaded ??= start(bytes).catch((error) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function start(bytes) {
  await load({ module_or_path: await (bytes ?? source()) });
  ready = true;
}

export async function createClient(options) {
  await init();
  return wasm.openClient(options);
}

export function isTradeError(error, code) {
  return error?.name === "TradeError" && typeof error.code === "string" && (code === undefined || error.code === code);
}

const pure = (name) => (...args) => {
  if (!ready) throw new Error(`verified-swap: call \`await init()\` (or createClient) once before ${name}`);
  return wasm[name](...args);
};

export const parseAddress = pure("parseAddress");
export const isAddress = pure("isAddress");
export const normalizeToken = pure("normalizeToken");
export const parseUnits = pure("parseUnits");
export const formatUnits = pure("formatUnits");
export const hashTypedData = pure("hashTypedData");
export const compactSignature = pure("compactSignature");
export const recoverTypedDataSigner = pure("recoverTypedDataSigner");
export const minReceived = pure("minReceived");
export const maxSpent = pure("maxSpent");
export const verifyOrder = pure("verifyOrder");
export const isTerminal = pure("isTerminal");

export const NATIVE_TOKEN = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
export const VELORA_BASE_URL = "https://api.velora.xyz";

wasm.Client.prototype.watch = async function* (order, options) {
  const following = this.follow(order, options);
  for (let next; (next = await following.next()); ) yield next;
};

wasm.Client.prototype.wait = async function (order, options) {
  let last;
  for await (last of this.watch(order, options));
  return last;
};
