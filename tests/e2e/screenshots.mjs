import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { startBrowser } from "./browser.mjs";
import { record } from "./recording.mjs";
import { startSandbox } from "./sandbox.mjs";
import { SwapPage } from "./swap-page.mjs";

/* Makes the README's pictures, in docs or in the folder named: what is about to be signed; and how it is checked, in 15 seconds. */

const folder = process.argv[2] ?? fileURLToPath(new URL("../../docs", import.meta.url));
const picture = { viewport: { width: 1200, height: 860 }, deviceScaleFactor: 1 };

const [sandbox, browser] = await Promise.all([startSandbox(), startBrowser()]);
try {
  await mkdir(folder, { recursive: true });
  const account = await sandbox.nextAccount();

  const honest = await SwapPage.open(browser, sandbox, { ...picture, account });
  await honest.review();
  await honest.page.screenshot({ path: `${folder}/review.png` });
  await honest.close();
  console.log(`review.png in ${folder} is new.`);

  const { ms, size } = await record(browser, sandbox, `${folder}/swap.webp`);
  console.log(`swap.webp is new: ${ms / 1_000} s, ${size} bytes.`);
} finally {
  await browser.close();
  await sandbox.stop();
}
