import { join } from "node:path";
import { defineConfig } from "vite";
import { POLICY } from "./policy.mjs";

const ROOT = import.meta.dirname;

/** Links are relative, so that the folder can lie anywhere on a host. */
export default defineConfig({
  root: ROOT,
  base: "./",
  plugins: [
    {
      name: "policy",
      apply: "build",
      transformIndexHtml: (html) => html.replace("<head>", `<head>\n    <meta http-equiv="Content-Security-Policy" content="${POLICY}" />`),
    },
  ],
  build: {
    outDir: "../target/site",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The recorded payloads are a file of their own, which the paste box asks for only if it shows one.
    rolldownOptions: { input: ["index.html", "paste.html"].map((page) => join(ROOT, page)) },
  },
});
