/** examples/element in Chromium: a whole swap in the plain page, a price in the app that Vite builds. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "vite";
import { run } from "../../package/app.mjs";
import { ROOT } from "../../package/locations.mjs";
import { serve } from "../../package/page.mjs";
import { startPages } from "../page.mjs";

/** Tokens have images at hosts that are not there. */
const IMAGES = /ERR_NAME_NOT_RESOLVED/;
let pages;
before(async () => (pages = await startPages("element")));
after(() => pages?.stop());

test("a swap in the plain page, with a wallet that announced itself, until it is settled", async () => {
  const { page, wallet, methods, close } = await pages.open({ expected: IMAGES });
  const { sandbox } = pages;
  await sandbox.faucet(wallet.address, "USDC", "1000");
  const before = await sandbox.balance(wallet.address, "WETH");
  const press = (name) => page.locator("verified-swap .card button.primary").filter({ hasText: name }).click();
  await press("Connect a wallet");
  await page.getByRole("dialog").getByRole("button", { name: /Test wallet/ }).click();
  await press("Review swap");
  await page.getByText(/^Sell 100 USDC /).first().waitFor();
  assert.deepEqual(methods(), []);
  await press(/^Approve 100/);
  await press(/^Sign/);
  await page.getByRole("heading", { name: "Settled" }).waitFor();
  assert.deepEqual(methods(), ["eth_sendTransaction", "eth_signTypedData_v4"]);
  assert.ok((await sandbox.balance(wallet.address, "WETH")) > before);
  await close();
});

test("the same tag in React: its types compile, and it has a price", async (t) => {
  const root = join(pages.folder, "react");
  // The checkout has the types of React alone.
  writeFileSync(join(root, "react-dom.d.ts"), 'declare module "react-dom/client" { export function createRoot(node: Element): { render(app: unknown): void }; }');
  await run(root, process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "--project", "."]);
  await build({ root, configFile: false, logLevel: "error" });
  const server = await serve(join(root, "dist"));
  t.after(() => server.stop());
  const { page, close } = await pages.open({ url: server.url, expected: IMAGES });
  await page.getByText("No trade yet.").waitFor();
  assert.equal(await page.getByLabel("You pay", { exact: true }).inputValue(), "100");
  await page.waitForFunction(() => Number(document.querySelector("verified-swap").shadowRoot.querySelectorAll("input")[1].value) > 0);
  await close();
});

test("a link chooses no service where the page is served to others", async () => {
  assert.deepEqual(await pages.hostsAsked((page) => page.getByRole("alert").waitFor()), ["api.velora.xyz"]);
});
