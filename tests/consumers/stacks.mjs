/** The stacks, and the ways in which each is used. A way is a function of the installed app, and makes whole trades. */
import assert from "node:assert/strict";
import { MODULES, locate } from "../package/locations.mjs";

/** Pages of a server that the stack has itself. */
const served = (command, ...pages) => (app) => app.serving(command, (url) => app.swapsInPages(url, pages));

/** Built into `dist`, and served as files: the module is three of them. */
const built = (build, ...pages) => async (app) => {
  await build(app);
  assert.equal(app.count("dist", ".wasm"), MODULES.length);
  await app.servingFiles("dist", (url) => app.swapsInPages(url, pages));
};

/** Makes the whole of `dist`. */
const made = (command) => (app) => app.run(command);

/** Makes the script of `dist`. */
const bundled = (command) => async (app) => {
  await app.run(command);
  app.copy("index.html", "dist/index.html");
};

/** A page, a page made on the server, and a route. */
const everywhere = (command) => (app) =>
  app.serving(command, async (url) => {
    await app.swapsInPage(`${url}/client`);
    await app.swapsInHtml(`${url}/server`);
    await app.swapsByPost(`${url}/api/swap`);
  });

const inProcess = (command, environment) => (app) => app.swapsInProcess(command, environment);

const vite = (version, more) => ({
  name: `Vite ${version}`,
  app: `vite-${version}`,
  of: "vite",
  shares: ["page", "process", ...(more ? ["element"] : [])],
  ways: {
    "build, with a worker": built(made("vite build"), "/", "/#worker"),
    "development server": served("vite --host 127.0.0.1 --strictPort --port {port}", "/", "/#worker"),
    ...more,
  },
});

const viteServer = {
  "`<verified-swap>`, built and by the development server": async (app) => {
    await app.run("vite build --config element.config.js");
    await element("dist-element")(app);
    await app.serving("vite --host 127.0.0.1 --strictPort --port {port}", (url) => app.swapsInElement(`${url}/element.html`));
  },
  "server bundle": async (app) => {
    await app.run("vite build --config server.config.js");
    await app.swapsInProcess("node server/main.js");
  },
};

/** Next's edge runtime, which it calls deprecated; webpack's build of such a route fails. */
const edge = {
  "edge runtime, as built": (app) =>
    app.serving("next start --hostname 127.0.0.1 --port {port}", async (url) => {
      await assert.rejects(app.swapsByPost(`${url}/edge/default`), /no module at blob:[^;]*\. anywhere: import verified-swap\/inline/s);
      await app.swapsByPost(`${url}/edge/inlined`);
    }),
};

const next = (bundler, name, more) => ({
  name: `Next, ${name}`,
  app: "next",
  folder: `next-${bundler}`,
  of: "next",
  ...(more && { shares: ["next-edge"], needs: "nothing; in the edge runtime `verified-swap/inline`" }),
  ways: {
    "build: client and server components, routes": async (app) => {
      await app.run(`next build --${bundler}`);
      await everywhere("next start --hostname 127.0.0.1 --port {port}")(app);
    },
    "development server": everywhere(`next dev --${bundler} --hostname 127.0.0.1 --port {port}`),
    ...more,
  },
});

const node = (name, app) => ({
  name,
  app,
  of: "node",
  shares: ["process"],
  ways: {
    "`import`": inProcess("node main.js"),
    "`require`": inProcess("node required.cjs"),
    "`verified-swap/inline`": inProcess("node inlined.js"),
  },
});

/** Under a policy that allows nothing it does not need. */
const policed = (wasm, ...pages) => underPolicy(`default-src 'none'; script-src 'self' ${wasm}`, ".", (app, url) => app.swapsInPages(url, pages));

const underPolicy = (policy, folder, work) => (app) => {
  const all = `${policy}; connect-src 'self' ${app.service}; img-src data:; base-uri 'none'`;
  return app.servingFiles(folder, (url) => work(app, url), { "content-security-policy": all });
};

/** `<verified-swap>`, which makes no style of its own in the document. */
const element = (folder) =>
  underPolicy("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'", folder, (app, url) => app.swapsInElement(`${url}/element.html`));

const plain = {
  name: "no bundler, under a Content-Security-Policy",
  app: "plain",
  of: "chromium",
  shares: ["page", "element"],
  needs: "`'wasm-unsafe-eval'` in `script-src`",
  ways: {
    "`<verified-swap>`": element("."),
    page: policed("'wasm-unsafe-eval'", "/?index.js", "/?inline.js"),
    "module worker": policed("'wasm-unsafe-eval'", "/?index.js#worker", "/?inline.js#worker"),
    "without it: an error that names it": (app) => assert.rejects(policed("", "/?index.js")(app), /WebAssembly.*unsafe-eval/s),
  },
};

const workers = {
  name: "Cloudflare Workers",
  app: "workerd",
  of: "wrangler",
  ways: {
    "`wrangler dev`": (app) => app.serving("wrangler dev --ip 127.0.0.1 --port {port} --inspector-port 0", (url) => app.swapsByPost(url)),
  },
};

const workersByVite = {
  name: "Cloudflare Workers, `@cloudflare/vite-plugin`",
  app: "workerd",
  folder: "workerd-vite",
  of: "@cloudflare/vite-plugin",
  ways: {
    "development server": (app) => app.serving("vite --host 127.0.0.1 --strictPort --port {port}", (url) => app.swapsByPost(url)),
    build: async (app) => {
      await app.run("vite build");
      await app.serving("vite preview --host 127.0.0.1 --strictPort --port {port}", (url) => app.swapsByPost(url));
    },
  },
};

/** Those of `cargo xtask test`. */
export const USUAL = [next("turbopack", "Turbopack", edge), vite(8, viteServer), vite(5), workers, node("Node", "node"), plain];

const COPY = "`cp node_modules/verified-swap/verified_swap_{first,trade,rest}.wasm dist/`";

/** Where the bundler leaves the module behind. */
const copied = (command) => ({
  "without it: an error that names it": async (app) => {
    await bundled(command)(app);
    for (const missing of MODULES) {
      const told = new RegExp(`${missing}.*404.*copy verified_swap_{first,trade,rest}.wasm.*verified-swap/inline`, "s");
      await app.servingFiles("dist", (url) => assert.rejects(app.swapsInPage(url), told));
      app.copy(`node_modules/verified-swap/${missing}`, `dist/${missing}`);
    }
  },
  build: built(async (app) => {
    await bundled(command)(app);
    for (const name of MODULES) app.copy(`node_modules/verified-swap/${name}`, `dist/${name}`);
  }, "/"),
});

const esbuild = {
  name: "esbuild",
  app: "esbuild",
  of: "esbuild",
  shares: ["page", "process"],
  needs: `in pages ${COPY}, or \`verified-swap/inline\``,
  ways: {
    ...copied("esbuild app.js --bundle --format=esm --outdir=dist"),
    "`verified-swap/inline`": async (app) => {
      await app.run("esbuild app.js --bundle --format=esm --outdir=inlined --alias:verified-swap=verified-swap/inline");
      app.copy("index.html", "inlined/index.html");
      await app.servingFiles("inlined", (url) => app.swapsInPage(url));
    },
    "server bundles, ESM and CJS": async (app) => {
      await app.run("esbuild main.js --bundle --platform=node --format=esm --outdir=server");
      await app.swapsInProcess("node server/main.js");
      await app.run("esbuild required.cjs --bundle --platform=node --outfile=server/required.cjs");
      await app.swapsInProcess("node server/required.cjs");
    },
  },
};

const bunServe = (mode) => `env PORT={port} NODE_ENV=${mode} bun serve.js`;

/** Metro makes no folder. */
const metro = (entry) => async (app) => {
  app.copy("index.html", "dist/index.html");
  await app.run(`metro build ${entry} --out dist/app.js`);
};

const jest = (kind, place) =>
  inProcess(`jest --config ${kind}.json --env ${place}`, { NODE_OPTIONS: kind === "esm" ? "--experimental-vm-modules" : "" });

/** Those of `cargo xtask test --all` alone. */
export const OTHERS = [
  next("webpack", "webpack"),
  workersByVite,
  {
    name: "SvelteKit",
    app: "sveltekit",
    of: "@sveltejs/kit",
    ways: {
      build: async (app) => {
        await app.run("vite build");
        await everywhere("env HOST=127.0.0.1 PORT={port} node build/index.js")(app);
      },
      "development server": everywhere("vite --host 127.0.0.1 --strictPort --port {port}"),
    },
  },
  {
    name: "React Router 8",
    app: "react-router-8",
    of: "@react-router/dev",
    ways: {
      build: async (app) => {
        await app.run("react-router build");
        await everywhere("env HOST=127.0.0.1 PORT={port} react-router-serve build/server/index.js")(app);
      },
      "development server": everywhere("react-router dev --host 127.0.0.1 --strictPort --port {port}"),
    },
  },
  vite(7),
  vite(6),
  {
    name: "webpack",
    app: "webpack",
    of: "webpack",
    shares: ["page"],
    ways: {
      "build, with a worker": built(bundled("webpack"), "/", "/#worker"),
      "module federation: an app that the page loads at run time": async (app) => {
        await bundled("webpack --config federated.config.js")(app);
        await app.servingFiles("dist", (url) => app.swapsInPage(url));
      },
    },
  },
  {
    name: "webpack with LavaMoat",
    app: "lavamoat",
    of: "@lavamoat/webpack",
    needs: "`verified-swap/inline`, or `init(url)` of a copied `verified_swap_bg.wasm`: it emits no file for `new URL`; webpack up to 5.111",
    ways: {
      "the default entry: no file, and an error that says so": async (app) => {
        await bundled("webpack --env entry=./default.js")(app);
        assert.equal(app.count("dist", ".wasm"), 0);
        await app.servingFiles("dist", (url) => assert.rejects(app.swapsInPage(url), /verified-swap: no module.*verified-swap\/inline/s));
      },
      "`verified-swap/inline`": async (app) => {
        await bundled("webpack --env entry=./inlined.js")(app);
        await app.servingFiles("dist", (url) => app.swapsInPage(url));
      },
      "`init(url)`": async (app) => {
        await bundled("webpack --env entry=./given.js")(app);
        app.copy("node_modules/verified-swap/verified_swap_bg.wasm", "dist/verified_swap_bg.wasm");
        await app.servingFiles("dist", (url) => app.swapsInPage(url));
      },
    },
  },
  {
    name: "Rspack",
    app: "rspack",
    of: "@rspack/core",
    shares: ["page"],
    ways: { "build, with a worker": built(bundled("rspack build"), "/", "/#worker") },
  },
  {
    name: "Parcel",
    app: "parcel",
    of: "parcel",
    shares: ["page"],
    ways: {
      "build, with a worker": built(made("parcel build index.html"), "/", "/#worker"),
      "development server": served("parcel index.html --host 127.0.0.1 --port {port}", "/", "/#worker"),
    },
  },
  {
    name: "Rollup",
    app: "rollup",
    of: "rollup",
    shares: ["page"],
    needs: COPY,
    ways: copied("rollup --config"),
  },
  {
    name: "Rolldown",
    app: "rolldown",
    of: "rolldown",
    shares: ["page"],
    needs: COPY,
    ways: copied("rolldown app.js --format esm --dir dist"),
  },
  {
    name: "Metro",
    app: "metro",
    of: "metro",
    shares: ["page"],
    needs: "`verified-swap/inline`: its scripts are no modules, and have no `import.meta`",
    ways: {
      "the default entry: no script that a page can read": async (app) => {
        await metro("app.js")(app);
        await app.servingFiles("dist", (url) => assert.rejects(app.swapsInPage(url), /Cannot use 'import\.meta' outside a module/));
      },
      "`verified-swap/inline`": async (app) => {
        await metro("inlined.js")(app);
        await app.servingFiles("dist", (url) => app.swapsInPage(url));
      },
    },
  },
  esbuild,
  {
    name: "Vite 8, library mode",
    app: "vite-library",
    of: "vite",
    shares: ["page"],
    needs: "nothing: Vite puts the module into the script, as `data:`, which a policy has to allow in `connect-src`; or `external: [\"verified-swap\"]`",
    ways: {
      "with the package inside": async (app) => {
        await bundled("vite build")(app);
        assert.equal(app.count("dist", ".wasm"), 0);
        await app.servingFiles("dist", (url) => app.swapsInPage(url));
      },
      external: async (app) => {
        await app.run("vite build --mode external");
        assert.equal(app.count("dist", ".wasm"), 0);
        await app.servingFiles(".", (url) => app.swapsInPage(`${url}/external.html`));
      },
    },
  },
  {
    name: "bun build",
    app: "bun",
    folder: "bun-build",
    of: "bun",
    shares: ["page", "process"],
    needs: `in pages ${COPY}, or \`verified-swap/inline\``,
    ways: {
      ...copied("bun build app.js --outdir=dist"),
      "server bundle": async (app) => {
        await app.run("bun build main.js --target=bun --outdir=server");
        await app.swapsInProcess("bun server/main.js");
      },
    },
  },
  {
    name: "Bun.serve, pages as routes",
    app: "bun",
    folder: "bun-serve",
    of: "bun",
    shares: ["page"],
    needs: "`verified-swap/inline`: it serves no file for `new URL`",
    ways: {
      "without it: an error that names it": async (app) => {
        for (const [mode, came] of Object.entries({ development: "file:[^;]*\\. anywhere: import", production: "http:.*404" })) {
          await app.serving(bunServe(mode), (url) => assert.rejects(app.swapsInPage(url), new RegExp(`no module at ${came}.*verified-swap/inline`, "s")));
        }
      },
      development: served(bunServe("development"), "/inlined"),
      production: served(bunServe("production"), "/inlined"),
    },
  },
  {
    name: "extension, Manifest V3",
    app: "extension",
    of: "chromium",
    shares: ["page"],
    needs: "`'wasm-unsafe-eval'` in `content_security_policy`, the service in `host_permissions`",
    ways: {
      "service worker": (app) => app.swapsInExtension(),
      "content script, where the page has no policy": (app) => app.swapsInExtension({}),
      "where it has one without the word: an error that names it": (app) =>
        assert.rejects(app.swapsInExtension({ "content-security-policy": "script-src 'self'" }), /WASM_UNAVAILABLE.*unsafe-eval/s),
    },
  },
  node("Node 26", "node-26"),
  {
    name: "Bun",
    app: "bun",
    of: "bun",
    shares: ["process"],
    ways: { "`import`": inProcess("bun main.js"), "`require`": inProcess("bun required.cjs") },
  },
  {
    name: "Deno",
    app: "deno",
    of: "deno",
    shares: ["process"],
    ways: { "`import`": inProcess("deno run --allow-all main.js") },
  },
  {
    name: "Vitest",
    app: "vitest",
    of: "vitest",
    shares: ["process"],
    ways: {
      Node: inProcess("vitest run trade"),
      jsdom: inProcess("vitest run trade --environment jsdom"),
      "browser mode": inProcess("vitest run browser --browser.enabled", { CHROME: locate("CHROME") }),
    },
  },
  {
    name: "Jest",
    app: "jest",
    of: "jest",
    shares: ["process"],
    needs: "in jsdom a `fetch`: jsdom has none",
    ways: {
      ESM: jest("esm", "node"),
      CommonJS: jest("cjs", "node"),
      "ESM in jsdom": jest("esm", "./jsdom-with-fetch.cjs"),
      "CommonJS in jsdom": jest("cjs", "./jsdom-with-fetch.cjs"),
    },
  },
];
