// Cells of the matrix in which a browser may differ: the same cells, with the client in a page of another origin.
import { SPEED, hasten } from "./fast-time.mjs";
import assert from "node:assert/strict";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startWorld } from "../coverage/world.mjs";
import { ROOT } from "../package/locations.mjs";
import { serve, startBrowser } from "../package/page.mjs";
import { cells, differences, published, ran } from "./table.mjs";

/** Questions to the service before a signature and after one, and to a node. */
const ENDPOINTS = ["quote", "post", "eth_getBalance"];
const GROUPS = ["otc", "trades", "approvals", "info"];
/** Cells side by side: a browser has six connections to a host, of which some hang. */
const WIDTH = 4;

const PAGE = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module">
import { createClient } from "/pkg/index.js";
const clients = new Map();
window.connect = async (id, options) => {
  const request = ({ method, params }) => window.askWallet(id, method, params);
  clients.set(id, await createClient({ ...options, wallet: { request } }));
};
window.call = async (id, name, args) => {
  try {
    const call = name.split(".").reduce((at, part) => at[part], clients.get(id));
    return { value: await call(...args) };
  } catch (error) {
    return { error: { ...error, name: error.name, message: error.message, cause: undefined } };
  }
};
</script>`;

let world, browser, server, page;
before(async () => {
  [world, browser] = await Promise.all([startWorld(), startBrowser()]);
  const folder = join(ROOT, "target/faults-page");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "index.html"), PAGE);
  cpSync(join(ROOT, "target/pkg"), join(folder, "pkg"), { recursive: true });
  server = await serve(folder);
  page = await browser.newPage();
  await page.addInitScript(hasten, SPEED);
  const wallets = [];
  await page.exposeFunction("askWallet", (id, method, params) => wallets[id].request({ method, params }));
  await page.goto(server.url);
  await page.waitForFunction(() => window.connect);
  /** A client in the page, which is called as if it were here. */
  world.connect = async ({ wallet, ...options }) => {
    const id = wallets.push(wallet) - 1;
    await page.evaluate(([id, options]) => window.connect(id, options), [id, options]);
    const call = async (name, args) => {
      const { value, error } = await page.evaluate(([id, name, args]) => window.call(id, name, args), [id, name, args]);
      if (error) throw Object.assign(new Error(error.message), error);
      return value;
    };
    const calls = (group) =>
      new Proxy({}, {
        get: (target, name) => {
          if (name === "then") return undefined;
          return GROUPS.includes(name) ? calls(`${name}.`) : (...args) => call(group + name, args);
        },
      });
    return calls("");
  };
});
after(() => Promise.all([browser?.close(), server?.stop(), world?.sandbox.stop()]));

/** The expected outcome, less what a page cannot see. */
function inChromium({ flow, kind }, said) {
  if (kind === "no CORS" && flow.endpoint !== "post") return said.replace("1 request", "2 requests");
  return said.replace(", retry after 12 s", "");
}

test("in Chromium faults end as published", async (t) => {
  const some = (await cells(world)).filter(({ flow, often }) => ENDPOINTS.includes(flow.endpoint) && often === "once");
  const inNode = await published();
  const expected = new Map(some.map((cell) => [cell.name, inChromium(cell, inNode.get(cell.name))]));
  const said = await ran(world, some, expected, WIDTH);
  assert.deepEqual(differences(said, expected), []);
  t.diagnostic(`${some.length} cells`);
});
