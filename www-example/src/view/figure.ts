import { element, setText } from "./element.ts";

/** A number on the page: rounded to read, exact when pointed at or focused. */
export interface Figure {
  node: HTMLElement;
  show(rounded: string, exact?: string, unit?: string): void;
  /** Nothing to show: a dash, or a placeholder bar while it is on its way. */
  clear(loading?: boolean): void;
}

export function figure(): Figure {
  const node = element("data", { class: "figure", value: "" });
  let shown = "";

  function show(rounded: string, exact = rounded, unit = ""): void {
    const text = unit ? `${rounded} ${unit}` : rounded;
    const whole = unit ? `${exact} ${unit}` : exact;
    if (shown === `${text}|${whole}`) return;
    shown = `${text}|${whole}`;
    setText(node, text);
    node.value = exact;
    node.classList.remove("skeleton");
    const cut = text !== whole;
    node.toggleAttribute("data-exact", cut);
    if (cut) {
      node.dataset["exact"] = whole;
      node.title = whole;
      node.tabIndex = 0;
    } else {
      node.removeAttribute("title");
      node.removeAttribute("tabindex");
    }
  }

  function clear(loading = false): void {
    show("–");
    node.classList.toggle("skeleton", loading);
  }

  clear();
  return { node, show, clear };
}

/** A definition list of figures, one row each. */
export function figureRow(list: HTMLElement, name: string): { name: HTMLElement; figure: Figure } {
  const row = { name: element("dt", {}, name), figure: figure() };
  list.append(element("div", { class: "row" }, row.name, element("dd", {}, row.figure.node)));
  return row;
}
