/**
 * examples/react-wagmi: type-checked, built, and used in Chromium with a wallet that announces itself; also with the
 * development build of React, which complains of more.
 */
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { run } from "../../package/app.mjs";
import { ROOT, locate } from "../../package/locations.mjs";
import { serve, startBrowser } from "../../package/page.mjs";
import { startSandbox } from "../../package/sandbox.mjs";

const folder = join(ROOT, "target/example-react-wagmi");
const MODES = ["production", "development"];
let sandbox, browser;
before(async () => {
  await build();
  [sandbox, browser] = await Promise.all([startSandbox(), startBrowser()]);
});
after(() => Promise.all([sandbox?.stop(), browser?.close()]));

/** As its README has it, in a folder as deep as its own; packages of the same lock file are those of an earlier run. */
async function build() {
  const packages = join(folder, "node_modules");
  mkdirSync(folder, { recursive: true });
  const source = join(ROOT, "examples/react-wagmi");
  rmSync(join(folder, "src"), { recursive: true, force: true });
  const copy = (from, to) => cpSync(from, to, { recursive: true, filter: (path) => !path.includes("node_modules") });
  copy(source, folder);
  const [stamp, lock] = [join(packages, ".of-lock"), readFileSync(join(source, "package-lock.json"), "utf8")];
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== lock) {
    await run(folder, "npm", ["ci", "--ignore-scripts"]);
    writeFileSync(stamp, lock);
  }
  await run(packages, "tar", ["-xzf", locate("PACKAGE_TARBALL"), "-C", "verified-swap", "--strip-components=1"]);
  for (const mode of MODES) await run(folder, "env", [`NODE_ENV=${mode}`, "npm", "run", "build", "--", "--outDir", `dist/${mode}`]);
}

/** A user's steps in the app of that build. */
async function use(t, mode, account) {
  const server = await serve(join(folder, "dist", mode));
  t.after(() => server.stop());
  const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
  t.after(() => page.close());
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  const wallet = sandbox.wallet(account);
  await wallet.announceTo(page);
  await page.goto(`${server.url}/?sandbox=${sandbox.url}`);
  const button = (name) => page.getByRole("button", { name });
  const says = (text) => page.getByRole("status").filter({ hasText: text }).waitFor();
  const price = (text) => page.locator("output").filter({ hasText: text }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  const prompts = () => wallet.prompts.map(({ method }) => method);
  const before = await sandbox.balance(wallet.address, "DAI");

  await price(/^99\.\d+ DAI$/);
  assert.ok(await button("Connect a wallet first").isDisabled());
  await button("Connect Test wallet").click();
  await page.getByText(`${wallet.address.slice(0, 6)}…`).waitFor();
  await page.getByLabel("Sell").first().fill("250");
  await price(/^249\.\d+ DAI$/);

  await button("Review").click();
  const dialog = page.getByRole("dialog");
  const sentence = dialog.getByText(/^Sell 250 USDC .* on "Sandbox One" \(chain 31337\) for at least 24\d\.\d+ DAI \(0x\w+\.{3}\w+\) to 0x/);
  await sentence.waitFor();
  assert.match(await focused(), /^Pay 250.0000 USDC, get at least 24\d\.\d+ DAI\.$/, "the review is read from its beginning");
  const [, passed, made] = /^(\d+) of (\d+) checks passed/.exec(await dialog.locator("summary").textContent());
  assert.ok(passed === made && Number(made) >= 30, `${passed} of ${made}`);
  await dialog.locator("summary").click();
  assert.match(await dialog.getByRole("listitem").filter({ hasText: "order.srcAmount" }).textContent(), /^order\.srcAmount: 250000000 \(ok\)$/);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  await page.keyboard.press("Escape");
  await says("Nothing was signed.");
  assert.equal(await focused(), "Review");
  await button("Review").click();
  await sentence.waitFor();
  assert.deepEqual(prompts(), [], "no prompt before the review was answered");
  await button("Agree").click();
  await says(/^Done: 249\.\d+ DAI arrived\.$/);
  assert.equal(await focused(), "Review");
  assert.ok((await sandbox.balance(wallet.address, "DAI")) - before > 248n * 10n ** 18n);
  await page.getByText(/^USDC → DAI, .*: COMPLETED$/).waitFor();
  assert.equal(await page.getByText("Not finished").count(), 0);

  await sandbox.lie("receiver");
  await button("Review").click();
  await says("beneficiary");
  const refusal = page.getByRole("heading", { name: "Not what you asked for" });
  await refusal.waitFor();
  const [asked, put] = await page.locator(".refusal dd").allTextContents();
  assert.equal(asked.toLowerCase(), wallet.address.toLowerCase());
  assert.match(put, /^0x[0-9a-fA-F]{40}$/);
  await sandbox.reset();
  await page.getByLabel("Sell").first().fill("260");
  await price(/^259\.\d+ DAI$/);
  assert.equal(await page.locator("p[role=status]").textContent(), "", "no failure of before beside an honest price");
  assert.equal(await refusal.count(), 0);
  const more = (await sandbox.balance(wallet.address, "USDC")) / 10n ** 6n + 1n;
  await page.getByLabel("Sell").first().fill(String(more));
  await price(/^\d{4,}\./);
  await button("Review").click();
  await says(`not enough: it takes ${more} USDC`);
  const count = prompts().length;
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, "nothing scrolls sideways on a phone");
  await button("Disconnect").click();
  await button("Connect a wallet first").waitFor();
  assert.deepEqual([prompts().length, await page.getByText("COMPLETED").count(), complaints], [count, 0, []]);
}

MODES.forEach((mode, account) =>
  test(`connect, a price as you type, review, sign, follow: ${mode}`, (t) => use(t, mode, account)),
);

/** A page of the element, and nothing else. */
function elementPage({ config }) {
  const page = join(folder, "dist/element");
  cpSync(join(folder, "node_modules/verified-swap"), page, { recursive: true });
  const [{ chainId, tokens }] = config.chains;
  const place = (kind) => `${chainId}:${tokens.find((token) => token.kind === kind).address}`;
  const setup = `import "./element.js";
    const swap = document.querySelector("verified-swap");
    swap.tokens = ${JSON.stringify(tokens.map((token) => ({ ...token, chainId })))};
    swap.client = ${JSON.stringify(config.clientOptions)};`;
  const element = `<verified-swap src="${place("permit")}" dest="${place("dai")}" amount="250"></verified-swap>`;
  writeFileSync(join(page, "index.html"), `<!doctype html><meta charset="utf-8">${element}<script type="module">${setup}</script>`);
  return page;
}

test("the element has the same figures: of the price, of the review, of what arrived", async (t) => {
  const wallet = sandbox.wallet(2);
  const open = async (root, query) => {
    const server = await serve(root);
    const page = await browser.newPage();
    t.after(() => Promise.all([page.close(), server.stop()]));
    await wallet.announceTo(page);
    await page.goto(`${server.url}/${query}`);
    return page;
  };
  const app = await open(join(folder, "dist/production"), `?sandbox=${sandbox.url}`);
  const element = await open(elementPage(sandbox), "");
  const value = (locator) => locator.getAttribute("value");
  const figure = (name) => element.locator(".row").filter({ has: element.locator("dt", { hasText: name }) }).locator("data");

  await element.getByRole("button", { name: "Connect a wallet" }).first().click();
  await element.getByRole("dialog").getByRole("button", { name: /^Test wallet/ }).click();
  await app.getByRole("button", { name: "Connect Test wallet" }).click();
  await app.getByLabel("Sell").first().fill("250");
  await app.locator("output").filter({ hasText: /^249\.\d+ DAI$/ }).waitFor();
  await element.locator("button.primary[aria-disabled=false]", { hasText: "Review swap" }).waitFor();
  const quoted = await value(app.locator("output data"));
  const field = await element.getByLabel("You receive", { exact: true }).inputValue();
  assert.ok(field.length > 5 && Math.abs(Number(quoted) / 1e18 - Number(field)) < 1e-3, `${quoted} and ${field}`);

  const bound = await value(figure("You get at least"));
  await element.getByRole("button", { name: "Review swap" }).click();
  await element.getByRole("heading", { name: "What you are signing" }).waitFor();
  await app.getByRole("button", { name: "Review" }).click();
  const amounts = app.getByRole("dialog").locator("data");
  await amounts.nth(1).waitFor();
  const [pay, get] = await amounts.evaluateAll((all) => all.map((data) => data.value));
  assert.deepEqual([await value(figure("You pay")), await value(figure("You get at least")), bound], [pay, get, get]);

  await app.getByRole("button", { name: "Agree" }).click();
  const status = app.getByRole("status").filter({ hasText: /^Done: / });
  await status.waitFor();
  const arrived = await value(status.locator("data"));
  const latest = element.locator(".activity li", { hasText: "Settled" }).first().locator(".activity-what data");
  await latest.first().waitFor();
  assert.deepEqual(await latest.evaluateAll((all) => all.map((data) => data.getAttribute("value"))), [pay, arrived]);
});
