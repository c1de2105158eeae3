type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;
type Child = Node | string | null | undefined | false;

/**
 * Makes an element. Text is always text (nothing is parsed as HTML); functions become listeners (`onclick`);
 * `true` sets an empty attribute, `false`, `null` and `undefined` leave it out.
 */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  assign(node, attributes);
  node.append(...children.filter(isPresent));
  return node;
}

/**
 * An icon of 20 by 20 units, drawn with one path in the current colour. Decorative: hidden from assistive technology.
 */
export function icon(path: string): SVGSVGElement {
  const drawing = svg("svg", { viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true", focusable: "false" });
  drawing.append(svg("path", { d: path }));
  return drawing;
}

export function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes): SVGElementTagNameMap[K] {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  assign(node, attributes);
  return node;
}

/** Replaces what is inside `parent`. */
export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren(...children.filter(isPresent));
}

/** Sets the text only when it changed, so that nothing is announced or reflowed for nothing. */
export function setText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** Puts the focus back on what had it, or on what has been drawn in its place. */
export function refocus(node: Element | null): void {
  const there = !node || node.isConnected ? node : document.getElementById(node.id);
  if (there instanceof HTMLElement) there.focus();
}

function assign(node: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, String(value));
  }
}

function isPresent(child: Child): child is Node | string {
  return child !== null && child !== undefined && child !== false;
}
