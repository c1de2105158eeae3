/** The first page: every recorded payload is judged by the checks alone, and the score counts what ran. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "../package/locations.mjs";
import { opened } from "./site.mjs";

const { vectors } = JSON.parse(readFileSync(join(ROOT, "pkg-template/vectors.json"), "utf8"));
const of = (verdict) => vectors.filter(({ expected }) => expected.verdict === verdict);

async function judged(page) {
  await page.locator("#lie:enabled").click();
  await page.getByRole("button", { name: "Again" }).and(page.locator(":enabled")).waitFor();
  return page.locator("#score").innerText();
}

test("each lie is refused with the line that differs, each honest payload passes or asks", async () => {
  const { page, close } = await opened("index.html");
  assert.equal(await judged(page), `${of("refused").length} lies. 0 prompts.`);
  const rows = await page.locator(".results > li").evaluateAll((nodes) =>
    nodes.map((node) => ({ word: node.querySelector("summary strong").textContent, field: node.querySelector(".difference > code")?.textContent, sides: node.querySelectorAll(".difference dd").length })),
  );
  const count = (word) => rows.filter((row) => row.word === word).length;
  assert.deepEqual([count("refused"), count("says what was asked"), count("asks you first")], [of("refused"), of("ok"), of("question")].map(({ length }) => length));
  assert.equal(rows.length, vectors.length);
  const refused = rows.filter(({ word }) => word === "refused");
  assert.ok(refused.every(({ sides }) => sides === 2));
  assert.deepEqual(refused.map(({ field }) => field).sort(), of("refused").map(({ expected }) => expected.field).sort());
  const last = page.locator(".results details").last();
  await last.locator("summary").click();
  // Its report.
  await last.locator("tbody tr").nth(5).waitFor();
  await close();
});

test("a lie that passes is counted as a prompt", async () => {
  const { page, context, goto, close } = await opened("paste.html");
  await context.route(/\/vectors-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    const text = (await response.text()).replace(/verdict:(.)ok\1/, "verdict:`refused`,code:`VERIFY_MISMATCH`");
    await route.fulfill({ response, body: text });
  });
  await goto("index.html");
  assert.equal(await judged(page), `${of("refused").length + 1} lies. 1 prompt.`);
  assert.match(await page.locator("#honest").innerText(), / 1 answer differs from the recorded ones\.$/);
  await close();
});
