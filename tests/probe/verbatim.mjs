/** Reads a member of a JSON text without changing a character, unlike parse and stringify. */

/** The text of the member at `path` (names of nested objects), or null. */
export function rawMember(text, path) {
  let at = 0;
  for (const name of path) {
    const found = members(text, at).find((member) => member.name === name);
    if (!found) return null;
    at = found.start;
  }
  return text.slice(at, end(text, at));
}

/** Name and place of each member of the object that begins at or after `at`. */
function members(text, at) {
  const found = [];
  let here = skipBlank(text, at);
  if (text[here] !== "{") return found;
  here = skipBlank(text, here + 1);
  while (text[here] === '"') {
    const nameEnd = end(text, here);
    const start = skipBlank(text, skipBlank(text, nameEnd) + 1);
    found.push({ name: JSON.parse(text.slice(here, nameEnd)), start });
    here = skipBlank(text, end(text, start));
    if (text[here] === ",") here = skipBlank(text, here + 1);
  }
  return found;
}

/** Where the value that begins at `at` ends. */
function end(text, at) {
  if (text[at] === '"') {
    for (let here = at + 1; ; here++) {
      if (text[here] === "\\") here++;
      else if (text[here] === '"') return here + 1;
      else if (here >= text.length) throw new Error("the JSON text ends inside a string");
    }
  }
  if (text[at] === "{" || text[at] === "[") {
    let depth = 0;
    for (let here = at; here < text.length; here++) {
      if (text[here] === '"') here = end(text, here) - 1;
      else if (text[here] === "{" || text[here] === "[") depth++;
      else if ((text[here] === "}" || text[here] === "]") && --depth === 0) return here + 1;
    }
    throw new Error("the JSON text ends inside an object or array");
  }
  return at + /^[^\s,\]}]*/.exec(text.slice(at))[0].length;
}

function skipBlank(text, at) {
  while (/\s/.test(text[at] ?? "")) at++;
  return at;
}
