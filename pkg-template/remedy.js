// Remedies for a module that could not be loaded.

/** The client's entry: its name, the files of its module, and the one that has all of it. */
const CLIENT = ["verified-swap", "verified_swap_{first,trade,rest}.wasm", "verified_swap_bg.wasm"];

/** The remedies by pattern of the message; the first match is named first. */
const remediesOf = ([entry, files]) => [
  [/\/node_modules\//, 'Vite up to 7: optimizeDeps: { exclude: ["verified-swap"] }'],
  [/\/_next\//, "webpack, Next.js: deploy it with the build's other files"],
  [/^/, `Rollup, esbuild: copy ${files} there, or call init(wasm) with the URL or bytes of ${entry}/wasm`],
];
/** In the words of Chrome, Firefox and Safari, and of Cloudflare's and Vercel's runtimes. */
const REFUSED = /content.security|\bCSP\b|-eval|disallowed/i;

/**
 * The error for a failed loading, with its remedies. `error` names the file that came in place of the module, or is
 * anything else; `place` is `CLIENT` of another entry.
 */
export function withRemedy(error, place = CLIENT) {
  const isTold = error?.message?.startsWith("verified-swap: ");
  const [message, cause] = isTold ? [error.message, error.cause] : [`verified-swap: no module: ${error}`, error];
  const all = remediesOf(place);
  const likely = all.find(([pattern]) => pattern.test(message));
  const remedies = [...new Set([likely, ...all])].map(([, remedy]) => remedy);
  // A page's policy may refuse the request, too.
  const isRefused = REFUSED.test(`${message} ${cause}`) && !message.endsWith("no answer");
  const remedy = isRefused
    ? "Compiling was refused: a page's Content-Security-Policy needs script-src 'wasm-unsafe-eval'; " +
      `an edge runtime needs init(wasm) with an imported verified-swap/${place[2]}`
    : `${remedies.join("; ")}; or anywhere: import ${place[0]}/inline`;
  return new Error(`${message}. ${remedy}`, cause && { cause });
}
