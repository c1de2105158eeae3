// The table in docs/coverage.md, and whether what it names is there.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { called, surface } from "../../xtask/node/surface.mjs";

const path = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const text = (name) => readFile(path(name), "utf8");

/** Rows as `{ key, covers, proof }`; `covers` is null where something is left out, and `proof` is then the reason. */
export async function table() {
  let subject;
  return (await text("docs/coverage.md")).split("\n").flatMap((line) => {
    subject = /^## (.*)$/.exec(line)?.[1] ?? subject;
    const row = /^\| (call|query|body|member|rule) \| (?:`([^`]*)`)? ?\| (.*) \| (.*?) ?\|$/.exec(line);
    if (!row) return [];
    const [, kind, name = "", covered, proof] = row;
    return [{ key: [subject, kind, name].join(" "), covers: /^`([\w.]+)`$/.exec(covered)?.[1] ?? null, proof }];
  });
}

/** The published names: the client's calls, with their groups, and the functions. */
export function published() {
  return new Set(called(surface(path("")).get("index")).map(({ name }) => name));
}

/** Whether a proof is there: `` `file` "name" `` of a test, in JavaScript words of its title. */
export async function exists(proof) {
  const [, file, words] = /^`([^`]+)` "([^"]+)"$/.exec(proof) ?? [];
  if (file === undefined) return false;
  const lines = (await text(file).catch(() => "")).split("\n");
  return lines.some((line) => (file.endsWith(".rs") ? line.includes(`fn ${words}(`) : line.includes("test(") && line.includes(words)));
}
