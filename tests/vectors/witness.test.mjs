// The code that asks the witnesses is pinned in the package, as bytes that nobody reads.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT, locate } from "../package/locations.mjs";

test("the pinned lens is what the compiler makes of its source", () => {
  const artifacts = locate("SANDBOX_ARTIFACTS");
  // Compiles nothing that is there and up to date.
  execFileSync(process.execPath, [join(ROOT, "tests/sandbox/contracts/compile.mjs"), artifacts]);
  const { bytecode } = JSON.parse(readFileSync(join(artifacts, "Lens.json"), "utf8"));
  const lens = readFileSync(join(ROOT, "src/domain/witness/lens.rs"), "utf8");
  const [, size, lines] = lens.match(/LENS: \[u8; (\d+)\] = hex!\(([^)]*)\)/);
  const code = [...lines.matchAll(/"([0-9a-f]+)"/g)].map(([, part]) => part).join("");
  assert.equal(`0x${code}`, bytecode);
  assert.equal(code.length, 2 * Number(size));
});
