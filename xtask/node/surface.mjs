// The package's declarations, one line for each name and each member: pkg-template/api.txt, and what tests ask of it.
import { declarations } from "./declarations.mjs";

/** Each entry's names, `{ name, line, words, isHidden }`, in their order. A member's name is `Type.member`. */
export function surface(root) {
  return new Map([...declarations(root)].map(([entry, text]) => [entry, statements(text).flatMap(named)]));
}

/** The report: sorted by name; of one name, in the order in which TypeScript tries them. */
export function report(surface) {
  const sorted = (names) => names.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
  const sections = [...surface].map(([entry, names]) => `## ${entry}\n\n${sorted(names).map(({ line }) => `${line}\n`).join("")}`);
  return `The published surface: one line for each name and member. \`WRITE=1 node --test tests/types/api.test.mjs\` writes it.\n\n${sections.join("\n")}`;
}

function named({ words, text }) {
  const [, exported, kind, name] = /^(export )?(?:declare )?(interface|type|function|const) (\w+)/.exec(text) ?? [];
  if (/^(import |export \{\};)/.test(text)) return [];
  if (!kind || /^export type \{/.test(text)) return [{ name: text, line: inline(text), words, isHidden: true }];
  const isHidden = !exported;
  const line = `${exported ? "" : "hidden "}${inline(text.replace(/^(export )?(declare )?/, ""))}`;
  if (kind !== "interface") return [{ name, line, words, isHidden }];
  const at = text.indexOf("{\n");
  const members = statements(text.slice(at + 2, text.lastIndexOf("}")).replace(/^ {2}/gm, "")).map(({ words, text }) => {
    const [, member] = /^(?:readonly )?(\[[^\]]*\]|\w+)/.exec(text);
    return { name: `${name}.${member}`, line: `${name}.${inline(text)}`, words, isHidden: isHidden || member.startsWith("[") };
  });
  return [{ name, line: line.slice(0, line.indexOf(" {")), words, isHidden }, ...members];
}

/** The declarations, or members, of a text, each with the comment before it. */
function statements(text) {
  const found = [];
  let [words, lines] = ["", []];
  for (const line of text.split("\n")) {
    if (!lines.length && /^(\/\*| \*)/.test(line)) {
      words = line.startsWith("/*") ? line : `${words}\n${line}`;
    } else if (lines.length || line) {
      lines.push(line);
      if (!/[;}]$/.test(line) || !isClosed(lines.join("\n"))) continue;
      found.push({ words: words.startsWith("/**") ? words : "", text: lines.join("\n") });
      [words, lines] = ["", []];
    }
  }
  return found;
}

const COMMENT = /\/\*\*[^]*?\*\//g;

function isClosed(text) {
  const code = text.replace(COMMENT, "").replace(/"[^"\n]*"|`[^`\n]*`|=>/g, "");
  return [..."({["].every((bracket, at) => code.split(bracket).length === code.split(")}]"[at]).length);
}

const inline = (text) => text.replace(COMMENT, "").replace(/\s+/g, " ").replace(/;$/, "").replaceAll("; }", " }").trim();

/** The client's calls, with their groups, functions and constants: `{ name, words, given }`, `method` for a call; `given` are its arguments. */
export function called(names) {
  const groups = names.flatMap(({ line }) => /^Client\.readonly (\w+): (\w+)$/.exec(line)?.slice(1) ?? []);
  const prefix = { Client: "" };
  for (let at = 0; at < groups.length; at += 2) prefix[groups[at + 1]] = `${groups[at]}.`;
  return names.flatMap(({ line, words }) => {
    const [, method, kind, own] = /^(?:(\w+)\.(?!readonly)|(function|const) )(\w+)(?=[(<:])/.exec(line) ?? [];
    if (!own || (method && (!(method in prefix) || !/^\w+\.\w+[(<]/.test(line)))) return [];
    return [{ name: kind ? own : prefix[method] + own, method, words, given: line.includes("(") ? argumentsOf(line) : [] }];
  });
}

/** The names of the arguments in the first parentheses of a text; one that is taken apart in braces is empty. */
export function argumentsOf(text) {
  let [depth, name, names] = [0, "", []];
  for (const letter of text.slice(text.indexOf("(") + 1)) {
    if (depth === 0 && (letter === "," || letter === ")")) {
      names.push(/^\s*(\w*)/.exec(name)[1]);
      name = "";
      if (letter === ")") return names;
    } else {
      name += letter;
      depth += "({[".includes(letter) - ")}]".includes(letter);
    }
  }
}
