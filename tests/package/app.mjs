/** A fresh app with the packed tarball installed in it, as a stranger would have it. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { APPS, locate } from "./locations.mjs";

const execute = promisify(execFile);

/** Makes the folder of app `name` from `files` (path to text) and installs the tarball. Returns the folder. */
export async function freshApp(name, files = {}) {
  const folder = join(APPS, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, private: true, type: "module" }));
  for (const [path, text] of Object.entries(files)) write(folder, path, text);
  cpSync(new URL("../consumers/shared/swap.js", import.meta.url), join(folder, "swap.js"));
  // The package has no dependencies, so nothing is fetched.
  await run(folder, "npm", ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", locate("PACKAGE_TARBALL")]);
  return folder;
}

/** Runs a program in an app's folder: `{ stdout, stderr }`, or throws with both in the message. */
export async function run(folder, program, args) {
  try {
    return await execute(program, args, { cwd: folder, maxBuffer: 16 << 20 });
  } catch (error) {
    throw new Error(`${program} ${args.join(" ")} failed:\n${error.stdout}${error.stderr}`);
  }
}

function write(folder, path, text) {
  const file = join(folder, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
}
