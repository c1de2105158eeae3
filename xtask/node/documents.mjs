// The texts that go into the package: its README, what that links, and the drawings in those. A link leads to where the file
// lies in the package; to the repository, where it is not shipped and there is one; and is plain text otherwise.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

/** The folder of what is written by hand for the package alone, and lies at its top. */
const TEMPLATE = "pkg-template/";
/** Where the types are written that the package has in its one file of declarations. */
const TYPES = { "pkg-template/src/types.ts": "index.d.ts" };

/** A link or a picture, but not in code: `[, bang, text, target]`. */
const LINK = /^ *```[^]*?^ *```|`[^`\n]*`|(!?)\[((?:[^[\]`]|`[^`]*`)*)\]\(([^()\s]+)\)/gm;

/**
 * Puts them into `folder`, which has everything else already. `root` is the checkout, `at` the address of its files or null,
 * `template` the folder of the README.
 */
export function putDocuments(root, folder, at, template = TEMPLATE) {
  const README = `${template}README.md`;
  const read = (path) => readFileSync(join(root, path), "utf8");
  const linked = (path) => [...read(path).matchAll(LINK)].filter(([, , , target]) => target).map(([, , , target]) => resolved(path, target).path);
  const texts = [README, ...linked(README).filter((path) => path?.endsWith(".md"))];
  const drawings = texts.flatMap(linked).filter((path) => path?.endsWith(".svg"));
  const shipped = new Set([...texts, ...drawings]);
  for (const path of shipped) {
    const text = texts.includes(path) ? relinked(read(path), path, { isShipped, at, template }) : read(path);
    const file = join(folder, placeOf(path, template));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  function isShipped(path) {
    if (!existsSync(join(root, path))) throw new Error(`a link leads to ${path}, which is not there`);
    return shipped.has(path) || (path.startsWith(template) && existsSync(join(folder, placeOf(path, template))));
  }
}

/** The text of `path` with its links as they are in the package. */
export function relinked(text, path, { isShipped, at, template = TEMPLATE }) {
  return text.replace(LINK, (all, bang, words, target) => {
    const { path: file, anchor } = target ? resolved(path, target) : {};
    if (file === undefined) return all;
    if (isShipped(file)) {
      return `${bang}[${words}](${posix.relative(posix.dirname(placeOf(path, template)), placeOf(file, template))}${anchor})`;
    }
    return at ? `${bang}[${words}](${at}/${file}${anchor})` : words;
  });
}

const placeOf = (path, template) => TYPES[path] ?? (path.startsWith(template) ? path.slice(template.length) : path);

/** `{ path, anchor }` of a link in the file `from`, both from the top of the repository; neither if it leads elsewhere. */
function resolved(from, target) {
  if (/^([a-z]+:|#)/.test(target)) return {};
  const [, path, anchor] = /^([^#]*)(.*)$/.exec(target);
  return { path: posix.join(posix.dirname(from), path), anchor };
}
