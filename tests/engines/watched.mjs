import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const HEAD = "<head>";

/** Copies the built page to `folder` and has the copy run watched.js before anything else. */
export async function watchedCopy(page, folder) {
  await cp(page, folder, { recursive: true });
  await cp(new URL("watched.js", import.meta.url), join(folder, "watched.js"));
  const index = join(folder, "index.html");
  const html = await readFile(index, "utf8");
  if (!html.includes(HEAD)) throw new Error(`${index} has no ${HEAD}`);
  await writeFile(index, html.replace(HEAD, `${HEAD}<script src="./watched.js"></script>`));
  // A compressed file in its place would be the page without the watch.
  await rm(`${index}.br`, { force: true });
}
