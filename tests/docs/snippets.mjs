/** The documentation's snippets: every fenced block of TypeScript or JavaScript that a user may copy. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../package/locations.mjs";

const within = (folder) => readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(".md")).map((name) => `${folder}/${name}`);
export const PAGES = ["README.md", "pkg-template/README.md", ...within("docs"), ...within("docs/guides")];

/** Declarations of names that the text around a snippet explains, in a comment before it; then the snippet itself. */
const FENCE = /^(?:<!-- given: ([^]*?) -->\n+)?(```+)(tsx?|jsx?)\b(.*)\n([^]*?)^\2$/gm;

/** `{ page, line, language, runs, code, given }` of each. Marked `run`, a snippet is run against the sandbox, too. */
export function snippets() {
  return PAGES.flatMap((page) => {
    const text = readFileSync(join(ROOT, page), "utf8");
    return [...text.matchAll(FENCE)].map(({ index, 0: all, 1: given = "", 3: language, 4: words, 5: code }) => {
      const line = text.slice(0, index + all.indexOf("```")).split("\n").length;
      return { page, line, language, runs: words.split(/\s+/).includes("run"), code, given: given.replaceAll("\n", " ") };
    });
  });
}
