// node assemble.mjs BUILT TEMPLATE OUT [--quick]
//
// Puts the npm package together: what was compiled (modules and glue) and what is written by hand (pkg-template).
// The package appears as a whole or not at all: it is made beside OUT and then takes its place.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { declarations } from "./declarations.mjs";
import { bundleElement } from "./element.mjs";
import { putDocuments } from "./documents.mjs";
import { addresses, crate, filesOf } from "./manifest.mjs";
import { sbom } from "./sbom.mjs";
import { shortened } from "./short-names.mjs";
import { carried, notices } from "./third-party.mjs";
import { named, u32 } from "./wasm-names.mjs";

const MODULE = "verified_swap_bg.wasm";
const FIRST = "verified_swap_first.wasm";
const TRADE = "verified_swap_trade.wasm";
const REST = "verified_swap_rest.wasm";
const GLUE = "verified_swap.js";
/** Written beside the module's own where it was cut. */
const FIRST_GLUE = "verified_swap_first.js";
/** The module of `verified-swap/verify`, and its glue. */
const [VERIFY, VERIFY_GLUE] = ["verified_swap_verify.wasm", "verified_swap_verify.js"];
/** The library that is shipped inside: without a bundler, a page cannot import it by its name. */
const LIBRARY = "idb";
/** The library that is bundled into the element. */
const DRAWING = "preact";
/** The entries beside the client's, that do not need its module. */
const ENTRIES = ["element", "preload", "react", "swap", "viem", "testing"];
/** Imported by the entries that carry their module inside themselves. */
const [INLINED, VERIFY_INLINED] = ["wasm_base64.js", "verify_base64.js"];

const root = fileURLToPath(new URL("../..", import.meta.url));
const [built, template, out, kind] = process.argv.slice(2);
const making = `${out}.making`;

rmSync(making, { recursive: true, force: true });
mkdirSync(making, { recursive: true });
// The demo's build: one module, which is whole, and no other entry than those of its page.
if (kind === "--quick") await quick();
else await complete();
rmSync(out, { recursive: true, force: true });
mkdirSync(dirname(out), { recursive: true });
renameSync(making, out);

/** The files that every page loads: the client's module and glue, the entries, and a page's first script. */
async function client(glue) {
  writeFileSync(join(making, GLUE), await minified(lazy(started(anew(glue)))));
  for (const name of readdirSync(template).filter((name) => !["src", "element", "tsconfig.json", "api.txt"].includes(name))) {
    cpSync(join(template, name), join(making, name), { recursive: true });
  }
  // Types are erased, and nothing else: comments stay, and each file is one module.
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--project", template, "--outDir", making], { stdio: "inherit" });
  chmodSync(join(making, "cli.js"), 0o755);
  // No script imports what declares types alone.
  for (const name of ["types.js", "types"]) rmSync(join(making, name), { recursive: true });
  for (const [name, text] of declarations(root)) writeFileSync(join(making, `${name}.d.ts`), text);
  await bundleElement(template, making);
  const library = readFileSync(join(root, "node_modules", LIBRARY, "build/index.js"), "utf8");
  writeFileSync(join(making, `${LIBRARY}.js`), await minified(library));
  // One file, so that nothing else has to arrive before it starts. The length of the module's first one is written into it.
  const define = { FIRST_BYTES: String(statSync(join(making, FIRST)).size) };
  await build({ entryPoints: [join(making, "preload.js")], outfile: join(making, "preload.js"), allowOverwrite: true, bundle: true, format: "esm", target: "es2022", define });
}

/** The first file has all code: it names no other, so that none is loaded. */
async function quick() {
  const glue = readFileSync(join(built, GLUE), "utf8");
  const short = shortened({ modules: { whole: readFileSync(join(built, MODULE)) }, glue, glueOfFirst: glue });
  writeFileSync(join(making, FIRST), short.whole);
  for (const file of [TRADE, REST]) writeFileSync(join(making, file), Buffer.from("\0asm\x01\0\0\0", "latin1"));
  await client(short.glue);
}

async function complete() {
  const modules = { whole: MODULE, first: "verified_swap_first_bg.wasm", shared: "verified_swap_shared.wasm", trade: TRADE, rest: REST };
  const { whole, first, shared, trade, rest, glue } = shortened({
    modules: Object.fromEntries(Object.entries(modules).map(([name, file]) => [name, readFileSync(join(built, file))])),
    glue: readFileSync(join(built, GLUE), "utf8"),
    glueOfFirst: readFileSync(join(built, FIRST_GLUE), "utf8"),
  });
  // The code that the trade and the rest share is loaded with the trade, which is always there before the rest.
  const wholeTrade = naming("rest", rest, withSection("more", trade, shared));
  writeFileSync(join(making, MODULE), whole);
  writeFileSync(join(making, FIRST), naming("trade", wholeTrade, first));
  writeFileSync(join(making, TRADE), wholeTrade);
  writeFileSync(join(making, REST), rest);
  await client(glue);
  const verify = readFileSync(join(built, "verified_swap_verify_bg.wasm"));
  writeFileSync(join(making, VERIFY), verify);
  writeFileSync(join(making, VERIFY_GLUE), await minified(lazy(started(readFileSync(join(built, VERIFY_GLUE), "utf8")))));
  for (const [file, module] of [[INLINED, whole], [VERIFY_INLINED, verify]]) {
    writeFileSync(join(making, file), `export default "${module.toString("base64")}";\n`);
  }
  await writeCommonJs();
  for (const file of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(join(root, file), join(making, file));
  const [version, repository] = ["version", "repository"].map((member) => crate(root, member));
  const manifest = { ...JSON.parse(readFileSync(join(making, "package.json"), "utf8")), version, ...addresses(repository) };
  const parts = carried(root, [LIBRARY, DRAWING].map((name) => join(root, "node_modules", name)));
  writeFileSync(join(making, "LICENSE-THIRD-PARTY"), notices(root, parts));
  writeFileSync(join(making, "sbom.cdx.json"), json(sbom(root, manifest, parts, readdirSync(making).filter((name) => name.endsWith(".wasm")).sort().map((name) => [name, readFileSync(join(making, name))]))));
  writeFileSync(join(making, "package.json"), json(manifest));
  putDocuments(root, making, filesOf(repository, version));
  checkThatEverythingNamedIsThere(manifest);
}

/**
 * A part with the SHA-256 of the next one in a section of that name, as `fetch` takes it for `integrity`: they share one
 * memory, so that no other may take its place.
 */
function naming(name, next, part) {
  return withSection(name, Buffer.from(`sha256-${createHash("sha256").update(next).digest("base64")}`), part);
}

/** A module with a custom section (WebAssembly core specification 5.5.3) behind all others. */
function withSection(name, content, module) {
  const section = Buffer.concat([named(name), content]);
  return Buffer.concat([module, Buffer.of(0), u32(section.length), section]);
}

/** The glue's own loader would fetch, and tell of failures, as the entries do: they give it a module, or its bytes. */
function started(glue) {
  const loader = /^async function __wbg_load\([^]*/m;
  if (!loader.test(glue)) fail("the glue loads the module in another way");
  return glue.replace(loader, () => `export default async function load(source) {
    const made = await WebAssembly.instantiate(source, __wbg_get_imports());
    __wbg_finalize_init(made.instance ?? made);
    return made.module ?? source;
  }
  export async function attach(part) {
    const made = await WebAssembly.instantiate(part, { a: wasm });
    const module = made.module ?? part;
    for (const more of WebAssembly.Module.customSections(module, "more")) await WebAssembly.instantiate(more, { a: wasm });
    return module;
  }`);
}

/**
 * A view of the memory is made anew once the memory has another buffer, as it has when it grows. The glue asks `detached`,
 * which is always false where `ses` put it in the place of what the engine lacks.
 */
function anew(glue) {
  const stale = /(\w+) === null \|\| \1\.buffer\.detached === true \|\| .*( !== wasm\.\w+\.buffer)\)\) \{/g;
  if (glue.match(stale)?.length !== 1) fail("the glue finds in another way that the memory has grown");
  return glue.replace(stale, "$1?.buffer$2) {");
}

/**
 * The glue makes what turns bytes into text, and back, when it is first used: importing asks for nothing, and a test's
 * environment without it (jsdom) has Node's.
 */
function lazy(glue) {
  const made = (name) => `new (globalThis.${name} ?? globalThis.process.getBuiltinModule("node:util").${name})`;
  const decoder = /^let cachedTextDecoder = new TextDecoder(.*);\ncachedTextDecoder.decode\(\);\n/m;
  const encoder = /^const cachedTextEncoder = new TextEncoder\(\);\n\nif \(.*\{\n(?: .*\n)*\}\n/m;
  if (!decoder.test(glue) || !encoder.test(glue)) fail("the glue makes its TextDecoder and TextEncoder in another way");
  return glue
    .replace(encoder, "let textEncoder;\n")
    .replaceAll("cachedTextEncoder.", `(textEncoder ??= ${made("TextEncoder")}()).`)
    .replace(decoder, "let cachedTextDecoder;\n")
    .replace("return cachedTextDecoder.decode(bytes)", (all) =>
      all.replace("cachedTextDecoder", `(cachedTextDecoder ??= ${made("TextDecoder")}('utf-8', { ignoreBOM: true }))`));
}

/** The files for those who do not import: Jest, and servers whose scripts are still CommonJS. */
async function writeCommonJs() {
  await build({
    entryPoints: ["node", "verify-node", ...ENTRIES].map((name) => join(making, `${name}.js`)),
    outdir: making,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    legalComments: "none",
    external: [`./${INLINED}`, `./${VERIFY_INLINED}`, "./element-view.js", "react", "verified-swap"],
    define: { "import.meta.url": "scriptUrl" },
    banner: { js: 'const scriptUrl = require("node:url").pathToFileURL(__filename).href;' },
  });
  for (const name of readdirSync(making).filter((name) => name.endsWith(".cjs"))) {
    const [banner, ...lines] = readFileSync(join(making, name), "utf8").split("\n");
    // A directive of the script has to be its first words.
    if (!lines.join("\n").includes("scriptUrl")) writeFileSync(join(making, name), lines.join("\n"));
  }
  // JSON is its module's only value, however it is imported.
  const data = readFileSync(join(making, "vectors.d.ts"), "utf8");
  const [types, value] = data.split(/^declare const vectors/m);
  // Its types are beside the value: of `export =` a namespace alone can be imported by name.
  const named = `declare namespace vectors {\n${types}}\n\ndeclare const vectors${value.replace("Vector[]", "vectors.Vector[]")}`;
  writeFileSync(join(making, "vectors.d.cts"), named.replace("export default", "export ="));
  for (const name of ["index", "verify", ...ENTRIES]) {
    const declarations = readFileSync(join(making, `${name}.d.ts`), "utf8");
    writeFileSync(join(making, `${name}.d.cts`), declarations.replace(/"(\.\/(?:index|swap))\.js"/g, '"$1.cjs"'));
  }
}

/** A script without what only a reader needs. Where the module lies is for the entries to say, not for the glue. */
async function minified(glue) {
  const { code } = await transform(glue, { minify: true, format: "esm", target: "es2022", legalComments: "none" });
  if (code.includes("import.meta")) {
    fail("the glue looks for the module by itself: --omit-default-module-path is not in effect");
  }
  return code;
}

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function checkThatEverythingNamedIsThere(manifest) {
  const named = [manifest.main, manifest.module, manifest.types, ...targets(manifest.bin), ...targets(manifest.exports)];
  for (const file of named.filter((name) => typeof name === "string" && !name.includes("*"))) {
    if (!existsSync(join(making, file))) fail(`package.json names ${file}, which is not in the package`);
  }
}

/** Every file that an `exports` tree leads to. */
function targets(tree) {
  if (typeof tree === "string") return [tree];
  return tree && typeof tree === "object" ? Object.values(tree).flatMap(targets) : [];
}

function fail(reason) {
  console.error(`The package cannot be put together: ${reason}.`);
  process.exit(1);
}
