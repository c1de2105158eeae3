/** The tarball as each package manager installs it: imported, required, and asked for something. */
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { run } from "../app.mjs";
import { APPS, locate } from "../locations.mjs";
import { startSandbox } from "../sandbox.mjs";

const TOOLS = join(APPS, "managers");
const PNPM = join(TOOLS, "node_modules/.bin/pnpm");
const YARN = join(TOOLS, "node_modules/.bin/yarn");
const INSTALL = ["install", "--ignore-scripts", "--no-audit", "--no-fund"];

let sandbox;
before(async () => {
  write(TOOLS, { "package.json": JSON.stringify({ private: true, dependencies: { pnpm: "12.21.0", "@yarnpkg/cli-dist": "4.18.1" } }) });
  await run(TOOLS, "npm", INSTALL);
  sandbox = await startSandbox();
});
after(() => sandbox?.stop());

const asked = (load) => `${load}
createClient({ baseUrl: process.argv[2] }).then(async (client) => {
  console.log(JSON.stringify([parseUnits("1.5", 6), (await client.info.chains()).includes(31337)]));
  client.close();
});
`;
const APP = {
  "imports.mjs": asked('import { createClient, parseUnits } from "verified-swap";'),
  "requires.cjs": asked('const { createClient, parseUnits } = require("verified-swap");'),
  "inline.mjs": asked('import { createClient, parseUnits } from "verified-swap/inline";'),
};

function write(folder, files) {
  rmSync(join(folder, "package.json"), { force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/** `[manager, its settings, how it installs, how it starts Node]` */
const MANAGERS = [
  ["npm", {}, ["npm", ...INSTALL, "--offline"], ["node"]],
  ["pnpm", { "pnpm-workspace.yaml": "storeDir: ./store\n" }, [PNPM, "install", "--ignore-scripts"], ["node"]],
  ["yarn, node_modules", yarn("node-modules"), [YARN, "install"], [YARN, "node"]],
  ["yarn, Plug'n'Play", yarn("pnp"), [YARN, "install"], [YARN, "node"]],
];

function yarn(nodeLinker) {
  // Without a lock file of its own it would look for one further up.
  return { "yarn.lock": "", ".yarnrc.yml": `nodeLinker: ${nodeLinker}\nenableTelemetry: false\nenableGlobalCache: false\nenableImmutableInstalls: false\n` };
}

for (const [manager, settings, install, node] of MANAGERS) {
  test(manager, async () => {
    const folder = join(APPS, `managers-${manager.replace(/\W+/g, "-")}`);
    rmSync(folder, { recursive: true, force: true });
    write(folder, { "package.json": JSON.stringify({ name: "app", private: true, dependencies: { "verified-swap": `file:${locate("PACKAGE_TARBALL")}` } }), ...settings, ...APP });
    await run(folder, install[0], install.slice(1));
    for (const script of Object.keys(APP)) {
      const { stdout } = await run(folder, node[0], [...node.slice(1), script, sandbox.url]);
      assert.deepEqual(JSON.parse(stdout), ["1500000", true], script);
    }
  });
}
