import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { assertFits, violationsOf } from "../accessible.mjs";
import { openPage } from "../browser.mjs";
import { browser, sandbox } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

const SOURCE = fileURLToPath(new URL("../../../www-example/src", import.meta.url));

/** What of the package asks nobody. */
const PURE = /^(?:type .*|[A-Z_]+|formatUnits|parseUnits|parseAddress|isAddress|normalizeToken|minReceived|maxSpent|twapSchedule|isTerminal|isTradeError|summarizeOrder|summarizeOtcOrder|rawQuote|hashTypedData)$/;

test("each file that calls the package is on the page that says how this one is built, in its own words", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.page.getByRole("contentinfo").getByRole("link", { name: "How this page is built" }).click();
  await swap.heading("How this page is built").waitFor();
  const shown = await swap.page.locator("li.card").evaluateAll((cards) =>
    cards.map((card) => [card.querySelector("h2").textContent, card.querySelector("p").textContent, card.querySelector("code").textContent]),
  );
  const files = (await readdir(join(SOURCE, "client"))).map((file) => `client/${file}`);
  assert.deepEqual(shown.map(([name]) => name).sort(), files.sort());
  for (const [name, sentence, code] of shown) {
    assert.match(sentence, /^[A-Z].{20,}/, `${name} says at its top what it is`);
    assert.equal(code, await readFile(join(SOURCE, name), "utf8"));
  }
  await swap.page.getByRole("link", { name: "Back to the swap" }).click();
  await swap.priced();
  await swap.close();
});

test("the page about the page is accessible, and fits a phone", async () => {
  const opened = await openPage(browser, { viewport: { width: 320, height: 640 } });
  await opened.page.goto(new URL("/built.html", sandbox.url).href);
  await opened.page.locator("summary").first().click();
  assert.deepEqual(await violationsOf(opened.page), []);
  await assertFits(opened.page, "how it is built");
  await opened.close();
});

test("only the client's folder calls the package: what is seen uses its pure functions and types", async () => {
  const entries = await readdir(SOURCE, { recursive: true });
  const seen = entries.filter((file) => /^(view|state|messages|built)\/.*\.tsx?$/.test(file));
  assert.ok(seen.length > 30);
  for (const file of seen) {
    const text = await readFile(join(SOURCE, file), "utf8");
    for (const [, isType, names] of text.matchAll(/^import (type )?\{([^}]*)\} from "verified-swap[^"]*"/gm)) {
      const values = isType ? [] : names.split(",").map((name) => name.trim()).filter(Boolean);
      assert.deepEqual(values.filter((name) => !PURE.test(name)), [], `${file} only computes`);
    }
    for (const [, isType, names] of text.matchAll(/^import (type )?\{([^}]*)\} from "[./]+client\/[^"]*"/gm))
      assert.ok(isType || !/\b(create|start)[A-Z]/.test(names), `${file} makes no part of the client`);
  }
});
