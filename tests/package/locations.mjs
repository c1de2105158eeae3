/** Where the things under test lie: set by `cargo xtask test`, or where that command puts them. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The files of the module that a page loads, beside its script. */
export const MODULES = ["verified_swap_first.wasm", "verified_swap_trade.wasm", "verified_swap_rest.wasm"];
export const APPS = join(ROOT, "target/package-tests");

const PLATFORM = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;

const USUAL = {
  SANDBOX_BIN: () => join(ROOT, "target/debug/sandbox"),
  SANDBOX_ANVIL: () => join(ROOT, `node_modules/@foundry-rs/anvil-${PLATFORM}/bin/anvil`),
  SANDBOX_ARTIFACTS: () => join(ROOT, "target/sandbox/artifacts"),
  WWW_DIR: () => join(ROOT, "target/www"),
  CHROME: () => "/usr/bin/chromium",
  XTASK: () => join(ROOT, "target/debug/xtask"),
  PACKAGE_TARBALL: () => {
    const folder = join(ROOT, "target/package");
    const packed = readdirSync(folder).find((name) => name.endsWith(".tgz"));
    if (!packed) throw new Error("nothing is packed: run `cargo xtask package`");
    return join(folder, packed);
  },
};

export function locate(name) {
  return process.env[name] || USUAL[name]();
}
