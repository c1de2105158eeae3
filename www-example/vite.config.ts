import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve as resolvePath } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { build, defineConfig, type Plugin } from "vite";

const ROOT = import.meta.dirname;
/** The demo's build of the package, in place of the one that is installed. */
const { PACKAGE_DIR } = process.env;
const demoPackage = PACKAGE_DIR
  ? [
      { find: /^verified-swap$/, replacement: join(PACKAGE_DIR, "index.js") },
      { find: /^verified-swap\/(\w+)$/, replacement: join(PACKAGE_DIR, "$1.js") },
    ]
  : [];
/** Preact in place of React, for the components of examples/review-components: of React they call its hooks alone. */
const resolve = {
  alias: [
    { find: /^react\/jsx-(dev-)?runtime$/, replacement: "preact/jsx-runtime" },
    { find: /^react$/, replacement: "preact/hooks" },
    ...demoPackage,
  ],
};
const assetsInlineLimit = (path: string): boolean | undefined => (/\.(svg|png)$/.test(path) ? undefined : false);

/** Everything ends up in files of our own origin: the page's Content-Security-Policy allows nothing else. */
export default defineConfig({
  root: ROOT,
  base: "./",
  resolve,
  plugins: [prerendered(), preloaded(), packed()],
  build: {
    outDir: "../target/www",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit,
    modulePreload: { polyfill: false },
  },
});

/** The first screen is in the HTML, drawn by the page's own components. */
function prerendered(): Plugin {
  let output = "";
  return {
    name: "prerendered",
    configResolved(config) {
      output = resolvePath(config.root, config.build.outDir);
    },
    transformIndexHtml: {
      order: "pre",
      async handler(html) {
        const drawnInto = `${output}-prerender`;
        await build({
          configFile: false,
          root: ROOT,
          base: "./",
          resolve,
          logLevel: "warn",
          ssr: { noExternal: true },
          build: { ssr: "src/prerender.tsx", outDir: drawnInto, emptyOutDir: true, assetsInlineLimit, target: "es2022" },
        });
        const { prerender } = await import(`${pathToFileURL(join(drawnInto, "prerender.js")).href}?${Date.now()}`);
        const drawn: string = prerender();
        // The Content-Security-Policy forbids these attributes, which a browser takes from the script alone.
        if (/<[^>]+ style="/.test(drawn)) throw new Error(`The first screen has a style attribute: ${drawn}`);
        return html.replace("<!--prerendered-->", () => drawn);
      },
    },
  };
}

/** What the first price waits for is on its way before the script that asks for it. */
function preloaded(): Plugin {
  return {
    name: "preloaded",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle = {} }) {
        const module = Object.keys(bundle).find((name) => /verified_swap_first.*\.wasm$/.test(name));
        const preload = (attrs: Record<string, string | boolean>) => {
          return { tag: "link", attrs: { rel: "preload", as: "fetch", crossorigin: true, ...attrs }, injectTo: "head" as const };
        };
        return [preload({ href: "/sandbox/config" }), preload({ href: `./${module}`, type: "application/wasm" })];
      },
    },
  };
}

/** Beside each text and the module the same with brotli, for a server that sends files as they are; the demo's soon. */
function packed(): Plugin {
  const params = { [constants.BROTLI_PARAM_QUALITY]: PACKAGE_DIR ? 4 : constants.BROTLI_MAX_QUALITY };
  return {
    name: "packed",
    apply: "build",
    writeBundle({ dir = "" }) {
      for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
        const file = join(entry.parentPath, entry.name);
        if (/\.(html|css|js|svg|wasm)$/.test(file)) writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file), { params }));
      }
    },
  };
}
