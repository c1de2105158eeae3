/** `<verified-swap>` in pages and on servers: when it begins and ends, and whose clicks count. */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { parse } from "acorn";
import { transformSync } from "esbuild";
import { surface } from "../../xtask/node/surface.mjs";
import { freshApp, run } from "./app.mjs";
import { ROOT } from "./locations.mjs";
import { serve, startBrowser } from "./page.mjs";
import { startSandbox } from "./sandbox.mjs";
import { fundedTrade } from "./trade.mjs";

const FILES = {
  "index.html": `<!doctype html><meta charset="utf-8"><title>app</title><link rel="icon" href="data:,"><script type="module" src="/app.js"></script>`,
  // The element is there, with its properties, before it is defined.
  "app.js": `import { optionsOf, walletOf } from "./swap.js";
const [prompts, seen] = [[], []];
const element = document.createElement("verified-swap");
const wallet = walletOf(settings, prompts);
const { request } = wallet;
wallet.request = async (call) => (call.method === "eth_signTypedData_v4" && (await window.hold?.()), request(call));
Object.assign(window, { element, prompts, seen });
const [src, dest] = settings.tokens.map(({ chainId, address }) => chainId + ":" + address);
Object.assign(element, { src, dest, amount: "100", tokens: settings.tokens, wallet, client: optionsOf(settings) });
for (const name of ["trade", "refused", "error"]) window.addEventListener(name, (event) => seen.push(name));
document.body.append(element);
await import("./node_modules/verified-swap/element.js");
`,
};

let folder, sandbox, server, browser, settings, page;
before(async () => {
  [folder, sandbox] = await Promise.all([freshApp("element", FILES), startSandbox()]);
  [server, browser] = [await serve(folder), await startBrowser()];
});
beforeEach(async () => {
  ({ settings } = await fundedTrade(sandbox));
  await page?.context().close();
  page = await (await browser.newContext()).newPage();
  await page.addInitScript((settings) => (window.settings = settings), settings);
});
after(() => Promise.all([browser?.close(), server?.stop(), sandbox?.stop()]));

const button = (name) => page.locator('verified-swap button.primary[aria-disabled="false"]', { hasText: name });
const opened = async () => {
  await page.goto(server.url);
  await button("Review swap").waitFor();
};

test("an import on a server defines and loads nothing", async () => {
  const script = "globalThis.fetch = () => { throw new Error(); }; const one = require('verified-swap/element'); import('verified-swap/element').then((two) => console.log(Object.keys(one), Object.keys(two), one.defineElement(), two.defineElement()))";
  const { stdout } = await run(folder, "node", ["--input-type=commonjs", "-e", script]);
  assert.equal(stdout.trim(), "[ 'defineElement' ] [ 'defineElement' ] undefined undefined");
});

test("what was set before it is defined counts, and a move within the page ends nothing", async () => {
  await opened();
  assert.equal(await page.getByLabel("You pay", { exact: true }).inputValue(), "100");
  await page.evaluate(() => {
    window.card = element.shadowRoot.querySelector(".card");
    const place = document.createElement("main");
    document.body.append(place);
    element.remove();
    place.append(element);
  });
  await page.getByLabel("You pay", { exact: true }).fill("101");
  await button("Review swap").waitFor();
  assert.ok(await page.evaluate(() => window.card === element.shadowRoot.querySelector(".card")));
});

test("once it has left the page it is empty, and begins anew where it comes back", async () => {
  await opened();
  await page.evaluate(() => element.remove());
  assert.equal(await page.evaluate(() => element.shadowRoot.textContent), "");
  await page.evaluate(() => document.body.append(element));
  await button("Review swap").waitFor();
});

for (const file of ["element-view.js", "verified_swap_first.wasm"]) {
  test(`without ${file} nothing can be signed, until it is tried again`, async () => {
    await page.route(`**/${file}`, (route) => route.abort());
    await page.goto(server.url);
    await page.getByRole("alert").waitFor();
    await page.unroute(`**/${file}`);
    await page.getByRole("button", { name: "Try again" }).click();
    await button("Review swap").waitFor();
  });
}

test("a click of a script opens no prompt, and one of the user does", async () => {
  await opened();
  await button("Review swap").click();
  await button("Approve 100").waitFor();
  const click = () => element.shadowRoot.querySelector("button.primary").click();
  await page.evaluate(click);
  assert.deepEqual(await page.evaluate(() => prompts), []);
  assert.ok(await button("Approve 100").isEnabled());
  await button("Approve 100").click();
  await button("Sign").waitFor();
  assert.deepEqual(await page.evaluate(() => prompts), ["eth_sendTransaction"]);
  await page.evaluate(click);
  await button("Sign").click();
  await page.getByRole("heading", { name: "Settled" }).waitFor();
  assert.deepEqual(await page.evaluate(() => prompts), ["eth_sendTransaction", "eth_signTypedData_v4"]);
  assert.deepEqual([...new Set(await page.evaluate(() => seen))], ["trade"]);
});

test("an element that leaves while its wallet is open posts what was signed, and closes its client then", async () => {
  await opened();
  await button("Review swap").click();
  await button("Approve 100").click();
  await button("Sign").waitFor();
  await page.evaluate(() => (window.hold = () => new Promise((resolve) => (window.sign = resolve))));
  await button("Sign").click();
  await page.waitForFunction(() => window.sign);
  await page.evaluate(() => element.remove());
  const posted = page.waitForRequest((request) => request.method() === "POST" && /\/orders$/.test(new URL(request.url()).pathname));
  await page.evaluate(() => setTimeout(sign, 200));
  await posted;
});

test("a chain whose list of tokens does not come takes no other chain's away", async () => {
  await opened();
  const [, there] = sandbox.config.chains;
  await page.evaluate(({ chainId }) => {
    const [{ chainId: here }] = element.tokens;
    const again = element.cloneNode();
    const chains = [[here, "Here"], [chainId, "There"], [99_999, "Nowhere"]].map(([chainId, name]) => ({ chainId, name }));
    Object.assign(again, { chains, tokens: element.tokens, client: element.client });
    element.replaceWith(again);
  }, there);
  await page.getByRole("button", { name: /^You receive: / }).click();
  await page.getByRole("radio", { name: "There" }).check({ force: true });
  await page.getByRole("option").first().waitFor();
});

test("a dialog has its own name, also once an attribute has changed", async () => {
  await opened();
  await page.evaluate(() => (element.theme = "dark"));
  await page.getByRole("button", { name: /^Settings/ }).click();
  await page.getByRole("dialog", { name: "Settings" }).getByRole("radio", { name: "Market", exact: true }).waitFor();
});

test("a wallet that announces itself is connected by the user's click, and left by another", async () => {
  await opened();
  await page.evaluate(() => {
    const { wallet: provider } = element;
    const info = { uuid: "1", name: "Announced", icon: "https://example.org/icon.png", rdns: "org.example" };
    addEventListener("eip6963:requestProvider", () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: { info, provider } })));
    element.wallet = null;
  });
  await button("Connect a wallet").click();
  const choice = page.getByRole("button", { name: "Announced" });
  await choice.waitFor();
  // An icon that is no data would show the page's user to its host.
  assert.equal(await page.locator("verified-swap dialog img").count(), 0);
  await page.evaluate(() => element.shadowRoot.querySelector(".wallets-choice").click());
  assert.equal(await choice.isEnabled(), true);
  await choice.click();
  await button("Review swap").waitFor();
  await page.getByRole("button", { name: /^Announced, account 0x.* Change$/ }).click();
  await page.getByRole("button", { name: "Disconnect" }).click();
  await page.keyboard.press("Escape");
  await button("Connect a wallet").waitFor();
});

test("a lie is an event, and opens no prompt", async () => {
  await opened();
  await sandbox.control("POST", "lie", { kind: "receiver" });
  await button("Review swap").click();
  await page.waitForFunction(() => seen.includes("refused"));
  await sandbox.control("POST", "lie", { kind: "none" });
  assert.deepEqual(await page.evaluate(() => prompts), []);
});

test("its variables are those that are published, and count from around it", async () => {
  const line = surface(ROOT).get("element").find(({ name }) => name === "VerifiedSwapVariable").line;
  const read = readFileSync(join(ROOT, "pkg-template/element/style/tokens.css"), "utf8").match(/(?<=var\()--vs-[\w-]+/g);
  assert.deepEqual(read.toSorted(), line.match(/--vs-[\w-]+/g).toSorted());
  assert.equal(read.length, 16);
  await opened();
  await page.evaluate(() => document.body.style.setProperty("--vs-accent", "rgb(1, 2, 3)"));
  const colours = () => page.evaluate(() => ["primary", "card"].map((name) => getComputedStyle(element.shadowRoot.querySelector(`.${name}`)).backgroundColor));
  assert.deepEqual(await colours(), ["rgb(1, 2, 3)", "rgb(255, 255, 255)"]);
  await page.evaluate(() => (element.theme = "dark"));
  assert.deepEqual(await colours(), ["rgb(1, 2, 3)", "rgb(25, 29, 27)"]);
});

test("a place that is as wide as its content has the form's width, on a phone the phone's", async () => {
  await opened();
  await page.evaluate(() => {
    const place = document.createElement("div");
    place.style.display = "inline-block";
    document.body.append(place);
    place.append(element);
  });
  const width = () => page.evaluate(() => element.clientWidth);
  assert.equal(await width(), 480);
  await page.setViewportSize({ width: 320, height: 700 });
  assert.equal(await width(), 280);
});

test("it has at most twelve attributes and properties, and four events", () => {
  const names = surface(ROOT).get("element").map(({ name }) => name);
  const count = (type) => names.filter((name) => name.startsWith(`${type}.`)).length;
  assert.ok(count("VerifiedSwapElement") <= 12);
  assert.equal(count("VerifiedSwapEvents"), 4);
});

/** Texts of a script's elements: their children, and attributes that are read out. */
function textsOf(script) {
  const found = [];
  const visit = (node) => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node?.type !== "string") return;
    const name = node.type === "Property" ? (node.key.name ?? node.key.value) : "";
    if (["children", "aria-label", "title", "placeholder", "alt", "label"].includes(name)) found.push(...[node.value.elements ?? node.value].flat());
    for (const value of Object.values(node)) if (typeof value === "object") visit(value);
  };
  visit(parse(script, { ecmaVersion: 2022, sourceType: "module" }));
  const parts = found.flatMap(({ type, value, quasis }) => (type === "Literal" ? [value] : (quasis ?? []).map((quasi) => quasi.value.raw)));
  return parts.filter((text) => /\p{L}{2}/u.test(text));
}

test("every text is one of the messages, and an app's own takes its place", async () => {
  const sources = join(ROOT, "pkg-template/element");
  const files = readdirSync(sources, { recursive: true }).filter((name) => name.endsWith(".tsx"));
  assert.ok(files.length > 20, files.join());
  const scripts = files.map((name) => transformSync(readFileSync(join(sources, name), "utf8"), { loader: "tsx", jsx: "automatic" }).code);
  assert.deepEqual(scripts.flatMap(textsOf), []);
  assert.deepEqual(textsOf('jsx("p", { title: `${n} days`, children: [n, "two words"] })'), [" days", "two words"]);
  await opened();
  await page.evaluate(() => (element.messages = { form: { youPay: "Vous payez", youReceive: () => "" }, nothing: {} }));
  await page.getByLabel("Vous payez", { exact: true }).waitFor();
  await page.getByLabel("You receive", { exact: true }).waitFor();
});

test("a list of tokens that cannot be read, and options that are wrong, are no checks that did not load", async () => {
  for (const [prepare, text] of [
    ["element.tokens = []", "The service’s list of tokens could not be read"],
    ["element.client = { baseUrl: 'nowhere' }", "This swap is not set up as it has to be"],
  ]) {
    await page.route(/\/tokens/, (route) => route.fulfill({ status: 500, body: "{}" }));
    await page.route("**/app.js", async (route) => {
      const body = await (await route.fetch()).text();
      await route.fulfill({ contentType: "text/javascript", body: body.replace("document.body.append", `${prepare};\n$&`) });
    });
    await page.goto(server.url);
    await page.getByRole("alert").filter({ hasText: text }).waitFor({ timeout: 60_000 });
    assert.equal(await page.getByText("did not load").count(), 0);
    await page.unrouteAll();
  }
});
