import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

/** The demo's build of the package, in place of the one that is installed. */
const { PACKAGE_DIR } = process.env;
const alias = PACKAGE_DIR
  ? [
      { find: /^verified-swap$/, replacement: join(PACKAGE_DIR, "index.js") },
      { find: /^verified-swap\/(\w+)$/, replacement: join(PACKAGE_DIR, "$1.js") },
    ]
  : [];

/** Everything ends up in files of our own origin: the page's Content-Security-Policy allows nothing else. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  resolve: { alias },
  plugins: [preloaded(), packed()],
  build: {
    outDir: "../target/www",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: (path) => (/\.(svg|png)$/.test(path) ? undefined : false),
    // All of it is needed for the first price.
    rolldownOptions: { output: { codeSplitting: false } },
  },
});

/** Whatever the first price waits for is on its way before the script that asks for it. */
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
