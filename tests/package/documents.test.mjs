/** The texts in the tarball: their links lead somewhere, and their statements on checksums hold. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { before, test } from "node:test";
import { relinked } from "../../xtask/node/documents.mjs";
import { freshApp, run } from "./app.mjs";
import { MODULES, ROOT } from "./locations.mjs";

let app;
let folder;
before(async () => {
  app = await freshApp("documents");
  folder = join(app, "node_modules/verified-swap");
});

/** Without what is code. */
const prose = (file) => readFileSync(file, "utf8").replace(/^ *```[^]*?^ *```/gm, "").replace(/`[^`\n]*`/g, "code");
/** As GitHub makes them of headings. */
const anchors = (file) => [...readFileSync(file, "utf8").replace(/^```[^]*?^```/gm, "").matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading.toLowerCase().replace(/[^\w\s-]/g, "").replaceAll(" ", "-"));

test("every link leads to a file of the package and to a heading of it, or elsewhere with its whole address", () => {
  const texts = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".md")).map((name) => join(folder, name));
  assert.ok(texts.length > 8, texts.join());
  let followed = 0;
  for (const text of texts) {
    for (const [, target] of prose(text).matchAll(/\]\(([^()\s]+)\)|\b(?:href|src)="([^"]+)"/g)) {
      if (/^https:\/\//.test(target)) continue;
      const [path, anchor] = target.split("#");
      const file = path ? join(dirname(text), path) : text;
      const told = `${relative(folder, text)} links ${target}`;
      assert.ok(!relative(folder, file).startsWith("..") && existsSync(file), told);
      // A registry shows the README with the repository's files behind its links.
      if (text === join(folder, "README.md")) assert.ok(existsSync(join(ROOT, path)), told);
      if (anchor) assert.ok(anchors(file).includes(anchor), told);
      followed++;
    }
  }
  assert.ok(followed > 20, `${followed} links`);
});

test("every guide is linked by the README, and so shipped", () => {
  const guides = (top) => readdirSync(join(top, "docs/guides")).filter((name) => name.endsWith(".md")).sort();
  assert.deepEqual(guides(folder), guides(ROOT));
});

test("a link to what is not shipped leads to the repository, and is its words where there is none", () => {
  const isShipped = (path) => ["docs/a.md", "pkg-template/src/types.ts"].includes(path);
  const text = "[a](a.md#x) [`t`](../pkg-template/src/types.ts) [b](b.md#y) ![c `d`](c.png) [e](https://e.example) [f](#g) `[h](i)`\n```\nj[k](l)\n```\n";
  const as = (at) => relinked(text, "docs/own.md", { isShipped, at });
  const same = " [e](https://e.example) [f](#g) `[h](i)`\n```\nj[k](l)\n```\n";
  assert.equal(as(null), `[a](a.md#x) [\`t\`](../index.d.ts) b c \`d\`${same}`);
  assert.equal(as("https://r.example/at"), `[a](a.md#x) [\`t\`](../index.d.ts) [b](https://r.example/at/docs/b.md#y) ![c \`d\`](https://r.example/at/docs/c.png)${same}`);
});

test("the documented commands tell the checksum of the module, of the inlined one, too", async () => {
  const digestOf = (name) => createHash("sha256").update(readFileSync(join(folder, name))).digest("hex");
  const whole = digestOf("verified_swap_bg.wasm");
  const commands = [...readFileSync(join(ROOT, "SECURITY.md"), "utf8").matchAll(/^```sh\n([^]*?)^```/gm)].map(([, command]) => command);
  assert.equal(commands.length, 2);
  const [files, inlined] = await Promise.all(commands.map((command) => run(app, "sh", ["-c", command])));
  // In the order of their names, with verified-swap/verify's last.
  assert.deepEqual(files.stdout.match(/^\w+/gm), [whole, ...MODULES.toSorted().map(digestOf), digestOf("verified_swap_verify.wasm")]);
  assert.equal(inlined.stdout.split(" ")[0], whole);
});

test("the changelog has the form of Keep a Changelog, the newest version first", () => {
  const sections = readFileSync(join(folder, "CHANGELOG.md"), "utf8").split(/^## /m).slice(1);
  assert.match(sections[0], /^\[Unreleased\]\n/);
  for (const section of sections.slice(1)) assert.match(section, /^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d\n/);
  const dates = sections.slice(1).map((section) => section.split("\n", 1)[0].slice(-10));
  assert.deepEqual(dates, [...dates].sort().reverse());
  for (const section of sections) {
    const kinds = [...section.matchAll(/^### (.*)$/gm)].map(([, kind]) => kind);
    assert.deepEqual(kinds, ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"].filter((kind) => kinds.includes(kind)));
  }
});
