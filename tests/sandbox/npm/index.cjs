"use strict";
// The paths of the programs and of the compiled contracts, for `startSandbox` of verified-swap/testing and for the command.
const { createRequire } = require("node:module");
const { dirname, join } = require("node:path");
const { optionalDependencies } = require("./package.json");

const HERE = `${process.platform}-${process.arch}`;
const ANVIL = "@foundry-rs/anvil";

/** A file of a package that is installed on its own platform alone; undefined where it is not. */
function fileOf(name, file, from) {
  try {
    return join(dirname(createRequire(from).resolve(`${name}/package.json`)), file);
  } catch {
    return undefined;
  }
}

const anvil = fileOf(ANVIL, "package.json", __filename);
const binary = fileOf(`verified-swap-sandbox-${HERE}`, "sandbox", __filename);
const node = anvil && fileOf(`${ANVIL}-${HERE.replace("x64", "amd64")}`, "bin/anvil", anvil);

exports.artifacts = join(__dirname, "contracts");
exports.binary = binary;
exports.anvil = node;
/** The sentence for a machine on which it cannot be started; undefined where it can. */
exports.missing = binary && node ? undefined : missing();

function missing() {
  const there = Object.keys(optionalDependencies).map((name) => name.replace("verified-swap-sandbox-", ""));
  if (there.includes(HERE)) return "verified-swap-sandbox cannot start here: install it again, without --omit=optional";
  const reason = `it has no program for ${HERE}`;
  return `verified-swap-sandbox cannot start here, because ${reason}: run it on ${there.join(" or ")} and set VERIFIED_SWAP_SANDBOX to its URL, ` +
    "or to the path of a checkout of verified-swap in which `cargo xtask sandbox` was run once";
}
