import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

test("the page's source holds to the package's types, strictly", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, "-p", "www-example"], { cwd: root, encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
});
