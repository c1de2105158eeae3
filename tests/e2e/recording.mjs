import sharp from "sharp";
import { SwapPage } from "./swap-page.mjs";

/* The README's recording, without sound: an honest swap, a lie, its refusal. Each frame is the page's own at that moment of its
   own animation, whatever the machine does meanwhile. */

const view = { viewport: { width: 1120, height: 880 }, deviceScaleFactor: 1, reducedMotion: "no-preference" };
const WIDTH = 960;
const FRAME_MS = 50;
/** The stage's way from its first frame to its last. */
const WAY_MS = 1_050;
/** How long each thing is looked at. */
const LOOK_MS = { form: 1_300, checked: 1_500, prompt: 1_700, settled: 2_000, chosen: 500, refused: 5_900 };

/** Writes the recording to `path`; answers with its length in ms and its size in bytes. */
export async function record(browser, sandbox, path) {
  const account = await sandbox.nextAccount();
  // One prompt: the approval was given before.
  await sandbox.approve(account, sandbox.token("USDC"), 10n ** 12n);
  const swap = await SwapPage.open(browser, sandbox, { ...view, account });
  const [pictures, delay] = [[], []];
  const look = async (ms) => {
    pictures.push(await swap.page.screenshot());
    delay.push(ms);
  };
  await swap.page.evaluate(pauseStage);
  await look(LOOK_MS.form);
  await swap.review();
  await play(swap, look);
  await look(LOOK_MS.checked);
  await swap.main.click();
  await swap.prompt.waitFor();
  await swap.page.evaluate(() => globalThis.moveStage(Infinity));
  await look(LOOK_MS.prompt);
  await swap.prompt.getByRole("button", { name: "Sign" }).click();
  await swap.heading("Settled").waitFor();
  await look(LOOK_MS.settled);
  await swap.page.locator("[data-lie=receiver]").click();
  await swap.page.locator("#lie-outcome[data-step=lying]").waitFor();
  await look(LOOK_MS.chosen);
  await swap.page.locator("#lie-outcome[data-step=stopped]").waitFor();
  await play(swap, look);
  await look(LOOK_MS.refused);
  await swap.close();
  const frames = await Promise.all(pictures.map((picture) => sharp(picture).resize({ width: WIDTH }).png().toBuffer()));
  const { size } = await sharp(frames, { join: { animated: true } }).webp({ quality: 82, effort: 5, loop: 0, delay }).toFile(path);
  return { ms: delay.reduce((sum, ms) => sum + ms, 0), size };
}

async function play({ page }, look) {
  for (let at = 0; at <= WAY_MS; at += FRAME_MS) {
    await page.evaluate((ms) => globalThis.moveStage(ms), at);
    await look(FRAME_MS);
  }
  await page.evaluate(() => globalThis.moveStage(Infinity));
}

/** Runs in the page: whatever begins to move on the stage is held, until it is moved to a time of its own clock. */
function pauseStage() {
  const scene = document.querySelector("#scene");
  const moving = () => document.getAnimations().filter(({ effect }) => effect.target.closest("#scene"));
  new MutationObserver(() => moving().forEach((one) => one.pause())).observe(scene, { childList: true });
  globalThis.moveStage = (ms) =>
    moving().forEach((one) => {
      if (ms === Infinity) one.finish();
      else one.currentTime = ms;
    });
}
