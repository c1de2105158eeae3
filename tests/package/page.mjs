/** A page of a consumer app in a real browser. An error that it logs, and a stop by its CSP, fail the test. */
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";
import { locate } from "./locations.mjs";

const ARGUMENTS = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function startBrowser() {
  return chromium.launch({ executablePath: locate("CHROME"), headless: true, args: ARGUMENTS });
}

/**
 * Opens `url` and waits for the app's `window.result`, a promise's outcome: `{ value }` or `{ error }`.
 * The page reaches the node through `window.rpc(chainId, method, params)`, without a connection of its own. `act` does what a
 * person does in the page.
 */
export async function resultOf(browser, url, sandbox, settings, act = async () => {}) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.exposeFunction("rpc", (method, params) => sandbox.rpc(settings.chainId, method, params));
  await page.addInitScript((settings) => {
    window.settings = settings;
    window.violations = [];
    addEventListener("securitypolicyviolation", (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
  }, settings);
  try {
    await page.goto(url);
    await act(page);
    const result = await page
      .waitForFunction(() => window.result, null, { timeout: 60_000 })
      .then((handle) => handle.jsonValue())
      .catch((error) => {
        throw new Error(`${error.message}\nThe page said: ${complaints.join("\n") || "nothing"}`);
      });
    if (result.error) throw new Error(`${result.error}\nThe page said: ${complaints.join("\n") || "nothing"}`);
    return { value: result.value, complaints: [...complaints, ...(await page.evaluate(() => window.violations))] };
  } finally {
    await context.close();
  }
}

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png" };

/** Serves a folder on a free loopback port with the headers given: `{ url, stop() }`. */
export async function serve(folder, headers = {}) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const file = join(folder, normalize(path === "/" ? "/index.html" : path));
    try {
      const bytes = await readFile(file);
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", ...headers });
      response.end(bytes);
    } catch {
      response.writeHead(404, headers).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}
