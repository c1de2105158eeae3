// A module from where it is: fetched, and compiled while it arrives. It names no module, so that a bundler ships none for it.
import { answerIn, membersOf } from "./module.ts";

/** In development, Vite up to 7 moves the scripts to node_modules/.vite/deps, and leaves the module where it was. */
export const placed = (url: string) => url.replace(/\/node_modules\/\..*\/deps\/(?!.*\/)/, "/node_modules/verified-swap/");

/** Beside where a module is. */
export interface Compiling {
  /** The promise of the URL's answer, if it was asked for already. */
  begun?: Promise<Response> | undefined;
  /** Gets an answer that is compiled while it arrives. */
  onAnswer?: ((answer: Response) => unknown) | undefined;
  /** Whether the URL is not tried once more. */
  isLast?: boolean;
}

/**
 * The module from its URL or response, compiled while it arrives. In other forms the glue finds it. With `integrity`
 * (as of `fetch`) no other is compiled. A URL is tried once more, a second later, after what may pass (`passes` of the
 * error): no answer, half an answer, a server's own failure.
 */
export async function compile(source: unknown, integrity?: string, { begun, onAnswer, isLast }: Compiling = {}): Promise<unknown> {
  let given = answerIn(await source);
  // A bundler may bring a URL class of its own.
  const place = membersOf(given)?.href ?? given;
  const isUrl = typeof place === "string";
  let url = place;
  let came = "no answer";
  let cause: unknown;
  let passes = false;
  // Fetched in vain; `init` refuses with a code.
  if (!globalThis.WebAssembly) throw new Error("verified-swap: there is no WebAssembly");
  try {
    if (isUrl) given = answerIn(await (begun ?? fetched(place, integrity)));
    if (!given?.headers) return given;
    url = given.url || "the response given";
    passes = given.status >= 500;
    const type = given.headers.get("content-type");
    came = `${given.status} ${type ?? "without a type"}`;
    // If the server sends another type, or a replaced `fetch` has no stream, the module is compiled after it arrived.
    if (given.ok && type === "application/wasm" && !integrity && membersOf(given.body)?.getReader) {
      onAnswer?.(given);
      return await WebAssembly.compileStreaming(given);
    }
    const bytes = new Uint8Array(await given.arrayBuffer());
    const isOther = given.ok && integrity && !(await isOf(bytes, integrity));
    const begins = String.fromCharCode(...bytes.subarray(0, 60));
    const isModule = isOther && begins.startsWith("\0asm");
    came += ` ${!isModule ? JSON.stringify(begins) : WebAssembly.validate(bytes) ? "of another version" : "cut short"}`;
    if (given.ok && !isOther) return await WebAssembly.compile(bytes);
  } catch (error) {
    cause = error;
    passes = !(error instanceof WebAssembly.CompileError);
  }
  // A file on disk is there, or is not.
  passes &&= isUrl && !place.startsWith("file:");
  if (passes && !isLast) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return compile(source, integrity, { onAnswer, isLast: true });
  }
  throw Object.assign(new Error(`verified-swap: no module at ${url}: ${came}`, { cause }), { passes });
}

/**
 * Whether the bytes have the stated digest. If a page may not compute it (an origin without TLS), `fetch` has checked
 * it.
 */
async function isOf(bytes: BufferSource, integrity: string) {
  const digest = await globalThis.crypto?.subtle?.digest("SHA-256", bytes);
  return !digest || integrity === `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

/** The answer; under a test runner that runs a page's scripts in Node, as Jest with jsdom does, the file's bytes. */
function fetched(url: string, integrity: string | undefined): Promise<Response> | Uint8Array {
  const builtin = globalThis.process?.getBuiltinModule;
  // If `fetch` itself checks the integrity, its refusal does not show what came.
  if (!builtin || !url.startsWith("file:")) return fetch(url, integrity && !globalThis.crypto?.subtle ? { integrity } : {});
  return builtin("node:fs").readFileSync(builtin("node:url").fileURLToPath(url));
}
