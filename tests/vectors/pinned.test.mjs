// The code that asks the references is pinned in the package, as bytes that no person reads.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT, locate } from "../package/locations.mjs";

/** Code that the package runs on nodes, and where it is pinned. */
const PINNED = [
  ["Lens", "crates/verify/src/domain/reference/lens.rs", "LENS"],
  ["Together", "crates/trade/src/wallet/transaction.rs", "TOGETHER"],
];

test("the pinned code is what the compiler makes of its source", () => {
  const artifacts = locate("SANDBOX_ARTIFACTS");
  // Compiles nothing that is there and up to date.
  execFileSync(process.execPath, [join(ROOT, "tests/sandbox/contracts/compile.mjs"), artifacts]);
  for (const [name, file, constant] of PINNED) {
    const { bytecode } = JSON.parse(readFileSync(join(artifacts, `${name}.json`), "utf8"));
    const source = readFileSync(join(ROOT, file), "utf8");
    const [, size, lines] = source.match(new RegExp(`${constant}: \\[u8; (\\d+)\\] = hex!\\(([^)]*)\\)`));
    const code = [...lines.matchAll(/"([0-9a-f]+)"/g)].map(([, part]) => part).join("");
    assert.equal(`0x${code}`, bytecode, name);
    assert.equal(code.length, 2 * Number(size));
  }
});
