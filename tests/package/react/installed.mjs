/** An app with one version of React, and the tarball. */
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freshApp, run } from "../app.mjs";
import { ROOT } from "../locations.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const page = (html) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>app</title><link rel="icon" href="data:,">
<div id="root">${html}</div><script type="module" src="/page.js"></script>`;

/** The folder of app `name` with that version of React. `files`: more of them. */
export async function reactApp(name, version, files = {}) {
  const packages = await packagesOf(version);
  const script = (file) => readFileSync(join(HERE, file), "utf8");
  const own = Object.fromEntries(["app.js", "page.js", "server.js"].map((file) => [file, script(file)]));
  const folder = await freshApp(`${name}-${version}`, { "index.html": page(""), ...own, ...files });
  for (const entry of readdirSync(packages).filter((entry) => !entry.startsWith("."))) {
    symlinkSync(join(packages, entry), join(folder, "node_modules", entry));
  }
  return folder;
}

/** Puts what a server made of the app into its page. */
export const putHtml = (folder, html) => writeFileSync(join(folder, "index.html"), page(html));

/** The packages of that version, as its lock has them: those of an earlier run if the lock is the same. */
async function packagesOf(version) {
  const folder = join(ROOT, "target/react", version);
  const lock = readFileSync(join(HERE, version, "package-lock.json"), "utf8");
  const stamp = join(folder, "installed");
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== lock) {
    mkdirSync(folder, { recursive: true });
    cpSync(join(HERE, version), folder, { recursive: true });
    await run(folder, "npm", ["ci", "--ignore-scripts"]);
    writeFileSync(stamp, lock);
  }
  return join(folder, "node_modules");
}
