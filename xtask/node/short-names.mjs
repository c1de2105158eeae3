// Module and glue know each other by long names with hashes in them, which are in both and do not compress. They get
// short ones here.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Module and glue (as wasm-bindgen wrote it, not minified) with short names between them: `{ wasm, glue }`. */
export function shortened({ wasmOpt, features, module, glue }) {
  const folder = mkdtempSync(join(tmpdir(), "verified-swap-names-"));
  try {
    const short = join(folder, "short.wasm");
    const flags = [...features, "--minify-imports-and-exports-and-modules", "--output", short];
    const map = JSON.parse(execFileSync(process.execPath, [wasmOpt, module, ...flags], { encoding: "utf8" }));
    return { wasm: readFileSync(short), glue: renamed(glue, map) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function renamed(glue, { imports, exports }) {
  const modules = new Set(imports.map(([module]) => module));
  if (modules.size !== 1) throw new Error(`one module was expected to be imported, not ${[...modules]}`);
  const [module] = modules;
  const byImport = new Map(imports.map(([, name, short]) => [name, short]));
  const byExport = new Map(exports);
  let found = 0;
  const text = glue
    .replace(`"${module}": import0`, () => "a: import0")
    .replace(/^( +)(\w+): function\(/gm, (all, indent, name) => {
      if (!byImport.has(name)) return all;
      found++;
      return `${indent}${byImport.get(name)}: function(`;
    })
    .replace(/\bwasm\.(\w+)/g, (all, name) => {
      if (!byExport.has(name)) throw new Error(`the glue uses ${name}, which the module does not export`);
      return `wasm.${byExport.get(name)}`;
    });
  if (found !== byImport.size || text.includes(`"${module}"`)) {
    throw new Error(`the glue has ${found} of the ${byImport.size} functions that the module imports`);
  }
  return text;
}
