/** The documentation's snippets: every fenced block of TypeScript or JavaScript that a user may copy. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../package/locations.mjs";

const within = (folder) => readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(".md")).map((name) => `${folder}/${name}`);
export const PAGES = ["README.md", "pkg-template/README.md", ...within("docs"), ...within("docs/guides")];

/**
 * Declarations of names that the text around a snippet explains, in a comment before it; then the snippet itself, and what it
 * prints, if that is in the block after it.
 */
const FENCE = /^(?:<!-- given: ([^]*?) -->\n+)?(```+)(tsx?|jsx?|sh)\b(.*)\n([^]*?)^\2$(?:\n+```text printed\n([^]*?)^```$)?/gm;

/**
 * `{ page, line, language, runs, code, given, printed }` of each. Marked `run`, a snippet is run against the sandbox, too. The
 * shell's are here only if marked.
 */
export function snippets() {
  return PAGES.flatMap((page) => {
    const text = readFileSync(join(ROOT, page), "utf8");
    const all = [...text.matchAll(FENCE)].map(({ index, 0: whole, 1: given = "", 3: language, 4: words, 5: code, 6: printed }) => {
      const line = text.slice(0, index + whole.indexOf("```")).split("\n").length;
      return { page, line, language, runs: words.split(/\s+/).includes("run"), code, given: given.replaceAll("\n", " "), printed };
    });
    return all.filter(({ language, runs }) => language !== "sh" || runs);
  });
}
