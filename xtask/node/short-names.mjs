// The modules and their glue know each other by long names with hashes in them, which are in both and do not compress. They
// get short ones here, the same in every module, so that one glue fits all.
import { withNames } from "./wasm-names.mjs";

/** The imports of a module that is whole from itself: in place of what the other part would answer. */
const OWN = "__wasm_split_placeholder__";
/** The imports of the other parts: exports of the first. */
const SHARED = "__wasm_split";
/** The name by which all of them import anything. */
const MODULE = "a";

/**
 * `modules` by name, and glue (as wasm-bindgen wrote it for the whole and for the first part, not minified), with short
 * names between them.
 */
export function shortened({ modules: given, glue, glueOfFirst }) {
  const [imports, exports] = [new Names(), new Names()];
  const modules = Object.entries(given).map(([name, module]) => {
    const renaming = {
      import: (from, name) => [MODULE, (from === SHARED ? exports : imports).short(name)],
      export: (name) => exports.short(name),
    };
    return [name, withNames(module, renaming)];
  });
  if (withoutTheirModules(glue) !== withoutTheirModules(glueOfFirst)) {
    throw new Error("the whole module and its first part have different glue");
  }
  return { ...Object.fromEntries(modules), glue: renamed(glue, imports.all, exports.all) };
}

/** Short names, the same one for the same. */
class Names {
  all = new Map();

  short(name) {
    if (!this.all.has(name)) this.all.set(name, letters(this.all.size));
    return this.all.get(name);
  }
}

/** a to Z, then two of them, and so on. */
function letters(number) {
  const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return (number < 52 ? "" : letters(Math.floor(number / 52) - 1)) + alphabet[number % 52];
}

/** Glue without what it says of the module that it is of, and without the numbers in its comments. */
function withoutTheirModules(glue) {
  return glue
    .replace(/^import \* as import\d from .*\n+/gm, "")
    .replace(/^ +"\S+": import\d,\n/gm, "")
    .replace(/^ +\/\/ Cast intrinsic .*\n/gm, "");
}

function renamed(glue, imports, exports) {
  const own = [...imports.keys()].filter((name) => name.startsWith("__wasm_split_00"));
  let found = own.length;
  const text = glue
    .replace(/^import \* as import\d from .*\n+/gm, "")
    .replace(/^ +"\S+": import0,\n/m, `        ${MODULE}: import0,\n`)
    .replace(/^ +"\S+": import[1-9],\n/gm, "")
    .replace(/^( +)(\w+): function\(/gm, (all, indent, name) => {
      if (!imports.has(name)) return all;
      found++;
      return `${indent}${imports.get(name)}: function(`;
    })
    .replace(/^( +)const import0 = \{\n/m, (all, indent) => {
      const answers = own.map((name) => [imports.get(name), exports.get(name.replace("_import_", "_export_"))]);
      return all + answers.map(([name, answer]) => `${indent}    ${name}: () => wasm.${answer}(),\n`).join("");
    })
    .replace(/\bwasm\.(\w+)/g, (all, name) => {
      if (exports.has(name)) return `wasm.${exports.get(name)}`;
      if ([...exports.values()].includes(name)) return all;
      throw new Error(`the glue uses ${name}, which the module does not export`);
    });
  if (found !== imports.size || /import[1-9]/.test(text) || text.includes(OWN)) {
    throw new Error(`the glue has ${found} of the ${imports.size} functions that the modules import`);
  }
  return text;
}
