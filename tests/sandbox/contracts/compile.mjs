// Compiles the sandbox's contracts: `node compile.mjs OUTDIR` writes OUTDIR/<Contract>.json, {abi, bytecode}. Those in
// Yul are what the package ships: small, and without an ABI.
// Nothing is compiled again while sources, settings and compiler are the same.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const home = dirname(fileURLToPath(import.meta.url));
const wanted = [
  "PermitToken",
  "PlainToken",
  "TetherToken",
  "WrappedNative",
  "Pool",
  "Delta",
  "Solver",
  "Rfq",
  "Wallet",
  "Delegate",
  "Depository",
  "InterestToken",
  "CollateralSwap",
  "DaiToken",
  "SignOnlyToken",
  "Permit2",
  "Gate",
  "DelegatedNative",
  "TaxToken",
  "UnsellableToken",
  "Router",
  "ShortRouter",
  "Executor",
  "Keeper",
  "OracleFactory",
  "OraclePool",
  "Minter",
  "Aggregator",
];
const yul = ["Lens", "Together"];
const settings = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: "cancun",
  metadata: { bytecodeHash: "none" },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
};

const yulSettings = {
  optimizer: { enabled: true, runs: 1 },
  evmVersion: "cancun",
  outputSelection: { "*": { "*": ["evm.bytecode.object"] } },
};

const outdir = process.argv[2];
if (!outdir) fail("usage: node compile.mjs OUTDIR");

const require = createRequire(import.meta.url);
let compilerVersion;
try {
  compilerVersion = require("solc/package.json").version;
} catch {
  fail("npm's solc is not installed: run `npm ci` in the repository's root first");
}

const [sources, yulSources] = [".sol", ".yul"].map((ending) =>
  Object.fromEntries(
    readdirSync(home, { recursive: true })
      .filter((name) => name.endsWith(ending))
      .map((name) => relative(home, join(home, name)).split(sep).join("/"))
      .sort()
      .map((name) => [name, { content: readFileSync(join(home, name), "utf8") }]),
  ),
);
const everything = [compilerVersion, settings, wanted, sources, yulSettings, yul, yulSources];
const key = createHash("sha256").update(JSON.stringify(everything)).digest("hex");

mkdirSync(outdir, { recursive: true });
const files = [...wanted, ...yul].map((name) => join(outdir, `${name}.json`));
const stamp = join(outdir, "stamp");
if (upToDate()) process.exit(0);

const solc = require("solc");
const compiled = Object.assign(
  {},
  ...Object.values(compile({ language: "Solidity", sources, settings })),
  // In this language one file at a time.
  ...Object.entries(yulSources).flatMap(([name, source]) =>
    Object.values(compile({ language: "Yul", sources: { [name]: source }, settings: yulSettings })),
  ),
);
for (const [index, name] of [...wanted, ...yul].entries()) {
  const { abi = [], evm } = compiled[name];
  if (evm.bytecode.object.length > 2 * 24576) fail(`${name} is larger than a chain accepts (EIP-170)`);
  write(files[index], JSON.stringify({ abi, bytecode: `0x${evm.bytecode.object}` }));
}
write(stamp, key);

/** The contracts of each file by name, or the compiler's errors and the end. */
function compile(input) {
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  const messages = output.errors ?? [];
  for (const message of messages) process.stderr.write(message.formattedMessage);
  if (messages.some((message) => message.severity === "error")) fail("the contracts do not compile");
  return output.contracts;
}

function upToDate() {
  try {
    return readFileSync(stamp, "utf8") === key && files.every((file) => readFileSync(file).length > 0);
  } catch {
    return false;
  }
}

/** Whole or not at all: two runs may overlap. */
function write(file, text) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
