// node assemble-sandbox.mjs PROGRAM TARGET CONTRACTS OUT
//
// Puts the sandbox's npm packages together, each in a folder of OUT: `verified-swap-sandbox` (tests/sandbox/npm with the compiled
// contracts), and the program for this machine in a package of its own, which npm installs on this platform alone.
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { putDocuments } from "./documents.mjs";
import { addresses, crate, filesOf } from "./manifest.mjs";
import { carriedBySandbox, notices } from "./third-party.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [program, target, contracts, out] = process.argv.slice(2);
const TEMPLATE = "tests/sandbox/npm/";
const [version, repository] = ["version", "repository"].map((member) => crate(root, member));
const template = { ...JSON.parse(readFileSync(join(root, TEMPLATE, "package.json"), "utf8")), version, ...addresses(repository) };
const { name, dependencies, optionalDependencies, bin, main, keywords, preferUnplugged, ...shared } = template;
const platform = `${name}-${process.platform}-${process.arch}`;

rmSync(out, { recursive: true, force: true });
const own = begin(name);
const node = JSON.parse(readFileSync(join(root, "node_modules/@foundry-rs/anvil/package.json"), "utf8"));
const programs = { ...optionalDependencies, [platform]: version };
describe(own, {
  ...template,
  dependencies: { [node.name]: node.version },
  optionalDependencies: Object.fromEntries(Object.keys(programs).map((one) => [one, version])),
});
for (const file of ["index.cjs", "cli.cjs"]) cpSync(join(root, TEMPLATE, file), join(own, file));
cpSync(contracts, join(own, "contracts"), { recursive: true, filter: (file) => !file.endsWith("stamp") });
putDocuments(root, own, filesOf(repository, version), TEMPLATE);

const binary = begin(platform);
const description = `The program of ${name} for ${process.platform} on ${process.arch}.`;
describe(binary, { ...shared, name: platform, description, os: [process.platform], cpu: [process.arch], preferUnplugged: true });
cpSync(program, join(binary, "sandbox"));
chmodSync(join(binary, "sandbox"), 0o755);
writeFileSync(join(binary, "README.md"), `# ${platform}\n\n${description} Install \`${name}\`, which names it.\n`);
writeFileSync(join(binary, "LICENSE-THIRD-PARTY"), notices(root, carriedBySandbox(root, target)));

/** The new folder of a package, with the licences in it. */
function begin(name) {
  const folder = join(out, name);
  mkdirSync(folder, { recursive: true });
  for (const file of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(join(root, file), join(folder, file));
  return folder;
}

function describe(folder, manifest) {
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}
