// node make.mjs [OUT]
//
// The documentation as static pages, a part of the site: the API from the package's declarations, and every page of docs/
// and docs/guides/. Nothing in it asks another server, the search neither.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { POLICY } from "../../../www-site/policy.mjs";
import { ENTRIES } from "../declarations.mjs";
import { PACKAGES } from "./packages.mjs";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const PACKAGE = join(ROOT, "target/pkg");
const OUT = process.argv[2] ?? join(ROOT, "target/site/docs");

/** The guides for users, in this order. All other pages of docs/ are about how it is made. */
const GUIDES = [
  "quick-start", "ways-to-trade", "security-model", "react", "viem", "wagmi", "ethers", "next", "cloudflare", "server", "wallet-kinds", "csp",
  "errors-to-users", "testing", "migration", "verify-wallet", "guard", "verify-cosigner", "verify-sdk", "verify-rust", "out-of-scope",
];
const REFERENCE = ["api", "errors", "loading", "bundlers", "wallets", "verification", "references", "spenders", "cli", "explain", "doors", "sandbox", "benchmarks"];

const there = (folder) => readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(".md")).map((name) => name.slice(0, -3));
const known = (folder, names) => names.filter((name) => there(folder).includes(name)).map((name) => `${folder}/${name}`);
const others = (folder, names) => there(folder).filter((name) => !names.includes(name)).sort().map((name) => `${folder}/${name}`);
const groups = {
  Guides: [...known("docs/guides", GUIDES), ...others("docs/guides", GUIDES)],
  Examples: readdirSync(join(ROOT, "examples")).sort().map((name) => `examples/${name}/README`),
  Reference: known("docs", REFERENCE),
  "How it is made": [...others("docs", REFERENCE), ...known(".", ["CHANGELOG", "SECURITY", "CONTRIBUTING"]).map((name) => name.slice(2))],
};

/** Entries by where their declarations are; not those that pass on another's. */
const entries = new Map();
for (const [path, target] of Object.entries(JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")).exports)) {
  const types = /[\w.-]+(?=\.d\.ts")/.exec(JSON.stringify(target))?.[0];
  if (!types || entries.has(types) || readFileSync(join(PACKAGE, `${types}.d.ts`), "utf8").startsWith("export *")) continue;
  entries.set(types, path.replace(".", "verified-swap"));
}
const entryPoints = [...entries.keys()].map((name) => join(PACKAGE, `${name}.d.ts`));

const { resolve } = createRequire(join(PACKAGES, "package.json"));
const load = async (name) => import(pathToFileURL(resolve(name)).href);
const { Application, Converter, IndexEvent, JSX, KindRouter, PageEvent, ReflectionKind } = await load("typedoc");
const { ModuleKind, ModuleResolutionKind, ScriptTarget } = (await load("typescript")).default;

const app = await Application.bootstrap({
  name: "verified-swap",
  includeVersion: true,
  entryPoints,
  readme: join(ROOT, "README.md"),
  projectDocuments: Object.values(groups).flat().map((name) => join(ROOT, `${name}.md`)),
  out: OUT,
  router: "pages",
  navigation: { includeGroups: true },
  groupOrder: [...Object.keys(groups), "*"],
  sort: ["source-order"],
  searchInComments: true,
  searchInDocuments: true,
  // Words before names, which are many: a name that is written in full is found first all the same.
  searchGroupBoosts: { Guides: 40, Examples: 10, Reference: 10 },
  highlightLanguages: ["bash", "css", "html", "http", "javascript", "json", "jsonc", "rust", "toml", "tsx", "typescript", "yaml"],
  disableSources: true,
  hideGenerator: true,
  visibilityFilters: {},
  includeHierarchySummary: false,
  customCss: fileURLToPath(new URL("style.css", import.meta.url)),
  validation: { notExported: false, invalidLink: true, invalidPath: true },
  treatWarningsAsErrors: true,
  treatValidationWarningsAsErrors: true,
});
const compilerOptions = {
  strict: true,
  target: ScriptTarget.ES2022,
  module: ModuleKind.ESNext,
  moduleResolution: ModuleResolutionKind.Bundler,
  lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
  typeRoots: [join(PACKAGES, "node_modules/@types")],
  types: ["node"],
  paths: { react: [join(PACKAGES, "node_modules/@types/react")] },
  skipLibCheck: true,
};
app.options.setCompilerOptions(entryPoints, compilerOptions, []);

// A page is called by its heading, and lies where it lies in the repository; those of docs/ at the top.
const places = new Map();
app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, page) => {
  places.set(page, page.name);
  page.frontmatter.group = Object.keys(groups).find((group) => groups[group].includes(page.name));
  page.name = /^# (.+)$/m.exec(page.content[0].text)[1];
});
app.renderer.defineRouter("pages", class extends KindRouter {
  getIdealBaseName(page) {
    return places.get(page)?.replace(/^docs\//, "") ?? super.getIdealBaseName(page);
  }
});
// A page is found by its headings. They weigh more than a name, as what is long counts for less.
app.renderer.on(IndexEvent.PREPARE_INDEX, ({ searchResults, searchFields, searchFieldWeights }) => {
  searchFieldWeights.headings = 10 * searchFieldWeights.name;
  for (const [index, page] of searchResults.entries()) {
    if (!page.isDocument()) continue;
    const text = page.content.map((part) => part.text).join("");
    searchFields[index].headings = [...text.matchAll(/^##+ (.+)$/gm)].map(([, heading]) => heading).join(" ");
  }
});
app.renderer.hooks.on("head.begin", () => [
  JSX.createElement("meta", { "http-equiv": "Content-Security-Policy", content: POLICY }),
  // Without an icon of its own a page asks for one at the top of its host.
  JSX.createElement("link", { rel: "icon", href: "data:," }),
]);
// The policy forbids scripts and styles in a page. The guides are open in the navigation on the first visit.
const START = "assets/start.js";
let start = 'localStorage["tsd-accordion-Guides"] ??= "true";\n';
app.renderer.on(PageEvent.END, (page) => {
  const [, base] = /data-base="([^"]*)"/.exec(page.contents);
  page.contents = page.contents
    .replace(/<script>([^<]*)<\/script>/g, (_, code) => {
      if (!start.includes(code)) start += code;
      return `<script src="${base}${START}"></script>`;
    })
    // A screen reader goes to the page's own part, and the keyboard to what scrolls.
    .replace('class="col-content"', 'class="col-content" role="main"')
    .replaceAll("<table>", '<table tabindex="0">')
    .replace(/ style="text-align:(\w+)"/g, ' class="$1"')
    .replace('<div id="tsd-toolbar-links">', `<div id="tsd-toolbar-links"><a href="${base}../index.html">Site</a><a href="${base}../paste.html">Paste box</a>`);
});
// An entry is called as it is imported, and links to its declarations lead to it.
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
  for (const entry of project.getChildrenByKind(ReflectionKind.Module)) {
    project.files.registerReflectionPath(join(ROOT, `pkg-template/src/${ENTRIES[entry.name]}.ts`), entry);
    entry.name = entries.get(entry.name);
  }
});

const project = await app.convert();
if (project) {
  await app.generateOutputs(project);
  writeFileSync(join(OUT, START), start);
  // The styles of the filters, of which there are none.
  const main = join(OUT, "assets/main.js");
  const script = readFileSync(main, "utf8");
  const styled = 'document.head.appendChild(document.createElement("style"))';
  if (!script.includes(styled)) throw new Error("TypeDoc's script has changed: see which styles it adds to a page.");
  writeFileSync(main, script.replace(styled, 'document.createElement("style")'));
}
if (!project || app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1;
