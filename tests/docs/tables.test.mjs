/** Tables of the guides against what they are about: each code of an error, each method of the operator's SDK. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { PACKAGES } from "../../xtask/node/docs/packages.mjs";
import { ROOT } from "../package/locations.mjs";

const typescript = createRequire(join(PACKAGES, "package.json"))("typescript");
const read = (path) => readFileSync(join(ROOT, path), "utf8");

/** The rows of a text's tables, each as its cells. */
const rows = (text) => [...text.matchAll(/^\| (.+) \|$/gm)].map(([, row]) => row.split(" | "));

/** The words of each union of words, by the declarations it is imported from; sorted. */
function words(imports, unions) {
  const file = join(ROOT, "tests/docs/asked.ts");
  const text = [imports, ...unions.map((union, at) => `export declare const asked${at}: ${union};`)].join("\n");
  const options = { strict: true, skipLibCheck: true, target: 99, module: 99, moduleResolution: 100, types: [] };
  const host = typescript.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) => (name === file ? typescript.createSourceFile(name, text, 99) : getSourceFile(name, ...rest));
  const program = typescript.createProgram([file], options, host);
  const source = program.getSourceFile(file);
  assert.deepEqual(program.getSemanticDiagnostics(source).map(({ messageText }) => messageText), []);
  return source.statements.slice(-unions.length).map((statement) => {
    const type = program.getTypeChecker().getTypeAtLocation(statement.declarationList.declarations[0]);
    return (type.types ?? [type]).map(({ value }) => value).sort();
  });
}

test("each code has one row that says what to tell the user", () => {
  const [codes] = words(`import type { ErrorCode } from "verified-swap";`, ["ErrorCode"]);
  assert.ok(codes.length > 20);
  for (const page of ["docs/guides/errors-to-users.md", "docs/errors.md"]) {
    const told = rows(read(page)).map(([code]) => /^`([A-Z_]+)`$/.exec(code)?.[1]);
    assert.deepEqual(told.filter(Boolean).sort(), codes, page);
  }
});

const MIGRATION = "docs/guides/migration.md";

/** Names on the left of the table below a heading. */
function named(heading) {
  const section = read(MIGRATION).split(`\n## ${heading}\n`)[1].split("\n## ")[0];
  return rows(section).flatMap(([there]) => [...there.matchAll(/`(\w+)`/g)].map(([, name]) => name)).sort();
}

/** The names of its release 10.3.0, which npm does not have: the members of what its source makes. */
const NEWER = JSON.parse(read("tests/docs/sdk-10.3.json"));
const ALSO = { limitOrders: "otcOrders" };

/** Names of one release or the other, each once, sorted. */
const either = (older, newer = []) => [...new Set([...older, ...newer])].sort();

test("each method of the operator's SDK has one row that says what takes its place", () => {
  const rooms = ["quote", "swap", "delta", "limitOrders", "nftOrders"];
  const sdks = ["AllSDKMethods<string>", "SimpleSDK", "SimpleFetchSDK"];
  const imports = `import type { ${["AllSDKMethods", ...sdks.slice(1), "OrderHelpers"]} } from "@velora-dex/sdk";`;
  const all = words(imports, [
    ...rooms.map((room) => sdks.map((sdk) => `keyof ${sdk}["${room}"]`).join(" | ")),
    "keyof typeof OrderHelpers.checks | keyof typeof OrderHelpers.getters",
  ]);
  const heading = (room) => `\`sdk.${room}\`` + (room in ALSO ? `, in 10.3 \`sdk.${ALSO[room]}\`` : "");
  for (const [at, room] of rooms.entries()) assert.deepEqual(named(heading(room)), either(all[at], NEWER[ALSO[room] ?? room]), room);
  assert.deepEqual(named("`OrderHelpers`"), either(all.at(-1), NEWER.OrderHelpers));
  // A constructor of one method goes with it.
  const single = /^construct(?!\w*(SDK|Handlers|Fetcher|ContractCaller)$)(?!Token$)|^OrderHelpers$/;
  const exported = Object.keys(createRequire(import.meta.url)("@velora-dex/sdk"));
  assert.deepEqual(named("To begin with"), either(exported, NEWER.exports).filter((name) => !single.test(name)));
  const rest = Object.keys(NEWER).filter((room) => ![...rooms, ...Object.values(ALSO), "release", "exports", "OrderHelpers"].includes(room));
  assert.deepEqual(rest, [], "no room without a table");
});

test("what takes a method's place exists", () => {
  const declared = read("pkg-template/api.txt");
  const replaced = rows(read(MIGRATION)).map(([, here]) => here).filter((here) => here.includes("`") && !here.startsWith("not "));
  for (const here of replaced) {
    const [, place] = /`"?(?:await |client\.|\(await client\.)*(\w+)/.exec(here) ?? [, "nothing named"];
    assert.match(declared, new RegExp(`\\b${place}\\b`), here);
  }
});
