/** Plain data, as `JSON.parse` makes it. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

export const isObject = (value: Json | undefined): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The value of a JSON text, and `lost`: what `JSON.parse` loses without a word, which is a name that stands twice in one
 * object (the last one counts), and the digits of a number above 2^53. `undefined` if the text is no JSON.
 */
export function parsed(text: string): { value: Json; lost: string | undefined } | undefined {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return { value, lost: lostIn(text) };
}

/** The text is known to be JSON: only strings, marks and bare words are left to tell apart. */
function lostIn(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let previous = "";
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g)) {
    const names = open.at(-1);
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token.startsWith('"') && names && (previous === "{" || previous === ",")) {
      const name: string = JSON.parse(token);
      if (names.has(name)) return `the name ${JSON.stringify(name.slice(0, 60))} stands twice in one object: one program reads the first, the next one the last`;
      names.add(name);
    } else if (/^[-\d]/.test(token) && !Number.isSafeInteger(Number(token))) {
      return `the number ${token.slice(0, 60)} has no quotes, and programs round it in different ways`;
    }
    previous = token;
  }
  return undefined;
}
