/** An example as a user copies it: its own files, with the tarball installed. */
import assert from "node:assert/strict";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { freshApp } from "../package/app.mjs";
import { ROOT } from "../package/locations.mjs";

/**
 * Copies examples/NAME to a folder of its own, which it returns. All its package.json pins beside the package is found in
 * node_modules above that, in that version: nothing is fetched. Files of tests that run at once name folders of their own.
 */
export async function copyOf(name, app = name) {
  const folder = await freshApp(`example-${app}`);
  cpSync(join(ROOT, "examples", name), folder, { recursive: true, filter: (path) => !path.includes("node_modules") });
  const read = (...path) => JSON.parse(readFileSync(join(...path, "package.json"), "utf8"));
  const { "verified-swap": own, ...others } = read(folder).dependencies;
  assert.equal(own, `file:../../target/package/verified-swap-${read(folder, "node_modules/verified-swap").version}.tgz`);
  for (const [other, version] of Object.entries(others)) assert.equal(read(ROOT, "node_modules", other).version, version, other);
  return folder;
}
