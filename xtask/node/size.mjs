// node size.mjs [--enforce] [--largest N]
//
// What an app downloads for the package: the module, and the glue that the default entry imports, bundled and minified.
// `--enforce` fails above the ceiling; `--largest` names the functions that take most of the module.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";
import { functionSizes } from "./wasm-functions.mjs";

/** What the package is meant to stay below, brotli 11: the service's own SDK with viem (`cargo xtask bench`). Not reached. */
const BUDGET = 91_325;
/** What it may cost until then. Lowered with every gain; raised once, when the other paths came to the gasless one. */
const CEILING = 154_000;

const root = fileURLToPath(new URL("../..", import.meta.url));
const packageFolder = join(root, "target/pkg");
const options = process.argv.slice(2);

const parts = {
  wasm: measure(readFileSync(join(packageFolder, "verified_swap_bg.wasm"))),
  glue: measure(await bundledGlue()),
};
const sum = Object.fromEntries(["raw", "gzip", "brotli"].map((form) => [form, parts.wasm[form] + parts.glue[form]]));

const figure = (number) => number.toLocaleString("en").padStart(10);
console.log(`${"bytes".padEnd(28)}       raw    gzip -9  brotli 11`);
for (const [name, sizes] of [["module (wasm)", parts.wasm], ["glue (minified bundle)", parts.glue], ["sum", sum]]) {
  console.log(`${name.padEnd(26)}${figure(sizes.raw)} ${figure(sizes.gzip)} ${figure(sizes.brotli)}`);
}
const left = BUDGET - sum.brotli;
console.log(`\nBudget ${BUDGET.toLocaleString("en")}: ${left >= 0 ? `${left.toLocaleString("en")} left` : `${(-left).toLocaleString("en")} TOO MUCH`}; ceiling ${CEILING.toLocaleString("en")}`);

if (options.includes("--largest")) printLargest(Number(options[options.indexOf("--largest") + 1]));
console.log(`\n${JSON.stringify({ budget: BUDGET, ceiling: CEILING, ...parts, sum })}`);
if (options.includes("--enforce") && sum.brotli > CEILING) process.exit(1);

function measure(bytes) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return {
    raw: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes, { params }).length,
  };
}

async function bundledGlue() {
  const { outputFiles } = await build({
    entryPoints: [join(packageFolder, "index.js")],
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

/** The shipped module has no names, so the same build is optimised once more with them kept. */
function printLargest(count) {
  const folder = mkdtempSync(join(tmpdir(), "verified-swap-size-"));
  try {
    const tool = (name) => join(root, "target/tools/bin", name);
    const cargoOutput = process.env.CARGO_TARGET_DIR ?? join(root, "target");
    const compiled = join(cargoOutput, "wasm32-unknown-unknown/release/verified_swap_module.wasm");
    if (!existsSync(compiled)) {
      console.log(`\nThe largest functions are not known: ${compiled} is not there; change a file in src and try again.`);
      return;
    }
    execFileSync(tool("wasm-bindgen"), ["--target", "web", "--no-typescript", "--out-name", "verified_swap", "--out-dir", folder, compiled]);
    const [module, named] = [join(folder, "verified_swap_bg.wasm"), join(folder, "named.wasm")];
    execFileSync(tool("wasm-opt"), [module, "-g", "-o", named, ...wasmOptFlags()]);
    const functions = functionSizes(readFileSync(named)).sort((left, right) => right.bytes - left.bytes);
    const total = functions.reduce((bytes, { bytes: more }) => bytes + more, 0);
    console.log(`\nLargest of ${functions.length} functions (${total.toLocaleString("en")} bytes of code, uncompressed)`);
    const line = (name, bytes) => console.log(`${figure(bytes)} ${((100 * bytes) / total).toFixed(1).padStart(5)} %  ${name}`);
    for (const { name, bytes } of functions.slice(0, count)) line(name, bytes);
    console.log("\nBy module");
    for (const [name, bytes] of byModule(functions).slice(0, count)) line(name, bytes);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bytes by the first two names of each function's path, largest first: `[name, bytes]`. */
function byModule(functions) {
  const modules = new Map();
  for (const { name, bytes } of functions) {
    const path = name.replace(/^<?(?:&|mut |\*const )*/, "").split(/::| as |<|>/);
    const module = name.includes("::") ? path.slice(0, 2).join("::") : "(glue and intrinsics)";
    modules.set(module, (modules.get(module) ?? 0) + bytes);
  }
  return [...modules].sort(([, left], [, right]) => right - left);
}

/** As the module's Cargo.toml has them for wasm-pack. */
function wasmOptFlags() {
  const listed = /^wasm-opt = \[([^\]]*)\]/m.exec(readFileSync(join(root, "xtask/module/Cargo.toml"), "utf8"))?.[1] ?? "";
  return [...listed.matchAll(/"([^"]+)"/g)].map(([, flag]) => flag);
}
