/** examples/review-components: type-checked with the page's options, and shown in Chromium by React and by Preact. */
import assert from "node:assert/strict";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { run } from "../../package/app.mjs";
import { ROOT } from "../../package/locations.mjs";
import { serve, startBrowser } from "../../package/page.mjs";
import { copyOf } from "../example.mjs";

const LIBRARIES = { react: "tsconfig.json", preact: "tsconfig.preact.json" };
const [ME, STRANGER, SPENDER] = ["11", "22", "33"].map((byte) => `0x${byte.repeat(20)}`);
const [USDC, DAI, OTHER] = ["aa", "bb", "cc"].map((byte) => `0x${byte.repeat(20)}`);
const IMG = `<img src="x" onerror="window.isHit = true">`;

/** Shows one component at a time, with what it is given as JSON; what it answers is kept. */
const ENTRY = `
import "./src/review.css";
import { createRoot } from "react-dom/client";
import * as components from "./src/index";
const root = createRoot(document.querySelector("main")!);
const answers: unknown[] = [];
const show = (name: keyof typeof components, request: any, props: object) => {
  const [Shown, reader] = [components[name] as any, components.createReader({ request, locales: "en" })];
  root.render(<Shown {...props} reader={reader} onAnswer={(answer: unknown) => answers.push(answer)} />);
};
Object.assign(window, { show, answers });
`;
const REQUEST = {
  chainId: 1, account: ME,
  srcToken: USDC, srcSymbol: "USDC", srcDecimals: 6,
  destToken: DAI, destSymbol: "DAI", destDecimals: 18,
};

let folder, browser, server;
before(async () => {
  folder = await copyOf("review-components");
  symlinkSync(join(ROOT, "node_modules/preact"), join(folder, "node_modules/preact"));
  writeFileSync(join(folder, "entry.tsx"), ENTRY);
  for (const [library, tsconfig] of Object.entries(LIBRARIES)) {
    await build({
      entryPoints: [join(folder, "entry.tsx")],
      outfile: join(folder, `${library}.js`),
      bundle: true,
      format: "esm",
      define: { "process.env.NODE_ENV": `"development"` },
      tsconfig: join(folder, tsconfig),
      alias: library === "preact" ? { "react-dom/client": "preact/compat/client" } : {},
      logLevel: "error",
    });
    const page = `<!doctype html><link rel="icon" href="data:,"><link rel="stylesheet" href="${library}.css"><main></main><script type="module" src="${library}.js"></script>`;
    writeFileSync(join(folder, `${library}.html`), page);
  }
  [browser, server] = await Promise.all([startBrowser(), serve(folder)]);
});
after(() => Promise.all([browser?.close(), server?.stop()]));

const check = (field, expected, actual, verdict) => ({ field, expected, actual, verdict });
const CHECKS = [
  check("order.owner", ME, ME, "ok"),
  check("order.beneficiary", ME, STRANGER, "mismatch"),
  check("order.srcAmount", "250000000", "250000000", "ok"),
  check("quote.price", "within 1 % of the references", "3 % below", "unusual"),
  check("order.feeBps", "at most 0", "0", "ok"),
  check("order.partnerAndFee", "", "123", "opaque"),
  check("order.metadata", "", "0x", "unknown"),
  // A list may have two of one name.
  check("order.metadata", "", "0x", "unknown"),
];
const report = { checks: CHECKS, questions: [], hardware: null };
const question = (id, text) => ({ id, reason: "noReference", field: "quote.price", text });
const prompt = (own) => ({
  purpose: "order", verdict: "ok", sentence: "Sell 250 USDC", parts: [{ sentence: "Sell 250 USDC", from: ME }],
  questions: [], isRepeated: false, findings: [], digests: {}, hardware: null, ...own,
});

test("the types hold with the page's options", async () => {
  await run(folder, "node", [join(ROOT, "node_modules/typescript/bin/tsc"), "--project", "tsconfig.preact.json"]);
});

for (const library of Object.keys(LIBRARIES)) {
  const open = async (t, width = 390) => {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const complaints = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    t.after(() => page.close());
    await page.goto(`${server.url}/${library}.html`);
    await page.waitForFunction(() => window.show);
    const show = (name, props) => page.evaluate(([name, request, props]) => window.show(name, request, props), [name, REQUEST, props]);
    const answers = () => page.evaluate(() => window.answers);
    const isNarrow = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    return { page, show, answers, complaints, isNarrow };
  };

  test(`the worst of a report first, and what is not judged said: ${library}`, async (t) => {
    const { page, show, complaints, isNarrow } = await open(t);
    await show("CheckGroups", { report });
    const groups = page.locator(".vs-group");
    await groups.first().waitFor();
    const names = await page.locator(".vs-group-name").evaluateAll((all) => all.map(({ textContent }) => textContent));
    assert.deepEqual(names, ["Who, differs", "How much, unusual", "Contract, not judged", "Cost, as asked1 not judged"]);
    assert.deepEqual(await groups.evaluateAll((all) => all.map(({ open }) => open)), [true, true, true, false]);
    assert.equal(await page.locator(".vs-check").count(), CHECKS.length, "no check is dropped");
    assert.match(await groups.first().locator(".vs-pair.mismatch").textContent(), /You asked: You, 0x1111…1111; .*: 0x2222…2222$/);
    assert.equal(await groups.nth(2).locator(".vs-unjudged").first().textContent(), "not judged");
    assert.doesNotMatch(await groups.nth(2).textContent(), /asked/i, "nothing was asked about it");
    assert.equal(await groups.nth(2).locator(".vs-check-verdict").first().textContent(), "Not judged: data is missing");
    assert.ok(await isNarrow());
    // By the width of its place, not of the window.
    const columns = () => page.locator(".vs-pair").first().evaluate((pair) => getComputedStyle(pair).gridTemplateColumns.split(" ").length);
    assert.equal(await columns(), 1);
    const label = page.locator(".vs-pair .vs-by:not(.allows)").first();
    const labelled = async () => (await label.boundingBox()).width > 20;
    assert.ok(await labelled());
    await page.setViewportSize({ width: 900, height: 900 });
    assert.equal(await columns(), 2);
    assert.ok(!(await labelled()) && (await page.locator(".vs-groups-head").isVisible()), "the columns say who said it");
    await page.evaluate(() => (document.querySelector("main").style.width = "300px"));
    assert.equal(await columns(), 1);
    assert.deepEqual(complaints, []);
  });

  test(`a refusal with both sides: ${library}`, async (t) => {
    const { page, show, complaints, isNarrow } = await open(t);
    await show("Refusal", { error: { field: "order.beneficiary", expected: ME, actual: STRANGER, report }, prompts: 0 });
    await page.getByRole("heading", { name: "Not what you asked for" }).waitFor();
    assert.deepEqual(await page.locator(".vs-sides dd").allTextContents(), [ME, STRANGER]);
    await page.getByText("Your tokens would go to a stranger: not you, not your wallet.").first().waitFor();
    await page.getByText("0 prompts. Nothing was signed, nothing was sent.").waitFor();
    await page.getByText("1 of 5 checks failed").waitFor();
    const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download it" }).click()]);
    assert.deepEqual(JSON.parse(readFileSync(await saved.path(), "utf8")), { field: "order.beneficiary", expected: ME, actual: STRANGER, ...report });
    assert.ok(await isNarrow());
    const [least, less] = [10n ** 20n, 10n ** 20n - 1n].map(String);
    await show("Refusal", { error: { field: "order.destAmount", expected: `at least ${least}`, actual: less, report } });
    await page.getByText("Your wallet was not opened for this").waitFor();
    assert.deepEqual(await page.locator(".vs-sides dd").allTextContents(), ["at least 100 DAI", "99.999999999999999999 DAI"], "every digit");
    assert.deepEqual(complaints, []);
  });

  test(`a prompt opens only with every question ticked, each prompt by its own: ${library}`, async (t) => {
    const { page, show, answers, complaints } = await open(t);
    const unlimited = { ...question("q2", "take all of it?"), reason: "unlimitedPermit" };
    await show("PromptReview", { prompt: prompt({ questions: [question("q1", "nobody knows a price"), unlimited] }) });
    const agree = page.getByRole("button", { name: "Open the wallet" });
    const ticks = page.getByRole("checkbox");
    await agree.waitFor();
    assert.deepEqual([await ticks.count(), await ticks.first().isChecked(), await agree.isDisabled()], [2, false, true]);
    await page.getByText("Take all of it? I accept that.").waitFor();
    await ticks.first().check();
    assert.ok(await agree.isDisabled(), "one is open");
    await ticks.nth(1).check();
    assert.ok(await agree.isEnabled());
    // The next prompt asks the same, and nobody said yes to it.
    await show("PromptReview", { prompt: prompt({ sentence: "Sell 9 USDC", questions: [question("q1", "nobody knows a price")] }) });
    await page.getByText("Sell 9 USDC").first().waitFor();
    assert.deepEqual([await ticks.first().isChecked(), await agree.isDisabled()], [false, true]);
    await page.getByText("Nobody knows a price. I accept its price.").click();
    await agree.click();
    assert.deepEqual(await answers(), [{ accept: ["q1"] }]);
    assert.ok(await agree.isDisabled(), "it is answered once");
    await show("PromptReview", { prompt: prompt({ sentence: "Sell 8 USDC", isRepeated: true }) });
    await page.getByText("You agreed to this before.").waitFor();
    await page.getByRole("button", { name: "Not now" }).click();
    assert.deepEqual((await answers()).at(-1), false);
    assert.deepEqual(complaints, []);
  });

  test(`who may take how much, and until when: ${library}`, async (t) => {
    const { page, show, complaints } = await open(t);
    const lets = page.locator(".vs-lets");
    const says = async (own, text) => {
      await show("PromptReview", { prompt: prompt(own) });
      await lets.filter({ hasText: text }).waitFor({ timeout: 10_000 });
      assert.equal(await lets.count(), 1);
    };
    const approval = (token, amount, chainId = 1) => ({ parts: [{ sentence: "", from: ME, chainId, approval: { token, spender: SPENDER, amount } }] });
    const permit = (own) => ({ permit: { kind: "eip2612", chainId: 1, token: USDC, owner: ME, spender: SPENDER, amount: "1", deadline: 1_900_000_000, ...own } });
    await says(approval(USDC, "250000001"), `Lets ${SPENDER} take 250.000001 USDC, ${USDC}.`);
    await says(approval(USDC, "250", 10), `take 250 of the smallest units of USDC`);
    await says(approval(OTHER, "250"), `take 250 of the smallest units of ${OTHER}.`);
    await says(approval(USDC, String(2n ** 256n - 1n)), "take all of your USDC");
    await says(approval(USDC, "0"), `Takes back what ${SPENDER} may take`);
    await says(permit({ amount: "2000000" }), /take 2 USDC, .*It can be used until Mar 17, 2030/);
    await says(permit({ amount: String(2n ** 160n - 1n) }), /all of your USDC, .*unlimited\. It can be used until/);
    assert.deepEqual(complaints, []);
  });

  test(`hostile text is text: ${library}`, async (t) => {
    const { page, show, complaints } = await open(t);
    const hostile = check(`order.${IMG}`, IMG, IMG, "unknown");
    const shown = async (name, props) => {
      await show(name, props);
      await page.waitForFunction((text) => document.querySelector("main").textContent.includes(text), IMG);
      assert.equal(await page.locator("img").count(), 0);
    };
    await shown("PromptReview", { prompt: prompt({ sentence: `Sell ${IMG}\u202e`, questions: [question("q", IMG)], findings: [hostile], orderIds: [IMG] }) });
    assert.equal((await page.locator("main").textContent()).split(IMG).length - 1, 5, "sentence, question, check by name and value, id");
    assert.match(await page.locator(".vs-sentence").textContent(), /\\u\{202e\}$/, "nothing turns its direction");
    await shown("CheckGroups", { report: { ...report, checks: [hostile] } });
    await shown("Refusal", { error: { ...hostile, report } });
    assert.equal(await page.evaluate(() => window.isHit), undefined);
    assert.deepEqual(complaints, []);
  });
}
