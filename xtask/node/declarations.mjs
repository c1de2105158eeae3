// The published declarations: of each entry one file, made of what tsc emits for pkg-template/src/types. An entry's file has
// its parts in order, and imports what the client's entry declares from there.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";

/** The published files by the module of types that each is made of. */
export const ENTRIES = {
  index: "types",
  verify: "types/verify",
  preload: "types/preload",
  react: "types/react",
  swap: "types/swap",
  element: "types/element",
  viem: "types/viem",
  testing: "types/testing",
  vectors: "types/vectors",
  "verified_swap_bg.wasm": "types/wasm",
};
/** Entries that have all names of another. */
const ALIASES = { inline: "index", "verify-inline": "verify" };
/** Entries whose names another entry imports. */
const LENT = { "types/swap": "swap" };
/** The client as an entry names it that is for any way of importing it. */
const CLIENT = { react: "verified-swap", swap: "verified-swap" };

/** `[, comment, rest]` of a text that begins with a comment, if another one follows, or nothing. */
const HEAD = /^(\/\*\*(?:[^*]|\*(?!\/))*\*\/\n)\s*((?:\/\*\*[^]*)?)$/;
const IMPORT = /^import type \{([^}]*)\} from "(.*)";\n/gm;
const REEXPORT = /^export (type )?(\*|\{[^}]*\}) from "(.*)";\n/gm;

/** The text of each published file, by its name without `.d.ts`. */
export function declarations(root) {
  const folder = mkdtempSync(join(tmpdir(), "declarations-"));
  try {
    const template = join(root, "pkg-template");
    const options = ["--project", template, "--declaration", "--emitDeclarationOnly", "--outDir", folder];
    execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...options], { stdio: ["ignore", "inherit", "inherit"] });
    const read = (module) => readFileSync(join(folder, `${module}.d.ts`), "utf8").replace(/^export \{\};\n/gm, "");
    const client = parts("types", read);
    const rolled = Object.entries(ENTRIES).map(([entry, module]) => [entry, rollUp(entry, module, { read, client })]);
    const aliases = Object.entries(ALIASES).map(([entry, of]) => [entry, `export * from "./index.js";\n${of === "index" ? "" : `export * from "./${of}.js";\n`}`]);
    return new Map([...rolled, ...aliases]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const beside = (module, target) => resolve("/", module, "..", target).slice(1).replace(/\.(d\.)?ts$/, "");

/** The modules whose names a module has: itself, or those that it passes on whole. */
function parts(module, read) {
  const passed = [...read(module).matchAll(REEXPORT)].filter(([, , names]) => names === "*");
  return passed.length ? passed.flatMap(([, , , target]) => parts(beside(module, target), read)) : [module];
}

function rollUp(entry, module, { read, client }) {
  const own = parts(module, read);
  const isClient = (from) => client.includes(from) && !own.includes(from);
  const [taken, lent, foreign, passed, texts, names] = [[], new Map(), [], new Map(), [], new Map()];
  for (const part of new Set([module, ...own])) {
    const text = read(part)
      .replace(IMPORT, (line, list, target) => {
        if (!target.startsWith(".")) foreign.push(line);
        else if (isClient(beside(part, target))) taken.push(...listed(list));
        else if (LENT[beside(part, target)] && !own.includes(beside(part, target))) lent.set(LENT[beside(part, target)], listed(list));
        else if (!own.includes(beside(part, target))) throw new Error(`${part} imports ${target}, which ${entry} does not have`);
        return "";
      })
      .replace(REEXPORT, (_line, type = "", list, target) => {
        if (list !== "*" && isClient(beside(part, target))) passed.set(type, [...(passed.get(type) ?? []), ...listed(list)]);
        return "";
      });
    for (const [, name] of text.matchAll(/^(?:export )?(?:declare )?(?:interface|type|function|const) (\w+)/gm)) {
      // Interfaces of one name would become one.
      if ((names.get(name) ?? part) !== part) throw new Error(`${part} and ${names.get(name)} both declare ${name}`);
      names.set(name, part);
    }
    texts.push([own.length > 1 && part !== module ? `/* ${"-".repeat(74 - basename(part).length)} ${basename(part)} */\n\n` : "", spaced(text)]);
  }
  const place = CLIENT[entry] ?? "./index.js";
  const imports = [...new Set(foreign), taken.length ? `import type ${braced(taken)} from "${place}";\n` : ""];
  for (const [entry, names] of lent) imports.push(`import type ${braced(names)} from "./${entry}.js";\n`);
  const exports = [...passed].map(([type, names]) => `export ${type}${braced(names)} from "${place}";\n`);
  // The first comment is the entry's own, if another one follows, or nothing.
  const [, head, first] = HEAD.exec(texts[0][1]) ?? [, "", texts[0][1]];
  const body = [first, ...texts.slice(1).map((text) => text.join(""))].filter((text) => text.trim()).join("\n");
  // With it, names that are not exported are the file's own.
  const hides = /^(?:declare|interface|type) /m.test(body) && !/^export default/m.test(body) ? "\nexport {};\n" : "";
  return `${head}${[...imports, ...exports].join("")}\n${body}${hides}`.trimStart();
}

const listed = (names) => names.split(/[{,}]/).map((name) => name.trim()).filter(Boolean);

/** Names in braces, in lines that one can read. */
function braced(names) {
  const rows = [...new Set(names)].sort((a, b) => a.localeCompare(b, "en")).join(", ").match(/.{1,130}(?:,(?= )|$)/g);
  return rows.length < 2 ? `{ ${rows[0]} }` : `{\n${rows.map((row) => `  ${row.trim().replace(/,?$/, ",")}\n`).join("")}}`;
}

/** An empty line before each declaration of the top, and two spaces for a step in, as written. */
function spaced(text) {
  const lines = text.replace(/^(?: {4})+/gm, (spaces) => " ".repeat(spaces.length / 2)).trim().split("\n");
  const begins = (line, before) => /^\/\*\*/.test(line) || (/^(export|declare|interface|type) /.test(line) && !/\*\/$|^export declare function/.test(before));
  return lines.map((line, at) => (at && begins(line, lines[at - 1]) ? "\n" : "") + line + "\n").join("");
}
