// The packages that the documentation is made and checked with, in a folder of its own: TypeDoc needs a TypeScript with
// an API, which version 7 has not. To run or import this installs them, if the lock has changed since.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const FILES = ["package.json", "package-lock.json", ".npmrc"];

/** The folder whose `node_modules` they are in. */
export const PACKAGES = fileURLToPath(new URL("../../../target/docs-packages", import.meta.url));

const isSame = (name) => existsSync(join(PACKAGES, name)) && readFileSync(join(PACKAGES, name)).equals(readFileSync(join(HERE, name)));
if (!FILES.every(isSame)) {
  const making = `${PACKAGES}.making`;
  for (const folder of [PACKAGES, making]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  for (const name of FILES) cpSync(join(HERE, name), join(making, name));
  execFileSync("npm", ["ci", "--ignore-scripts", "--include=dev", "--omit=optional"], { cwd: making, stdio: ["ignore", 2, 2] });
  renameSync(making, PACKAGES);
}
