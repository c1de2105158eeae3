/* The stage above the form: what stands on it is what the review, or the refusal's own report, has. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, sandbox } from "./rig.mjs";
import { SwapPage } from "./swap-page.mjs";

const MOVES = { reducedMotion: "no-preference" };

/** The stage's step, its lines as `[name, asked, built]`, its count of checks and of prompts. */
const staged = ({ page }) =>
  page.locator("#scene").evaluate((scene) => ({
    step: scene.dataset.step,
    lines: [...scene.querySelectorAll(".line")].map((line) =>
      [...line.querySelectorAll("span:first-child, b")].map((node) => node.textContent),
    ),
    ticks: scene.querySelectorAll(".ticks > i").length,
    failed: scene.querySelectorAll(".ticks > .failed").length,
    score: scene.querySelector(".score").textContent,
    prompts: scene.querySelector(".prompts").textContent,
    lit: scene.dataset.prompts !== "0",
  }));
const announced = ({ page }) => page.locator("#stage-says").textContent();
/** Every animation of the stage is over. */
const still = ({ page }) =>
  page.waitForFunction(() =>
    document.getAnimations().every(({ effect, playState }) => !effect.target.closest("#scene") || playState === "finished"),
  );
/** Where card, leaves and ticks are at the end, in pixels. */
const places = ({ page }) =>
  page.locator("#scene").evaluate((scene) =>
    [".order", ".ticks", ".cover", ".purse"]
      .map((one) => scene.querySelector(one).getBoundingClientRect())
      .map(({ x, y }) => [x, y].map(Math.round)),
  );
const transforms = ({ page }) =>
  page.locator(".door").evaluate((door) => ["::before", "::after"].map((leaf) => getComputedStyle(door, leaf).transform !== "none"));

/** Picks a lie by its button, and waits for the refusal. */
async function lie({ page }, name) {
  await page.locator(`[data-lie=${name}]`).click();
  await page.locator("#lie-outcome[data-step=stopped]").waitFor();
}

test("an honest swap: the review's own figures, as many ticks as checks, every prompt counted", async () => {
  const swap = await SwapPage.open(browser, sandbox, MOVES);
  await swap.review();
  const { step, lines, ticks, failed, score, prompts, lit } = await staged(swap);
  assert.deepEqual([step, failed, prompts, lit], ["passed", 0, "0 prompts", false]);
  assert.deepEqual(lines.map(([name]) => name), ["Pay", "Get ≥", "To", "Until"]);
  for (const [at, fact] of ["You pay", "You get at least", "To", "Until"].entries()) {
    const shown = (await swap.figure(fact).textContent()).replaceAll(/\s+/g, " ");
    assert.ok(shown.includes(lines[at][1].replaceAll(/\s+/g, " ")), `${fact}: ${shown}, not ${lines[at][1]}`);
  }
  const [passed, all] = (await swap.card.getByText(/^\d+ of \d+ checks passed/).textContent()).match(/\d+/g).map(Number);
  assert.deepEqual([ticks, score], [all, `${passed} of ${all} ✓`]);
  assert.equal(await announced(swap), `The order is as you asked: ${all} checks passed.`);
  await still(swap);

  await swap.main.click();
  await swap.prompt.waitFor();
  const open = await staged(swap);
  assert.deepEqual([open.prompts, open.lit], ["1 prompt", true]);
  await swap.approveInWallet();
  await swap.signInWallet();
  const counted = await swap.prompts();
  assert.equal(counted, 2);
  assert.equal((await staged(swap)).prompts, "2 prompts");
});

const LINES = { receiver: "To", minimum: "Get ≥", deadline: "Until", spender: "Contract", token: "Token" };

for (const [name, line] of Object.entries(LINES)) {
  test(`a lie about the ${name}: asked and built are those of the refusal, and the wallet stays dark`, async () => {
    const swap = await SwapPage.open(browser, sandbox, MOVES);
    await lie(swap, name);
    const { step, lines, ticks, failed, score, prompts, lit } = await staged(swap);
    assert.deepEqual([step, prompts, lit], ["stopped", "0 prompts", false]);
    const changed = lines.filter((values) => values.length === 3);
    assert.deepEqual(changed.map(([one]) => one), [line], "one line differs");
    const [[, asked, built]] = changed;
    assert.notEqual(asked, built);
    const says = await announced(swap);
    assert.equal(says, `Stopped. ${line}: expected ${asked}, built ${built}. Your wallet: 0 prompts.`);

    if (name === "spender") await swap.main.click();
    await swap.heading("Not what you asked for").waitFor();
    const [askedThere, builtThere] = await swap.card.locator("tr.differs td").allTextContents();
    assert.match(askedThere, short(asked));
    assert.match(builtThere, short(built));
    const [bad, all] = (await swap.card.getByText(/^\d+ of \d+ checks failed/).textContent()).match(/\d+/g).map(Number);
    assert.deepEqual([ticks, failed, score], [all, bad, `${bad} of ${all} ✗`]);
    assert.equal(await swap.prompts(), 0);
    await still(swap);
  });
}

/** A pattern of a text in which addresses may be in full. */
function short(text) {
  const literal = text.replace(/^You, /, "").replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(literal.replaceAll("…", String.raw`[\w…]*`));
}

test("without motion the stage is at once as it is with motion at the end", async () => {
  const seen = [];
  for (const reducedMotion of ["no-preference", "reduce"]) {
    await sandbox.reset();
    const swap = await SwapPage.open(browser, sandbox, { reducedMotion });
    const ends = [];
    for (const what of ["honest", "lie"]) {
      if (what === "honest") await swap.review();
      else await lie(swap, "receiver");
      if (reducedMotion === "reduce") assert.equal(await moving(swap), 0, "nothing moves");
      else await still(swap);
      ends.push([await places(swap), await transforms(swap)]);
    }
    assert.deepEqual(ends.map(([, open]) => open), [[true, true], [false, false]]);
    seen.push(ends);
  }
  assert.deepEqual(seen[1], seen[0]);
});

const moving = ({ page }) => page.evaluate(() => document.getAnimations().filter(({ effect }) => effect.target.closest("#scene")).length);

test("only transform and opacity move", async () => {
  const swap = await SwapPage.open(browser, sandbox, MOVES);
  const names = () =>
    swap.page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ effect }) => effect.target.closest("#scene"))
        .flatMap(({ effect }) => effect.getKeyframes().flatMap((frame) => Object.keys(frame))),
    );
  await swap.review();
  const moved = await names();
  await lie(swap, "receiver");
  moved.push(...(await names()));
  assert.ok(moved.includes("transform") && moved.includes("opacity"));
  const others = moved.filter((name) => !["transform", "opacity", "offset", "computedOffset", "easing", "composite"].includes(name));
  assert.deepEqual([...new Set(others)], []);
});
