/** Every snippet of the documentation compiles, and those marked `run` do what is shown, in the sandbox. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { PACKAGES } from "../../xtask/node/docs/packages.mjs";
import { ROOT } from "../package/locations.mjs";
import { startSandbox } from "../package/sandbox.mjs";
import { PAGES, snippets } from "./snippets.mjs";

const execute = promisify(execFile);
const HERE = fileURLToPath(new URL(".", import.meta.url));
/** Beside the packages that snippets name; this package, ethers and Vite are found further up. */
const FOLDER = join(PACKAGES, "snippets");
const all = snippets();
/** Those that are compiled: all but the shell's. */
const scripts = all.filter(({ language }) => language !== "sh");
const nameOf = ({ page, line, language }) => `${page.replace(/\.md$/, "").replaceAll("/", ".")}.${line}.${language}`;

const CONFIG = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    // As in a new Next app: no literals of BigInt.
    target: "es2017",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
    jsx: "react-jsx",
    types: ["node"],
    skipLibCheck: true,
    allowJs: true,
    checkJs: true,
  },
  include: ["*.ts", "*.tsx", "*.js", "*.jsx"],
};

let complaints;
let sandbox;
before(async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const name of ["prelude.d.ts", "react-native.d.ts"]) cpSync(join(HERE, name), join(FOLDER, name));
  writeFileSync(join(FOLDER, "tsconfig.json"), JSON.stringify(CONFIG));
  // Each line has the number that it has in its page.
  for (const snippet of scripts) {
    writeFileSync(join(FOLDER, nameOf(snippet)), `${snippet.given}${"\n".repeat(snippet.line)}${snippet.code}export {};\n`);
  }
  const tsc = execute(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "--project", ".", "--pretty", "false"], { cwd: FOLDER });
  complaints = await tsc.then(() => "", ({ stdout, stderr }) => stdout + stderr);
  // The package's program, where npx looks for it.
  mkdirSync(join(FOLDER, "node_modules/.bin"), { recursive: true });
  symlinkSync(join(ROOT, "node_modules/verified-swap/cli.js"), join(FOLDER, "node_modules/.bin/verified-swap"));
  sandbox = await startSandbox();
});
after(() => sandbox?.stop());

test("nothing but snippets is complained of", () => {
  const names = new Set(scripts.map(nameOf));
  const strange = complaints.split("\n").filter((line) => /^\S/.test(line) && !names.has(line.split("(")[0]));
  assert.deepEqual(strange, []);
});

for (const page of PAGES.filter((page) => scripts.some((snippet) => snippet.page === page))) {
  test(`the snippets of ${page} compile`, () => {
    const prefix = `${page.replace(/\.md$/, "").replaceAll("/", ".")}.`;
    const about = complaints.split("\n").filter((line) => line.startsWith(prefix) && /^\d/.test(line.slice(prefix.length)));
    assert.equal(about.join("\n"), "");
  });
}

/** The key of the account that every anvil has first; the page of servers reads it of its environment. */
const SANDBOXED = pathToFileURL(join(HERE, "sandboxed.mjs")).href;

/** Whether a text is another, in which `…` stands for anything. */
const isAs = (text, shown) => new RegExp(`^${shown.split("…").map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("[^]*?")}$`).test(text);

test("what is printed is compared word for word, but for what is left out", () => {
  assert.ok(isAs("a 0x12 (b)\n", "a 0x… (b)\n") && !isAs("a 0x12 (b)\nc\n", "a 0x… (b)\n") && !isAs("a 0x12 b\n", "a 0x… (b)\n"));
  assert.ok(all.filter(({ printed }) => printed).length >= 3);
});

/** How a snippet is run: the program, and its arguments. */
async function commandOf(snippet) {
  if (snippet.language === "sh") return ["sh", ["-c", snippet.code]];
  const { code } = await transform(snippet.code, { loader: snippet.language });
  const file = join(FOLDER, `${nameOf(snippet)}.mjs`);
  // Its chains are the sandbox's; the vectors have their own.
  const isOfSandbox = !code.includes('"verified-swap/vectors"');
  const there = isOfSandbox ? code.replaceAll(/\b8453\b/g, "31337").replaceAll("destChainId: 10", "destChainId: 31338") : code;
  const verify = isOfSandbox ? SANDBOXED.replace("sandboxed", "sandboxed-verify") : "verified-swap/verify";
  writeFileSync(file, there.replaceAll('from "verified-swap"', `from "${SANDBOXED}"`).replaceAll('from "verified-swap/verify"', `from "${verify}"`));
  // One with tests of its own ends by itself, the rest with its last line.
  if (/"(node:)?test"/.test(code)) return [process.execPath, [file]];
  const main = `await import("${SANDBOXED}"); await import("${pathToFileURL(file)}"); process.exit(0);`;
  return [process.execPath, ["--input-type=module", "--eval", main]];
}

for (const snippet of all.filter(({ runs }) => runs)) {
  test(`the snippet of ${snippet.page}, line ${snippet.line}, runs`, async () => {
    const [program, given] = await commandOf(snippet);
    const { NODE_TEST_CONTEXT, ...env } = { ...process.env, VERIFIED_SWAP_SANDBOX: sandbox.url };
    if (snippet.printed) env.VERIFIED_SWAP_SHOWS = "1";
    const { stdout } = await execute(program, given, { cwd: FOLDER, env, timeout: 60_000 });
    if (snippet.printed) assert.ok(isAs(stdout, snippet.printed), stdout);
  });
}
