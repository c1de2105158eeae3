// What is kept of the package of another commit. With the tarball of that commit (`cargo xtask package`) it keeps the
// scripts and the module that a page loads of it; without, the profile that such a page leaves in Chromium:
//   node tests/crash/versions/record.mjs COMMIT [TARBALL]
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { build } from "esbuild";
import { MODULES } from "../../package/locations.mjs";
import { HERE, keepProfile, leave, openProfile, start, startUser } from "./states.mjs";

const [commit, tarball] = process.argv.slice(2);
await (tarball ? keepPackage(tarball) : recordProfile());

async function keepPackage(tarball) {
  const folder = mkdtempSync(join(tmpdir(), "verified-swap-package-"));
  try {
    execFileSync("tar", ["-xzf", resolve(tarball), "-C", folder]);
    const entryPoints = [join(folder, "package/index.js")];
    const { metafile } = await build({ entryPoints, bundle: true, format: "esm", write: false, metafile: true });
    const loaded = Object.keys(metafile.inputs).map((path) => basename(path));
    const kept = ["package.json", "LICENSE-MIT", "LICENSE-APACHE", ...MODULES, ...loaded].sort().filter((name) => existsSync(join(folder, "package", name)));
    execFileSync("tar", ["-czf", join(HERE, `${commit}.tgz`), "-C", folder, ...kept.map((name) => `package/${name}`)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function recordProfile() {
  const [pages, user] = await Promise.all([start(), startUser()]);
  const profile = await openProfile(pages);
  try {
    const { nonces } = await leave(profile, user, commit);
    const leftAtMs = Date.now();
    const { requests, reads } = await user.sandbox.control("GET", "record");
    const posts = requests.filter(({ endpoint }) => endpoint === "post");
    const postOf = (name) => {
      const { path, body } = posts.find(({ body }) => JSON.parse(body).order.srcAmount === user.request(name).amount);
      return [name, { path, body }];
    };
    const { body } = reads.findLast(({ endpoint }) => endpoint === "eth_sendRawTransaction");
    const [transaction] = JSON.parse(body).params;
    const taken = Object.fromEntries(["filled", "posted"].map(postOf));
    await keepProfile(profile, { commit, leftAtMs, contracts: user.contracts, nonces, posts: taken, transaction });
  } finally {
    await Promise.all([profile.discard(), user.sandbox.stop(), pages.stop()]);
  }
}
