// The files of `<verified-swap>`: `element.js`, the class, and `element-view.js`, its interface, which it loads once it is in a
// document. What the package has as files of its own is loaded from there.
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
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
    plugins: [{ name: "package", setup }],
  });
}

function setup({ onResolve, onLoad }) {
  onResolve({ filter: /\/src\/[\w-]+\.ts$/ }, ({ path }) => ({ path: `./${basename(path, ".ts")}.js`, external: true }));
  onResolve({ filter: /^\.\/view\.tsx$/ }, ({ kind }) => (kind === "dynamic-import" ? { path: "./element-view.js", external: true } : undefined));
  onLoad({ filter: /\.css$/ }, async ({ path }) => {
    const { code } = await transform(readFileSync(path, "utf8"), { loader: "css", minify: true });
    return { contents: code, loader: "text" };
  });
}
