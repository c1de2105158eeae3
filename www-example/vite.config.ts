import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";
import { built } from "./built.ts";

/** Everything ends up in files of our own origin: the page's Content-Security-Policy allows nothing else. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [built(), preloaded(), packed()],
  build: {
    outDir: "../target/www",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: (path: string) => (/\.(svg|png)$/.test(path) ? undefined : false),
    modulePreload: { polyfill: false },
    rollupOptions: { input: ["index.html", "built.html"].map((page) => join(import.meta.dirname, page)) },
  },
});

/** The module is on its way before the script that fetches it. */
function preloaded(): Plugin {
  return {
    name: "preloaded",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle = {}, filename }) {
        if (!filename.endsWith("index.html")) return [];
        const href = Object.keys(bundle).find((name) => /verified_swap_bg.*\.wasm$/.test(name));
        const attrs = { rel: "preload", href: `./${href}`, as: "fetch", type: "application/wasm", crossorigin: true };
        return [{ tag: "link", attrs, injectTo: "head" }];
      },
    },
  };
}

/** Beside each text and the module the same with brotli, for a server that sends files as they are. */
function packed(): Plugin {
  return {
    name: "packed",
    apply: "build",
    writeBundle({ dir = "" }) {
      for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
        const file = join(entry.parentPath, entry.name);
        if (/\.(html|css|js|svg|wasm)$/.test(file)) writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
      }
    },
  };
}
