// @ts-nocheck
// Remedies for a module that could not be loaded.
import { tradeError } from "./reading.ts";

/** The client's entry: its name, the files of its module, and the one that has all of it. */
const CLIENT = ["verified-swap", "verified_swap_{first,trade,rest}.wasm", "verified_swap_bg.wasm"];

/** The remedies by pattern of the message; the first match is named first, the first of all else last. */
const remediesOf = ([entry, files]) => [
  [/ at (file|blob):/, `anywhere: import ${entry}/inline`],
  [/\/node_modules\//, 'Vite up to 7: optimizeDeps: { exclude: ["verified-swap"] }'],
  [/\/_next\//, "webpack, Next.js: deploy it with the build's other files"],
  [/^/, `Rollup, esbuild: copy ${files} there, or call init(wasm) with the URL or bytes of ${entry}/wasm`],
];
/**
 * The error for a failed loading, with its remedies: NETWORK if it may pass, else MODULE_UNAVAILABLE. `error` names what
 * came in place of the module, or is anything else; `place` is `CLIENT` of another entry.
 */
export function withRemedy(error, place = CLIENT) {
  const isTold = error?.message?.startsWith("verified-swap: ");
  const [message, cause] = isTold ? [error.message, error.cause] : [`verified-swap: no module: ${error}`, error];
  const [anywhere, ...others] = remediesOf(place);
  const likely = [anywhere, ...others].find(([pattern]) => pattern.test(message));
  const remedies = [...new Set([likely, ...others, anywhere])].map(([, remedy]) => remedy);
  // Where a site is deployed anew, the files of a page that is open are gone: a reload brings the new ones.
  const kind = error?.passes ? { code: "NETWORK", action: "retry" } : { code: "MODULE_UNAVAILABLE", action: "reload" };
  const told = `${message}. ${remedies.join("; ")}`;
  return tradeError(told, cause ? { ...kind, cause } : kind);
}

/** The error where nothing can be compiled. */
export function unavailable([, , whole] = CLIENT) {
  const why = globalThis.WebAssembly
    ? "compiling WebAssembly was refused: a page's Content-Security-Policy needs script-src 'wasm-unsafe-eval'; " +
      `an edge runtime needs init(wasm) with an imported verified-swap/${whole}`
    : "there is no WebAssembly, as in iOS' Lockdown Mode: another browser is needed";
  return tradeError(`verified-swap: ${why}`, { code: "WASM_UNAVAILABLE" });
}
