// node assemble.mjs BUILT TEMPLATE OUT FEATURE...
//
// Puts the npm package together: what was compiled (module and glue) and what is written by hand (pkg-template). The
// features are what wasm-opt is told of the module.
// The package appears as a whole or not at all: it is made beside OUT and then takes its place.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { shortened } from "./short-names.mjs";
import { thirdParty } from "./third-party.mjs";

const MODULE = "verified_swap_bg.wasm";
const GLUE = "verified_swap.js";
/** The library that is shipped inside: without a bundler, a page cannot import it by its name. */
const LIBRARY = "idb";
/** Imported by the entry that carries the module inside itself. */
const INLINED = "wasm_base64.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [built, template, out, ...features] = process.argv.slice(2);
const making = `${out}.making`;

rmSync(making, { recursive: true, force: true });
mkdirSync(making, { recursive: true });

const { wasm, glue } = shortened({
  wasmOpt: join(root, "node_modules/binaryen/bin/wasm-opt"),
  features,
  module: join(built, MODULE),
  glue: readFileSync(join(built, GLUE), "utf8"),
});
writeFileSync(join(making, MODULE), wasm);
writeFileSync(join(making, GLUE), await minified(glue));
cpSync(template, making, { recursive: true });
const library = join(root, "node_modules", LIBRARY);
writeFileSync(join(making, `${LIBRARY}.js`), await minified(readFileSync(join(library, "build/index.js"), "utf8")));
if (sources(making).some((file) => readFileSync(file, "utf8").includes(INLINED))) {
  writeFileSync(join(making, INLINED), `export default "${wasm.toString("base64")}";\n`);
}
for (const file of ["README.md", "LICENSE-MIT", "LICENSE-APACHE"]) {
  if (!existsSync(join(making, file)) && existsSync(join(root, file))) cpSync(join(root, file), join(making, file));
}
writeFileSync(join(making, "LICENSE-THIRD-PARTY"), thirdParty(root, library));
const manifest = { ...JSON.parse(readFileSync(join(making, "package.json"), "utf8")), version: crateVersion() };
writeFileSync(join(making, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
checkThatEverythingNamedIsThere(manifest);

rmSync(out, { recursive: true, force: true });
mkdirSync(dirname(out), { recursive: true });
renameSync(making, out);

/** A script without what only a reader needs. Where the module lies is for the entries to say, not for the glue. */
async function minified(glue) {
  const { code } = await transform(glue, { minify: true, format: "esm", target: "es2022", legalComments: "none" });
  if (code.includes("import.meta")) {
    fail("the glue looks for the module by itself: --omit-default-module-path is not in effect");
  }
  return code;
}

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".js"))
    .map((entry) => join(folder, entry.name));
}

/** One version for crate and package. */
function crateVersion() {
  const toml = readFileSync(join(root, "Cargo.toml"), "utf8");
  const version = /^\[package\][^[]*?^version = "([^"]+)"/ms.exec(toml)?.[1];
  return version ?? fail("Cargo.toml names no version of the package");
}

function checkThatEverythingNamedIsThere(manifest) {
  const named = [manifest.main, manifest.module, manifest.types, ...targets(manifest.exports)];
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
