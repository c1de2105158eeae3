export type Content = Node | string | false | undefined;

/** An element with text and elements inside. Text stays text: nothing here is ever read as HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string | boolean> = {},
  ...contents: Content[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "string") made.setAttribute(key, value);
    else made.toggleAttribute(key, value);
  }
  made.append(...contents.filter((content) => content !== false && content !== undefined));
  return made;
}

/** The element of the page with that id. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no ${kind.name} #${id}.`);
  return found;
}

/** Named rows, each with its content. */
export function rows(entries: Iterable<readonly [string, Content]>): HTMLElement {
  return element("dl", {}, ...[...entries].map(([name, content]) => element("div", {}, element("dt", {}, name), element("dd", {}, content))));
}
