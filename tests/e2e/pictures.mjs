import assert from "node:assert/strict";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { FAILED_REQUEST, browser, sandbox } from "./rig.mjs";
import { SwapPage } from "./swap-page.mjs";
import { VIEWS } from "./views.mjs";
import { WALKS } from "./walks.mjs";

/* Takes a picture of every state of the page in every view, or in those named, into the folder named first; and a page
   that shows them all. */

const [folder, ...named] = process.argv.slice(2);
assert.ok(folder, "name a folder");
for (const name of named) assert.ok(name in VIEWS, `${name} is none of ${Object.keys(VIEWS).join(", ")}`);
const views = named.length > 0 ? named : Object.keys(VIEWS);

for (const view of views) {
  await rm(join(folder, view), { recursive: true, force: true });
  await mkdir(join(folder, view), { recursive: true });
  for (const { name, visit } of WALKS) {
    test(`${view}: ${name}`, async () => {
      const swap = await SwapPage.open(browser, sandbox, { ...VIEWS[view], expected: FAILED_REQUEST });
      await visit(swap, (state) =>
        swap.page.screenshot({ path: join(folder, view, `${name}, ${state}.png`.replaceAll(" ", "-")), fullPage: true }),
      );
      await swap.close();
    });
  }
}

after(async () => {
  const figure = (view, file) =>
    `<figure><a href="${view}/${file}"><img loading="lazy" src="${view}/${file}" alt=""></a><figcaption>${file}</figcaption></figure>`;
  const sections = await Promise.all(
    views.map(async (view) => {
      const files = (await readdir(join(folder, view))).sort();
      console.log(`${view}: ${files.length} pictures`);
      return `<h2>${view}</h2><div>${files.map((file) => figure(view, file)).join("")}</div>`;
    }),
  );
  const style = "div{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;width:18rem}img{max-width:100%;border:1px solid #999}";
  await writeFile(join(folder, "index.html"), `<!doctype html><meta charset="utf-8"><title>Every state</title><style>${style}</style>${sections.join("")}`);
});
