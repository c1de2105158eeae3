import { defineConfig } from "vite";

/** Everything ends up in files of our own origin: the page's Content-Security-Policy allows nothing else. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  build: {
    outDir: "../target/www",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: (path: string) => (/\.(svg|png)$/.test(path) ? undefined : false),
    modulePreload: { polyfill: false },
  },
});
