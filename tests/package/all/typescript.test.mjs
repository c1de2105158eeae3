/** The tarball's declarations in the TypeScripts of the last years: imported and required, in a page's project and in Node's. */
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { freshApp, run } from "../app.mjs";
import { APPS } from "../locations.mjs";

const source = fileURLToPath(new URL("typescript", import.meta.url));
const tools = join(APPS, "typescript-versions");
const { devDependencies } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));

let folder;
before(async () => {
  const lock = "package-lock.json";
  const isThere = existsSync(join(tools, lock)) && readFileSync(join(tools, lock), "utf8") === readFileSync(join(source, lock), "utf8");
  cpSync(source, tools, { recursive: true });
  if (!isThere) await run(tools, "npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
  const files = Object.fromEntries(["app.ts", "required.cts"].map((name) => [name, readFileSync(join(source, name), "utf8")]));
  folder = await freshApp("typescript", files);
});

const RESOLUTIONS = [
  { module: "node16", moduleResolution: "node16" },
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "esnext", moduleResolution: "bundler" },
];
/** TypeScript 6 calls it deprecated, 7 has it no more. */
const OLD = { module: "esnext", moduleResolution: "node10" };
const PROJECTS = { page: { lib: ["es2022", "dom"], types: [] }, node: { lib: ["es2022"], types: ["node"] } };

for (const name of Object.keys(devDependencies).filter((name) => name.startsWith("typescript-"))) {
  for (const [project, globals] of Object.entries(PROJECTS)) {
    test(`${name}, in a project for ${project}`, async () => {
      for (const resolution of name.startsWith("typescript-5") ? [...RESOLUTIONS, OLD] : RESOLUTIONS) {
        const compilerOptions = {
          ...resolution, ...globals, typeRoots: [join(tools, "node_modules/@types")], target: "es2022", noEmit: true,
          strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false,
        };
        // A bundler's project has modules alone.
        const files = resolution.module === "esnext" ? ["app.ts"] : ["app.ts", "required.cts"];
        const config = `tsconfig.${name}.${project}.json`;
        writeFileSync(join(folder, config), JSON.stringify({ compilerOptions, files }));
        await run(folder, process.execPath, [join(tools, "node_modules", name, "bin/tsc"), "--project", config]);
      }
    });
  }
}
