// node size.mjs [COUNT WASM_BINDGEN COMPILED WASM_OPT_FLAG...]
//
// The download of an app for the package: the module, in parts, and the glue that the default entry imports, bundled and
// minified; and what the other entries add. It fails where one is larger than its limit (docs/size.md), and where a module has
// what must not be in it. With a count it names the functions, and the folders of src, that take most of the module.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";
import { functionSizes } from "./wasm-functions.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const packageFolder = join(root, "target/pkg");
const [count, wasmBindgen, compiled, ...wasmOptFlags] = process.argv.slice(2);

/** `[what, goal, limit]` in bytes, brotli. A limit is what was reached, up to the next 500. */
const GATES = {
  first: ["module, first file", 80_000, 89_500],
  glue: ["glue", undefined, 27_500],
  price: ["before a first price", 98_000, 117_000],
  trade: ["module, trade's file", undefined, 132_500],
  reviewed: ["trade, to its review", 215_000, 249_500],
  rest: ["module, the rest", undefined, 209_000],
  all: ["all of it", 325_000, 458_000],
  whole: ["module in one file", undefined, 405_500],
  react: ["react, without useSwap", undefined, 3_000],
  viem: ["entry viem", undefined, 3_000],
  swap: ["entry swap", undefined, 19_000],
  element: ["element, both files", 55_000, 67_500],
  preload: ["entry preload", undefined, 1_500],
  verifyModule: ["verify, module", undefined, 173_000],
  checks: ["verify, without guard", 90_000, 177_000],
  verify: ["verify, all of it", undefined, 181_500],
};

const plus = (...all) => Object.fromEntries(["raw", "gzip", "brotli"].map((form) => [form, all.reduce((sum, sizes) => sum + sizes[form], 0)]));

/**
 * Code that must not be in a linked module, each with the marks in its functions' mangled names (Rust's v0: a length before
 * each word), and what serves instead. Every one came back unseen. To let one in: `lifted`, the reason, as a fourth member.
 */
const UNWANTED = [
  ["core::slice::sort", ["5slice4sort"], "partition, max_by_key, or insert at partition_point"],
  ["StrSearcher", ["11StrSearcher", "14TwoWaySearcher"], "split_once, contains and replace of value/text.rs"],
  ["core::fmt", ["9Formatter", "3fmt5write", "3fmt5Debug", "3fmt7Display", "3fmt3num"], "ToText, and [..].concat()"],
];
/** The modules as they were linked: the shipped ones have no names. */
const LINKED = ["verified_swap.wasm", "verified_swap_verify_wasm.wasm"];

const [first, trade, rest, whole] = ["first", "trade", "rest", "bg"].map((part) => measure(readFileSync(join(packageFolder, `verified_swap_${part}.wasm`))));
const verifyModule = measure(readFileSync(join(packageFolder, "verified_swap_verify.wasm")));
/** The checks that a bundler leaves for an app that imports no guard. */
const CHECKS = "init, explain, verifyOrder, verifyTransaction, verifyOtc, verifyFill, verifyPermit, verifyCancellation, isTradeError, isSupported";
/** The hooks of a price and a trade: `useSwap` brings the controller, the entry swap. */
const HOOKS = "VerifiedSwapProvider, useVerifiedSwap, useQuote, useTrade, useOrders, useTrades";
const [glue, react, viem, swap, preload, verifyGlue, checksGlue] = await Promise.all(
  [["index"], ["react", HOOKS], ["viem"], ["swap"], ["preload"], ["verify"], ["verify", CHECKS]].map(async (entry) => measure(await bundled(...entry))),
);
/** The element is bundled already; it takes the glue beside it. */
const element = plus(...["element", "element-view"].map((name) => measure(readFileSync(join(packageFolder, `${name}.js`)))));
const price = plus(first, glue);
const reviewed = plus(price, trade);
const sizes = { first, glue, price, trade, reviewed, rest, all: plus(reviewed, rest), whole, react, viem, element, swap, preload, verifyModule, checks: plus(verifyModule, checksGlue), verify: plus(verifyModule, verifyGlue) };

const figure = (number) => (number === undefined ? "" : number.toLocaleString("en")).padStart(10);
console.log(`${"bytes".padEnd(26)}       raw    gzip -9  brotli 11      limit       goal`);
for (const [name, [what, goal, limit]] of Object.entries(GATES)) {
  const { raw, gzip, brotli } = sizes[name];
  const isOver = brotli > limit;
  console.log(`${what.padEnd(26)}${[raw, gzip, brotli, limit, goal].map(figure).join(" ")}${isOver ? "  OVER" : ""}`);
  if (isOver) process.exitCode = 1;
}
for (const linked of LINKED) refuseUnwanted(linked);
if (count) printLargest(Number(count));
console.log(`\n${JSON.stringify(sizes)}`);

function measure(bytes) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return {
    raw: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes, { params }).length,
  };
}

/** An entry, or these of its names, with what it imports of the package, but not the client's entry or React. */
async function bundled(entry, names) {
  const { outputFiles } = await build({
    ...(names
      ? { stdin: { contents: `export { ${names} } from "./${entry}.js";`, resolveDir: packageFolder } }
      : { entryPoints: [join(packageFolder, `${entry}.js`)] }),
    external: ["react", "verified-swap"],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    legalComments: "none",
    write: false,
  });
  return Buffer.from(outputFiles[0].contents);
}

/** Says which of the unwanted functions a module has, and fails; also if that cannot be known. */
function refuseUnwanted(linked) {
  const path = join(root, "target/wasm32-unknown-unknown/release", linked);
  const names = existsSync(path) ? functionSizes(readFileSync(path)).map(({ name }) => name) : [];
  if (!names.some((name) => name.startsWith("_R"))) {
    console.log(`${linked}: its functions have no names, or it is not there: delete target/stamps/module and build again  FAILED`);
    process.exitCode = 1;
  }
  for (const [what, parts, instead, lifted] of UNWANTED) {
    const found = names.filter((name) => parts.some((part) => name.includes(part)));
    if (found.length === 0 || lifted) continue;
    console.log(`${linked} has ${found.length} functions of ${what}; instead: ${instead}  UNWANTED\n  ${found.join("\n  ")}`);
    process.exitCode = 1;
  }
}

/** The shipped module has no names, so the same build is optimised once more with them kept. */
function printLargest(count) {
  const folder = mkdtempSync(join(tmpdir(), "verified-swap-size-"));
  try {
    if (!existsSync(compiled)) {
      console.log(`\nThe largest functions are not known: ${compiled} is not there; change a file in src and try again.`);
      return;
    }
    execFileSync(wasmBindgen, ["--target", "web", "--no-typescript", "--out-name", "verified_swap", "--out-dir", folder, compiled]);
    const [module, named] = [join(folder, "verified_swap_bg.wasm"), join(folder, "named.wasm")];
    execFileSync(process.execPath, [join(root, "node_modules/binaryen/bin/wasm-opt"), module, "-g", "-o", named, ...wasmOptFlags]);
    const functions = functionSizes(readFileSync(named)).sort((left, right) => right.bytes - left.bytes);
    const total = functions.reduce((bytes, { bytes: more }) => bytes + more, 0);
    console.log(`\nLargest of ${functions.length} functions (${total.toLocaleString("en")} bytes of code, uncompressed)`);
    const line = (name, bytes) => console.log(`${figure(bytes)} ${((100 * bytes) / total).toFixed(1).padStart(5)} %  ${name}`);
    const short = (name) => name.replace(/\[[0-9a-f]+\]/g, "");
    for (const { name, bytes } of functions.slice(0, count)) line(short(name), bytes);
    console.log("\nBy folder");
    for (const [name, bytes] of byFolder(functions).slice(0, count)) line(name, bytes);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bytes by crate, and of the package's own crates by the folder of their sources, largest first: `[name, bytes]`. */
function byFolder(functions) {
  const folders = new Map();
  for (const { name, bytes } of functions) {
    const path = name.replace(/\[[0-9a-f]+\]/g, "").replace(/^<?(?:&|mut |\*const )*/, "").split(/::| as |<|>/);
    const folder = name.includes("::") ? roomOf(path) : "(glue and intrinsics)";
    folders.set(folder, (folders.get(folder) ?? 0) + bytes);
  }
  return [...folders].sort(([, left], [, right]) => right - left);
}

/** The folder that a module of one of the package's crates lies in; for another crate its name. */
function roomOf([crate, ...path]) {
  const own = /^verified_swap(?:_(\w+))?$/.exec(crate);
  if (!own) return crate;
  let folder = own[1] ? `crates/${own[1]}/src` : "src";
  for (const name of path.filter((name) => name !== "internal")) {
    if (!existsSync(join(root, folder, name))) break;
    folder = `${folder}/${name}`;
  }
  return folder;
}
