// A script of the package from its sources, before the package is built.
import { createHash } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const SOURCES = fileURLToPath(new URL("../../pkg-template/src/", import.meta.url));
const COMPILED = new URL("../../target/sources/", import.meta.url);

/** The module of that name with all that it imports but `external`, such as the built package. */
export async function source(name, external = []) {
  const options = { external, bundle: true, platform: "node", format: "esm", target: "node20", write: false };
  const { outputFiles: [{ contents }] } = await build({ entryPoints: [`${SOURCES}${name}.ts`], ...options });
  const file = new URL(`${name}-${createHash("sha256").update(contents).digest("hex").slice(0, 16)}.mjs`, COMPILED);
  mkdirSync(COMPILED, { recursive: true });
  // Other processes compile the same file at the same time.
  const own = new URL(`${file}.${process.pid}`);
  writeFileSync(own, contents);
  renameSync(own, file);
  return import(file);
}
