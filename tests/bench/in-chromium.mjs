/** The measurements in headless Chromium, from files on loopback; every cold start in a browser context of its own. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json", ".html": "text/html" };

/** A browser without whatever it does beside what it is asked. */
export async function launchChromium() {
  const executablePath = process.env.CHROME || "/usr/bin/chromium";
  const args = [
    "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
  ];
  if (process.getuid?.() === 0) args.push("--no-sandbox");
  return chromium.launch({ executablePath, headless: true, args });
}

/** Opens the browser on the assets folder; `close` ends browser and server. */
export async function openChromium(assets) {
  const { server, origin } = await serve(assets);
  const closeServer = () => new Promise((closed) => server.close(closed));
  const browser = await launchChromium().catch(async (error) => {
    await closeServer();
    throw error;
  });
  return {
    version: browser.version(),
    /** Calls `bench[name](options)` in one page that stays. */
    async call(name, options) {
      const page = await this.page();
      return page.evaluate(([method, given]) => globalThis.bench[method](given), [name, options]);
    },
    async page() {
      if (!this.opened) {
        this.opened = await freshPage(browser, origin);
        await this.opened.addScriptTag({ type: "module", url: `${origin}/page.js` });
        await this.opened.waitForFunction(() => globalThis.bench);
      }
      return this.opened;
    },
    /** Calls `run(job)` of a bundle in a page that has done nothing yet. */
    async runInFreshPage(bundle, job) {
      const page = await freshPage(browser, origin);
      try {
        return await page.evaluate(async ([path, given]) => (await import(path)).run(given), [`/${bundle}`, job]);
      } finally {
        await page.context().close();
      }
    },
    /** `jobs` is `{ name: job }`, each a file of the assets folder and what to do with it; interleaved, milliseconds by job. */
    async timeColdStarts(jobs, { rounds }) {
      const samples = Object.fromEntries(Object.keys(jobs).map((name) => [name, []]));
      for (let round = 0; round < rounds; round++) {
        for (const [name, job] of Object.entries(jobs)) samples[name].push(await coldStart(browser, origin, job, `${name}-${round}`));
      }
      return samples;
    },
    async close() {
      await browser.close();
      await closeServer();
    },
  };
}

async function coldStart(browser, origin, job, mark) {
  const page = await freshPage(browser, origin);
  try {
    return await page.evaluate(async ([{ kind, bundle, wasm, recording }, unique]) => {
      const { neverSeen, timeEvaluation, timeFirstSwap, timeModule } = await import("/cold-start.js");
      const text = await (await fetch(`/${bundle}`)).text();
      const load = () => import(URL.createObjectURL(new Blob([`${text}\n//${unique}`], { type: "text/javascript" })));
      const bytes = wasm && neverSeen(new Uint8Array(await (await fetch(`/${wasm}`)).arrayBuffer()), unique);
      if (kind === "evaluate") return timeEvaluation(load);
      if (kind === "module") return timeModule(load, bytes);
      return timeFirstSwap(load, bytes, await (await fetch(`/${recording}`)).json());
    }, [job, mark]);
  } finally {
    await page.context().close();
  }
}

async function freshPage(browser, origin) {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.on("pageerror", (error) => process.stderr.write(`page: ${error.stack ?? error}\n`));
  await page.goto(`${origin}/blank.html`);
  return page;
}

/** Cross-origin isolated, which makes the page's clock tick in 5 microseconds instead of 100. */
async function serve(folder) {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, "http://localhost").pathname);
    const headers = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp", "cache-control": "no-store" };
    try {
      const content = path === "/blank.html" ? "<!doctype html><title>bench</title>" : await readFile(join(folder, path));
      response.writeHead(200, { ...headers, "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(content);
    } catch {
      response.writeHead(404, headers).end();
    }
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return { server, origin: `http://127.0.0.1:${server.address().port}` };
}
