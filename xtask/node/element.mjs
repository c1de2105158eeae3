// The files of `<verified-swap>`: `element.js`, the class, and `element-view.js`, its interface with the controller, which it
// loads once it is in a document. The package's other files are loaded from beside them, by path: a page without a bundler
// has no names for packages.
import { readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { build, transform } from "esbuild";

/** Bundles both into the folder. */
export async function bundleElement(template, out) {
  const folder = join(template, "element");
  await build({
    entryPoints: { element: join(folder, "element.ts"), "element-view": join(folder, "view.tsx") },
    outdir: out,
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: true,
    legalComments: "none",
    charset: "utf8",
    plugins: [{ name: "package", setup: (bundle) => besides(bundle, join(template, "src")) }],
  });
}

function besides({ onResolve, onLoad }, sources) {
  onResolve({ filter: /^verified-swap$/ }, () => ({ path: "./index.js", external: true }));
  onResolve({ filter: /^\.\.?\/.*\.tsx?$/ }, ({ path, importer, kind }) => {
    const file = resolve(dirname(importer), path);
    if (kind === "dynamic-import" && file.endsWith("view.tsx")) return { path: "./element-view.js", external: true };
    const isBeside = dirname(file) === resolve(sources) && !basename(file).startsWith("swap");
    return isBeside ? { path: `./${basename(file, ".ts")}.js`, external: true } : undefined;
  });
  onLoad({ filter: /\.css$/ }, async ({ path }) => {
    const { code } = await transform(readFileSync(path, "utf8"), { loader: "css", minify: true });
    return { contents: code, loader: "text" };
  });
}
