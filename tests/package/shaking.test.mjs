/** A bundler keeps of the package, for an app that uses a part of it, nothing beyond that. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { build as esbuild } from "esbuild";
import { build as vite } from "vite";
import { freshApp } from "./app.mjs";

/** Apps by their text, with the most that is left of each, in bytes, and what must be in it. */
const APPS = {
  "an entry that is imported and not used": [["", "/inline", "/preload", "/viem", "/react", "/swap"].map((entry, at) => `import * as unused${at} from "verified-swap${entry}";`).join("\n"), 100, ""],
  "isTradeError alone": [`import { isTradeError } from "verified-swap"; console.log(isTradeError(globalThis.thrown));`, 300, "TradeError"],
  "a constant alone": [`import { NATIVE_TOKEN } from "verified-swap/inline"; console.log(NATIVE_TOKEN);`, 200, "0xEeee"],
  "isSupported alone": [`import { isSupported } from "verified-swap"; console.log(isSupported());`, 300, "WebAssembly"],
  "parseUnits alone": [`import { parseUnits } from "verified-swap"; console.log(parseUnits("1", 6));`, 6_000, "parseUnits"],
};

let folder;
before(async () => (folder = await freshApp("shaking")));

const BUNDLERS = {
  async esbuild(file) {
    const { outputFiles } = await esbuild({ entryPoints: [file], bundle: true, minify: true, format: "esm", external: ["react"], write: false });
    return outputFiles[0].text;
  },
  async vite(file) {
    const rollupOptions = { input: file, external: ["react"], onwarn() {} };
    const { output } = await vite({ root: folder, configFile: false, logLevel: "silent", build: { write: false, modulePreload: false, rollupOptions } });
    return output.filter(({ type }) => type === "chunk").map(({ code }) => code).join("");
  },
};

for (const [bundler, bundled] of Object.entries(BUNDLERS)) {
  test(`${bundler}: the hooks bring the controller only with useSwap`, async () => {
    const names = ["VerifiedSwapProvider", "useVerifiedSwap", "useQuote", "useTrade", "useOrders", "useTrades"];
    // A remedy that the controller alone has.
    const hasController = async (names) => {
      const file = join(folder, `${bundler}-hooks-${names.length}.js`);
      writeFileSync(file, `import { ${names} } from "verified-swap/react"; console.log(${names});`);
      return (await bundled(file)).includes("useMaximum");
    };
    assert.deepEqual([await hasController(names), await hasController([...names, "useSwap"])], [false, true]);
  });
  for (const [what, [text, most, has]] of Object.entries(APPS)) {
    test(`${bundler}: ${what}`, async () => {
      const file = join(folder, `${bundler}-${what.replaceAll(" ", "-")}.js`);
      writeFileSync(file, text);
      const code = await bundled(file);
      assert.ok(code.length <= most && code.includes(has), `${code.length} bytes: ${code.slice(0, 500)}`);
      const calls = [...code.matchAll(/"(parseAddress|formatUnits|hashTypedData|summarizeOrder|rawQuote)"/g)].map(([, name]) => name);
      assert.deepEqual(calls, []);
    });
  }
}
