// Prints, one a line, the packages of package-lock.json that are missing from node_modules or there in another version.
// Looks at what lies on disk, not at a note of an earlier run: an install may have been cut short or changed since.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";

const root = fileURLToPath(new URL("../..", import.meta.url));
const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
const libc = process.platform === "linux" ? (process.report.getReport().header.glibcVersionRuntime ? "glibc" : "musl") : null;

/** Whether an `os`, `cpu` or `libc` list, which may exclude with `!`, admits `here`. */
function admits(list, here) {
  if (!list || here === null) return true;
  if (list.some((entry) => entry === `!${here}`)) return false;
  const included = list.filter((entry) => !entry.startsWith("!"));
  return included.length === 0 || included.includes(here);
}

function installedVersion(folder) {
  try {
    return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")).version;
  } catch {
    return null;
  }
}

for (const [folder, entry] of Object.entries(lock.packages)) {
  if (folder === "" || entry.link) continue;
  if (!admits(entry.os, process.platform) || !admits(entry.cpu, process.arch) || !admits(entry.libc, libc)) continue;
  // An optional package that names no platform may be absent for reasons of its own, e.g. an optional peer.
  if (entry.optional && !entry.os && !entry.cpu) continue;
  if (entry.peer && entry.optional) continue;
  if (installedVersion(folder) !== entry.version) console.log(`${folder.replace(/^.*node_modules\//, "")}@${entry.version}`);
}
