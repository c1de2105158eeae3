/**
 * The hooks from the tarball, in React 18 and 19, under StrictMode: every effect runs twice, and yet there is one prompt and
 * one order, and nothing is left open.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { createServer } from "vite";
import { freshApp, run } from "../app.mjs";
import { ROOT } from "../locations.mjs";
import { startBrowser } from "../page.mjs";
import { putHtml, reactApp } from "../react/installed.mjs";
import { startSandbox } from "../sandbox.mjs";

const [SIGN, SEND] = ["eth_signTypedData_v4", "eth_sendTransaction"];

let [sandbox, browser] = [];
before(async () => ([sandbox, browser] = await Promise.all([startSandbox(), startBrowser()])));
after(() => Promise.all([sandbox?.stop(), browser?.close()]));

/** `{ app, url }`: the development server of an app with that React; StrictMode doubles effects in development only. */
async function served(t, version) {
  const app = await reactApp("react", version);
  const server = await createServer({
    root: app, configFile: false, logLevel: "error", server: { port: 0, host: "127.0.0.1", fs: { allow: [ROOT] } },
  });
  t.after(() => server.close());
  await server.listen();
  return { app, url: server.resolvedUrls.local[0] };
}

const settingsOf = ({ address }, parts = ["form", "lists"]) => ({
  parts,
  account: address,
  options: sandbox.clientOptions,
  request: sandbox.request("USDC", "DAI", "100"),
});

/** The app in a page of its own, with a wallet of that account: what the test needs of it. */
async function opened(t, url, account = 0, options = {}, parts) {
  await sandbox.reset();
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  const wallet = sandbox.wallet(account);
  await wallet.announceTo(page);
  const settings = settingsOf(wallet, parts);
  Object.assign((settings.options = { ...settings.options }), options);
  await sandbox.faucet(wallet.address, "USDC", "1000");
  const { chainId, srcToken: token } = settings.request;
  await sandbox.control("POST", "approve", { chainId, token, owner: wallet.address, amount: "0" });
  await page.addInitScript((settings) => (window.settings = settings), settings);
  await page.goto(url);
  const told = async (error) => {
    throw new Error(`${error.message}\nThe page shows: ${await page.locator("#root").innerText()}\nIt was asked: ${prompts()}`);
  };
  const shows = (id, text) => page.locator(`#${id}`).filter({ hasText: text }).waitFor().catch(told);
  const press = (name) => page.getByRole("button", { name, exact: true }).click();
  const prompts = () => wallet.prompts.map(({ method }) => method);
  /** Agrees, and leaves the prompt for the signature open. */
  const agreeAndWait = async () => {
    await page.evaluate((method) => (window.holds = method), SIGN);
    await press("Agree");
    await page.waitForFunction(() => window.answer).catch(told);
  };
  return { page, wallet, settings, complaints, shows, press, prompts, agreeAndWait };
}

const asked = async (endpoint, method) => {
  const { requests } = await sandbox.control("GET", "record");
  return requests.filter((one) => one.endpoint === endpoint && (!method || one.method === method)).length;
};
const code = (page, promise) => page.evaluate(`(${promise}).then(() => "none", (error) => error.code)`);
const unheard = (page) => page.waitForFunction(() => listening() === 0);

for (const version of ["18", "19"]) {
  test(`React ${version}`, async (t) => {
    const { app, url } = await served(t, version);

    await t.test("a whole trade: price, double click, review, prompts, orders, journal; then nothing is left", async (t) => {
      const { page, complaints, shows, press, prompts, wallet } = await opened(t, url);
      await shows("price", /^\d+$/);
      assert.equal(await page.evaluate(() => listening()), 2, "one live price, however often effects ran");
      const before = await sandbox.balance(wallet.address, "DAI");
      await press("Swap");
      await page.getByRole("dialog", { name: /^Sell 100 USDC .*DAI/ }).waitFor();
      assert.deepEqual([prompts(), await page.evaluate(() => same)], [[], true]);
      await press("Agree");
      await shows("step", "done");
      assert.deepEqual([prompts(), await asked("post")], [[SEND, SIGN], 1]);
      assert.ok((await sandbox.balance(wallet.address, "DAI")) > before);
      await shows("orders", "COMPLETED");
      await shows("trades", "delta ended");
      assert.equal(await page.getByRole("dialog").count(), 0);
      assert.deepEqual(await page.evaluate(() => [tradeState.order.status, seen.strangers]), ["COMPLETED", 0]);
      await page.evaluate(() => unmount());
      await unheard(page);
      assert.equal(await code(page, "client.info.chains()"), "ABORTED", "its client is closed");
      assert.deepEqual(complaints, []);
    });

    await t.test("a whole trade by one hook: typed before the client is there, one request, a click for each prompt, an end", async (t) => {
      const { page, complaints, shows, press, prompts, wallet } = await opened(t, url);
      let arrive;
      const arrived = new Promise((resolve) => (arrive = resolve));
      await page.route("**/*.wasm*", (route) => arrived.then(() => route.continue()));
      await page.reload();
      await page.evaluate(() => render({ parts: ["whole"] }));
      await shows("get", "none");
      await page.getByLabel("Pay").fill("200");
      assert.deepEqual(await page.evaluate(() => [swapState.isOpen, swapState.form.amount]), [false, "200"]);
      arrive();
      await shows("get", /^199\d{18}$/);
      assert.equal(await asked("quote", "GET"), 1, "one live price, however often effects ran");
      const before = await sandbox.balance(wallet.address, "DAI");
      await press("Review");
      await page.getByRole("dialog", { name: /^Sell 200 USDC .*DAI/ }).waitFor();
      assert.deepEqual(prompts(), []);
      await press("Agree");
      await press("order");
      await shows("view", "entry done");
      assert.deepEqual([prompts(), await asked("post")], [[SEND, SIGN], 1]);
      assert.ok((await sandbox.balance(wallet.address, "DAI")) > before);
      await page.evaluate(() => render({ parts: [] }));
      await unheard(page);
      await page.evaluate(() => render({ wallet: { ...window.ethereum, request: ({ method }) => (window.last = method, []) }, settings: { ...settings, account: undefined }, parts: ["whole"] }));
      await shows("get", /^\d+$/);
      assert.deepEqual(await page.evaluate(() => [swapState.account, last]), [null, "eth_accounts"], "a render asks no wallet to connect");
      assert.deepEqual([prompts().length, complaints], [2, []]);
    });

    await t.test("one controller for a component, whose effects StrictMode ends and runs again, closed once it has gone", async (t) => {
      const { page, complaints, shows } = await opened(t, url);
      await shows("client", "ready");
      await page.evaluate(() => render({ wallet: null }));
      await unheard(page);
      await page.evaluate(() => {
        const { watchQuotes } = client;
        window.lives = [];
        client.watchQuotes = (...given) => {
          const live = watchQuotes(...given);
          const place = lives.push("open") - 1;
          const close = () => ((lives[place] = "closed"), live.close());
          return Object.defineProperties({ ...live, close }, { state: { get: () => live.state } });
        };
        render({ wallet: null, parts: ["form", "whole"] });
      });
      await shows("get", /^\d+$/);
      assert.deepEqual(await page.evaluate(() => lives), ["open"]);
      await page.evaluate(() => render({ wallet: null, parts: ["form"] }));
      await page.waitForFunction(() => lives[0] === "closed");
      assert.deepEqual([await page.evaluate(() => lives), complaints], [["closed"], []]);
    });

    await t.test("a review with a question is confirmed by its answer, and not by a click", async (t) => {
      const { page, complaints, shows, press, prompts } = await opened(t, url, 0, { reference: false });
      await shows("price", /^\d+$/);
      await press("Swap");
      await page.getByRole("dialog").waitFor();
      const [question] = await page.evaluate(() => review.questions);
      assert.deepEqual([question.reason, question.field], ["noReference", "quote.price"]);
      await press("Agree");
      await shows("error", "TradeError,PRICE_UNJUDGED,none");
      for (const wrong of [undefined, true, [], { accept: true }, { accept: [] }, { accept: ["noReference-1"] }]) {
        await press("Swap");
        await page.getByRole("dialog").waitFor();
        await page.evaluate((answer) => review.confirm(answer), wrong);
        await shows("error", "TradeError,PRICE_UNJUDGED,none");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      }
      assert.deepEqual(prompts(), []);
      await press("Swap");
      await page.getByRole("dialog").waitFor();
      await page.evaluate(() => review.confirm({ accept: review.questions.map(({ id }) => id) }));
      await shows("step", "done");
      assert.deepEqual([prompts(), complaints], [[SEND, SIGN], []]);
    });

    await t.test("a price is never shown for another request, and nothing more is asked by a render", async (t) => {
      const { page, complaints, shows } = await opened(t, url);
      await shows("price", /^\d+$/);
      const first = await page.locator("#price").textContent();
      await page.getByLabel("Amount").fill("5000000");
      await page.waitForFunction((first) => ![first, "asking"].includes(document.getElementById("price").textContent), first);
      await page.getByLabel("Amount").fill("");
      await shows("price", "none");
      await page.evaluate(() => [render(), render()]);
      const { strangers, renders } = await page.evaluate(() => seen);
      assert.ok(strangers === 0 && renders > 4, `${strangers} of ${renders}`);
      assert.deepEqual([await asked("quote", "GET"), complaints], [2, []]);
    });

    await t.test("a form that is unmounted in mid-quote, or in mid-review, asks and signs nothing", async (t) => {
      const { page, complaints, shows, press, prompts } = await opened(t, url);
      await shows("price", /^\d+$/);
      await press("Swap");
      await page.getByRole("dialog").waitFor();
      await page.evaluate(() => {
        window.left = start();
        render({ parts: ["lists"] });
      });
      assert.equal(await code(page, "left"), "ABORTED");
      await unheard(page);
      assert.equal(await asked("quote", "GET"), 1, "no other price was reviewed");
      await sandbox.control("POST", "fault", { endpoint: "quote", delayMs: 60_000, times: 1 });
      await page.evaluate(() => render());
      await shows("price", "asking");
      await page.evaluate(() => render({ parts: [] }));
      await unheard(page);
      assert.deepEqual([prompts(), complaints], [[], []]);
    });

    await t.test("a form that is unmounted in mid-prompt leaves the trade to go on, once", async (t) => {
      const { page, complaints, shows, press, prompts, agreeAndWait } = await opened(t, url);
      await shows("price", /^\d+$/);
      await press("Swap");
      await agreeAndWait();
      await page.evaluate(() => {
        window.left = start();
        render({ parts: ["lists"] });
      });
      await unheard(page);
      await page.evaluate(() => answer());
      assert.equal(await page.evaluate(() => left.then(({ order }) => order.status)), "COMPLETED");
      await shows("trades", "delta ended");
      assert.deepEqual([prompts(), await asked("post"), complaints], [[SEND, SIGN], 1, []]);
    });

    await t.test("what was declined is told, another trade can follow, and reset forgets it", async (t) => {
      const { page, complaints, shows, press, prompts } = await opened(t, url);
      await shows("price", /^\d+$/);
      await press("Swap");
      await press("Decline");
      await shows("error", "TradeError,USER_REJECTED,retry");
      await press("Swap");
      await page.getByRole("dialog").waitFor();
      await page.evaluate(() => reset());
      await shows("step", "none");
      assert.equal(await page.getByRole("dialog").count(), 0);
      assert.deepEqual([prompts(), complaints], [[], []]);
    });

    await t.test("another wallet ends the review, and is priced and asked in its place", async (t) => {
      const { page, settings, complaints, shows, press, prompts } = await opened(t, url);
      const [, other] = sandbox.accounts;
      assert.notEqual(other.address, settings.account);
      await shows("price", /^\d+$/);
      await press("Swap");
      await page.getByRole("dialog").waitFor();
      await page.evaluate((account) => render({ settings: { ...settings, account } }), other.address);
      await shows("error", "ABORTED");
      await shows("price", /^\d+$/);
      await press("Swap");
      await page.getByRole("dialog").waitFor();
      assert.equal(await page.evaluate(() => tradeState.build.owner), other.address);
      assert.deepEqual([prompts(), complaints, await page.evaluate(() => seen.strangers)], [[], [], 0]);
    });

    await t.test("a page that is reloaded in mid-prompt finds its trade, and finishes it", async (t) => {
      const { page, complaints, shows, press, prompts, agreeAndWait } = await opened(t, url);
      await shows("price", /^\d+$/);
      await press("Swap");
      await agreeAndWait();
      await page.reload();
      await page.getByRole("button", { name: "Sign signature" }).waitFor();
      await press("Resume");
      // The approval was on its way, too.
      await page.waitForFunction(() => window.resumed?.some(({ kind }) => kind === "delta"));
      await press("Sign signature");
      await shows("trades", "delta posted");
      const id = await page.evaluate(() => resumed.find(({ kind }) => kind === "delta").id);
      assert.equal(await page.evaluate((id) => client.wait(id, { intervalMs: 100 }).then(({ status }) => status), id), "COMPLETED");
      await shows("trades", "delta ended");
      assert.deepEqual([prompts(), await asked("post")], [[SEND, SIGN], 1]);
      // The service does not have what is not signed yet.
      assert.deepEqual(complaints.filter((text) => !text.includes("404")), []);
    });

    await t.test("a failure is of its request, and over with the next price", async (t) => {
      const { page, settings, complaints, shows, press, prompts } = await opened(t, url);
      await page.evaluate(() => render({ parts: ["shared"] }));
      await shows("one-price", /^\d+$/);
      const renewed = () => page.evaluate(() => {
        const before = one.quote;
        one.refresh();
        return new Promise((resolve) => (function look() { one.quote === before ? setTimeout(look, 20) : setTimeout(resolve, 100); })());
      });
      await sandbox.lie("receiver");
      await press("Swap one");
      for (const id of ["one", "other"]) await shows(`${id}-told`, "VERIFY_MISMATCH");
      await renewed();
      await shows("one-told", "VERIFY_MISMATCH"); // a price that comes at once does not take it from who reads it
      await sandbox.reset();
      await page.evaluate(() => {
        const now = Date.now;
        Date.now = () => now() + 6_000;
      });
      await renewed();
      for (const id of ["one", "other"]) await shows(`${id}-told`, "nothing");
      await press("Swap one");
      await press("Decline");
      await shows("one-told", "USER_REJECTED");
      await page.getByLabel("Amount").fill("5000000");
      await shows("one-price", /^\d+$/);
      await shows("one-told", "nothing");
      await page.getByLabel("Amount").fill("100000000");
      await shows("one-price", /^\d+$/);
      await shows("one-told", "nothing");
      await press("Swap one");
      await press("Decline");
      await shows("one-told", "USER_REJECTED");
      const other = { ...settings, account: sandbox.accounts[1].address };
      await page.evaluate((settings) => render({ settings, parts: ["shared"] }), other);
      await shows("one-told", "nothing");
      assert.deepEqual([prompts(), complaints], [[], []]);
    });

    await t.test("a paused price is not renewed, and is as soon as it goes on", async (t) => {
      const { page, complaints, shows } = await opened(t, url);
      const hold = (isHeld) => page.evaluate((isHeld) => ((window.held = isHeld), render({ parts: ["shared"] })), isHeld);
      const told = (paused) => page.waitForFunction((paused) => window.one?.paused === paused && other.paused === paused, paused);
      await hold(true);
      for (const id of ["one", "other"]) await shows(`${id}-price`, /^\d+$/);
      await told("app");
      const before = await asked("quote", "GET");
      await page.evaluate(() => {
        const now = Date.now;
        Date.now = () => now() + 40_000;
        window.first = [one.quote, other.quote];
        document.dispatchEvent(new Event("visibilitychange"));
      });
      await hold(true);
      assert.equal(await asked("quote", "GET"), before);
      await hold(false);
      await told(null);
      await page.waitForFunction(() => one.quote !== first[0] && other.quote !== first[1]);
      assert.deepEqual([(await asked("quote", "GET")) > before, complaints], [true, []]);
    });

    await t.test("components that share a trade trade once, however often they begin it", async (t) => {
      const { page, complaints, shows, press, prompts, agreeAndWait } = await opened(t, url);
      await page.evaluate(() => render({ parts: ["shared"] }));
      for (const id of ["one", "other"]) await shows(`${id}-price`, /^\d+$/);
      assert.ok(await page.evaluate(() => one.quote !== other.quote && one.start() === other.start()));
      await page.getByRole("dialog").waitFor();
      assert.equal(await page.evaluate(() => one.review === other.review), true);
      await agreeAndWait();
      for (const id of ["one", "other"]) await shows(`${id}-told`, "signing");
      assert.ok(await page.evaluate(() => other.start() === one.start()));
      await page.evaluate(() => answer());
      for (const id of ["one", "other"]) await shows(`${id}-told`, "done");
      assert.deepEqual([prompts(), await asked("post"), complaints], [[SEND, SIGN], 1, []]);
    });

    await t.test("a start with other terms is another trade, and joins none", async (t) => {
      const { page, complaints, shows, prompts, agreeAndWait } = await opened(t, url);
      await page.evaluate(() => render({ parts: ["shared"] }));
      for (const id of ["one", "other"]) await shows(`${id}-price`, /^\d+$/);
      await page.evaluate(() => void one.start(900));
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      const loose = await dialog.getAttribute("aria-label");
      await page.evaluate(() => void other.start(10));
      await page.waitForFunction((loose) => (document.querySelector("dialog")?.ariaLabel ?? loose) !== loose, loose);
      const least = (sentence) => Number(/at least ([\d.]+)/.exec(sentence)[1]);
      const strict = await dialog.getAttribute("aria-label");
      assert.ok(least(strict) > 1.08 * least(loose), `${strict} is what the last button said, and not ${loose}`);
      await agreeAndWait();
      await shows("one-told", "signing");
      await page.evaluate(() => one.reset()); // what the other's user agreed to is not hidden
      for (const id of ["one", "other"]) await shows(`${id}-told`, "signing");
      await page.evaluate(() => answer());
      for (const id of ["one", "other"]) await shows(`${id}-told`, "done");
      assert.deepEqual([prompts(), await asked("post"), complaints], [[SEND, SIGN], 1, []]);
    });

    await t.test("a failure after the signature is not over with the next price", async (t) => {
      const { page, shows, press, agreeAndWait } = await opened(t, url);
      await page.evaluate(() => render({ parts: ["shared"] }));
      await shows("one-price", /^\d+$/);
      await sandbox.control("POST", "fault", { endpoint: "post", times: -1, status: 500 });
      await press("Swap one");
      await page.getByRole("dialog").waitFor();
      await agreeAndWait();
      await page.evaluate(() => answer());
      await page.waitForFunction(() => one.error?.signedOrder, null, { timeout: 60_000 });
      const told = await page.locator("#one-told").textContent();
      await page.evaluate(() => {
        const now = Date.now;
        Date.now = () => now() + 6_000;
        one.refresh();
        const { quote } = one;
        return new Promise((resolve) => (function look() { one.quote === quote ? setTimeout(look, 20) : setTimeout(resolve, 100); })());
      });
      await shows("one-told", told);
    });

    await t.test("a tree that suspends, or is mounted anew, neither loses its trade nor begins another", async (t) => {
      const { page, complaints, shows, press, prompts, agreeAndWait } = await opened(t, url);
      const gated = (name, props, during) => page.evaluate(([name, props]) => {
        window[name] = new Promise((resolve) => (window.open = () => resolve(window[name] = undefined)));
        render({ parts: ["shared"], ...props });
      }, [name, props]).then(() => page.locator("#waiting").waitFor()).then(during).then(() => page.evaluate(() => open()));
      await page.evaluate(() => render({ parts: ["shared"] }));
      await shows("one-price", /^\d+$/);
      await press("Swap one");
      await page.getByRole("dialog").waitFor();
      await gated("gate", {}); // is hidden, and comes back: the review still waits
      await page.getByRole("dialog").waitFor();
      await agreeAndWait();
      await gated("gate", { round: 1 }); // the first render of a new one is thrown away
      await shows("one-told", "signing");
      await gated("gateInside", { round: 2 });
      for (const id of ["one", "other"]) await shows(`${id}-told`, "signing");
      await shows("other-price", /^\d+$/);
      await press("Swap other");
      await gated("gateInside", { round: 3 }, () => page.evaluate(() => answer())); // is signed while nothing is shown
      await page.waitForFunction(() => ["done", "nothing"].includes(document.getElementById("one-told")?.textContent));
      assert.deepEqual([prompts(), await asked("post"), complaints], [[SEND, SIGN], 1, []]);
    });

    await t.test("a trade that an effect begins is begun once", async (t) => {
      const { page, complaints, shows, press, prompts } = await opened(t, url);
      await shows("client", "ready");
      await page.evaluate(() => {
        window.autostart = true;
        render({ parts: ["form", "shared"] });
      });
      await press("Agree");
      await shows("one-told", "done");
      assert.deepEqual([prompts(), await asked("post"), complaints], [[SEND, SIGN], 1, []]);
    });

    await t.test("orders come in pages", async (t) => {
      const { page, complaints, shows, press } = await opened(t, url, version === "18" ? 2 : 3);
      const orders = page.locator("#orders li");
      for (const count of [1, 2]) {
        await page.evaluate(() => render({ parts: ["form"] }));
        await shows("price", /^\d+$/);
        await press("Swap");
        await press("Agree");
        await shows("step", "done");
        await page.evaluate(() => render({ parts: ["lists"] }));
        await orders.first().waitFor();
        assert.deepEqual([await orders.count(), await page.getByRole("button", { name: "More" }).count()], [1, count - 1]);
      }
      await press("More");
      await orders.nth(1).waitFor();
      await press("Refresh");
      await page.getByRole("button", { name: "More" }).waitFor();
      assert.deepEqual([await orders.allTextContents(), complaints], [["COMPLETED", "COMPLETED"], []]);
    });

    await t.test("a module that cannot be loaded is told as an error, and tried again", async (t) => {
      const { page, shows, press } = await opened(t, url);
      await page.route("**/*.wasm*", (route) => route.abort());
      await page.reload();
      await shows("error", "TradeError,NETWORK,retry");
      await page.unroute("**/*.wasm*");
      await press("Retry");
      await shows("client", "ready");
      await shows("price", /^\d+$/);
    });

    await t.test("a server renders it without asking for anything, and the page takes it over without a word", async (t) => {
      const parts = ["form", "lists", "whole"];
      const env = { ...process.env, SETTINGS: JSON.stringify(settingsOf(sandbox.accounts[0], parts)) };
      const { html, asked } = JSON.parse(execFileSync(process.execPath, ["server.js"], { cwd: app, env, encoding: "utf8" }));
      assert.deepEqual(asked, []);
      assert.match(html, /<output id="client">loading<\/output><output id="price">asking</);
      assert.match(html, /value="100"\/?><output id="get">none<\/output><output id="view">form idle</);
      putHtml(app, html);
      t.after(() => putHtml(app, ""));
      const { page, complaints, shows } = await opened(t, url, 0, {}, parts);
      await shows("client", "ready");
      for (const id of ["price", "get"]) await shows(id, /^\d+$/);
      assert.deepEqual(complaints, []);
    });

    await t.test("a strict app compiles against its declarations", async () => {
      const folder = await reactApp("react-types", version, { "app.tsx": TYPED, "tsconfig.json": JSON.stringify(TYPES) });
      await run(folder, process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "--project", "."]);
    });
  });
}

test("an app without React carries none of it", async () => {
  const script = 'import { createClient } from "verified-swap"; globalThis.made = createClient({ baseUrl: "https://service.example" });';
  const folder = await freshApp("bundled", { "app.js": script });
  for (const platform of ["browser", "node"]) {
    const options = { bundle: true, platform, format: "esm", write: false, metafile: true, outdir: folder, logLevel: "error" };
    const { metafile } = await build({ entryPoints: [join(folder, "app.js")], ...options });
    const inputs = Object.keys(metafile.inputs);
    assert.ok(inputs.some((name) => name.endsWith("entry.js")), inputs.join());
    assert.deepEqual(inputs.filter((name) => name.includes("react")), [], platform);
  }
});

const TYPES = {
  compilerOptions: {
    strict: true, exactOptionalPropertyTypes: true, noEmit: true, target: "es2022", lib: ["es2022", "dom"], types: [],
    module: "esnext", moduleResolution: "bundler", jsx: "react-jsx",
  },
  files: ["app.tsx"],
};
const TYPED = `import type { ReactElement } from "react";
import { createClient, type Client, type QuoteRequest, type Trade, type UnreadableTrade, type WalletBinding } from "verified-swap";
import { createClient as createInlined } from "verified-swap/inline";
import { VerifiedSwapProvider, useOrders, useQuote, useTrade, useTrades, useVerifiedSwap } from "verified-swap/react";

const options = { baseUrl: "https://service.example" };
export function providers(client: Client | undefined, wallet: WalletBinding | null): ReactElement[] {
  return [
    <VerifiedSwapProvider options={options} wallet={wallet}><p>text</p></VerifiedSwapProvider>,
    <VerifiedSwapProvider options={options} createClient={createInlined} />,
    <VerifiedSwapProvider client={client} wallet={undefined} />,
    <VerifiedSwapProvider client={createClient(options)} />,
    // @ts-expect-error: neither a client nor options
    <VerifiedSwapProvider wallet={wallet} />,
    // @ts-expect-error: both
    <VerifiedSwapProvider client={client} options={options} />,
  ];
}
export function Form({ request }: { request: QuoteRequest | null }): ReactElement | null {
  const { client, error, retry } = useVerifiedSwap();
  const { quote, isFetching, isStale, paused, refresh } = useQuote(request);
  const { trade, state, review, reset } = useTrade();
  const account = quote?.request.account;
  const { orders, hasMore, fetchMore } = useOrders(account && { account, status: "ACTIVE" });
  const { trades, unfinished, resume } = useTrades({ open: true });
  const first: Trade | UnreadableTrade | undefined = unfinished[0] ?? trades[0];
  // @ts-expect-error: a review is state here
  const wrong = () => quote && trade(quote, { slippageBps: 50, onReview: () => true });
  // @ts-expect-error: slippage has no silent default
  const silent = () => quote && trade(quote, {});
  // @ts-expect-error: whose orders
  useOrders({ status: "ACTIVE" });
  if (!client) return <button onClick={retry}>{error?.code}</button>;
  if (review) {
    const { sentence, confirm, decline } = review;
    return <dialog open><p>{sentence}</p><button onClick={confirm}>Sign</button><button onClick={decline}>No</button></dialog>;
  }
  const start = async () => quote && (await trade(quote, { slippageBps: 50, permit: "whenPossible" })).order.status;
  return <form onSubmit={start} onReset={reset}>
    {[state?.message, isFetching, isStale, paused, orders.length, hasMore, first?.id].join()}
    <button onClick={refresh} /><button onClick={fetchMore} /><button onClick={() => resume()} />{[wrong, silent].length}
  </form>;
}
`;
