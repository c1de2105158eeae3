// node site-size.mjs
//
// Prints the bytes of all that each page of the site can load, as they are and as a static host compresses them; fails above the
// budget. The documentation is not among them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";

const SITE = fileURLToPath(new URL("../../target/site", import.meta.url));
export const PAGES = ["index.html", "paste.html"];
/** Bytes of a page with brotli, the module among them. */
export const BUDGET = 300_000;

/** All files that a page, or a file of it, names: `[{ file, raw, brotli }]`. */
export function loadedBy(page) {
  const found = new Map();
  const open = [page];
  for (const file of open) {
    if (found.has(file)) continue;
    const bytes = readFileSync(join(SITE, file));
    found.set(file, { file, raw: bytes.length, brotli: brotliCompressSync(bytes).length });
    if (/\.(html|js|css)$/.test(file)) for (const [name] of String(bytes).matchAll(/[\w-]+\.(js|css|wasm|svg)\b/g)) open.push(...named(name));
  }
  return [...found.values()];
}

/** The built file of that name, if there is one. */
function named(name) {
  try {
    readFileSync(join(SITE, "assets", name));
    return [`assets/${name}`];
  } catch {
    return [];
  }
}

export const sum = (files, kind) => files.reduce((total, file) => total + file[kind], 0);

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const page of PAGES) {
    const files = loadedBy(page);
    const brotli = sum(files, "brotli");
    console.log(`${page}: ${sum(files, "raw")} bytes, ${brotli} with brotli (at most ${BUDGET}), in ${files.length} files`);
    if (brotli > BUDGET) process.exitCode = 1;
  }
}
