// Remedies for a module that could not be loaded.
import { membersOf } from "./module.ts";
import { tradeError } from "./reading.ts";
import type { TradeError } from "./types.ts";

/** An entry: its name, the files of its module, and the one that has all of it. */
export type Place = readonly [entry: string, files: string, whole: string];
const CLIENT: Place = ["verified-swap", "verified_swap_{first,trade,rest}.wasm", "verified_swap_bg.wasm"];

/** The remedies by pattern of the message; the first match is named first, the first of all else last. */
const remediesOf = ([entry, files]: Place): [pattern: RegExp, remedy: string][] => [
  [/ at (file|blob):/, `anywhere: import ${entry}/inline`],
  [/\/node_modules\//, 'Vite up to 7: optimizeDeps: { exclude: ["verified-swap"] }'],
  [/\/_next\//, "webpack, Next.js: deploy it with the build's other files"],
  [/^/, `Rollup, esbuild: copy ${files} there, or call init(wasm) with the URL or bytes of ${entry}/wasm`],
];
/**
 * The error for a failed loading, with its remedies: NETWORK if it may pass, else MODULE_UNAVAILABLE. `error` names what
 * came in place of the module, or is anything else; `place` is `CLIENT` of another entry.
 */
export function withRemedy(error: unknown, place: Place = CLIENT): TradeError {
  const given = membersOf(error);
  const own = typeof given?.message === "string" && given.message.startsWith("verified-swap: ") ? given.message : null;
  const [message, cause] = own === null ? [`verified-swap: no module: ${error}`, error] : [own, given?.cause];
  const all = remediesOf(place);
  const likely = all.filter(([pattern]) => pattern.test(message)).slice(0, 1);
  const remedies = [...new Set([...likely, ...all.slice(1), ...all.slice(0, 1)])].map(([, remedy]) => remedy);
  // Where a site is deployed anew, the files of a page that is open are gone: a reload brings the new ones.
  const told = `${message}. ${remedies.join("; ")}`;
  const because = cause ? { cause } : {};
  return given?.passes
    ? tradeError(told, { code: "NETWORK", action: "retry", ...because })
    : tradeError(told, { code: "MODULE_UNAVAILABLE", action: "reload", ...because });
}

/** The error where nothing can be compiled. */
export function unavailable([, , whole]: Place = CLIENT): TradeError {
  const why = globalThis.WebAssembly
    ? "compiling WebAssembly was refused: a page's Content-Security-Policy needs script-src 'wasm-unsafe-eval'; " +
      `an edge runtime needs init(wasm) with an imported verified-swap/${whole}`
    : "there is no WebAssembly, as in iOS' Lockdown Mode: another browser is needed";
  return tradeError(`verified-swap: ${why}`, { code: "WASM_UNAVAILABLE" });
}
