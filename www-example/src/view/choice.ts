import { element } from "./element.ts";

/** A row of choices of which one holds, as radio buttons. */
export function choice<T extends string | number>(
  name: string,
  legend: string,
  options: readonly (readonly [value: T, words: string])[],
  chosen: (value: T) => void,
): { node: HTMLElement; show(value: T, offered?: readonly T[]): void } {
  const radios = options.map(([value, words]) => {
    const radio = element("input", { type: "radio", name, value, onchange: () => chosen(value) });
    return { value, radio, label: element("label", { class: "chip" }, radio, element("span", {}, words)) };
  });
  const node = element(
    "fieldset",
    { class: "choice-row" },
    element("legend", {}, legend),
    element("div", { class: "chips" }, ...radios.map(({ label }) => label)),
  );
  return {
    node,
    show(value, offered) {
      for (const one of radios) {
        one.radio.checked = one.value === value;
        one.label.hidden = offered !== undefined && !offered.includes(one.value);
      }
    },
  };
}

/** One of several, from a list. */
export function selection<T extends string | number>(
  name: string,
  options: readonly (readonly [value: T, words: string])[],
  chosen: (value: T) => void,
): { node: HTMLElement; show(value: T): void } {
  const select = element("select", { class: "text", onchange: () => chosen(options[select.selectedIndex]![0]) });
  for (const [value, words] of options) select.append(element("option", { value }, words));
  return {
    node: element("label", { class: "selection" }, element("span", {}, name), select),
    show(value) {
      select.value = String(value);
    },
  };
}

/** A text field with its label, and room for what is wrong with it. */
export function entry(
  id: string,
  label: string,
  typed: (text: string) => void,
  more: Record<string, string> = {},
): {
  node: HTMLElement;
  input: HTMLInputElement;
  show(text: string, problem: string | null, hint?: string): void;
} {
  const { mono, ...attributes } = more;
  const input = element("input", {
    id,
    class: mono ? "text mono" : "text",
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": `${id}-note`,
    oninput: () => typed(input.value),
    ...attributes,
  });
  const note = element("p", { id: `${id}-note`, class: "note" });
  const name = element("label", { for: id }, label);
  return {
    node: element("div", { class: "labelled" }, name, input, note),
    input,
    show(text, problem, hint = "") {
      if (input.value !== text) input.value = text;
      input.setAttribute("aria-invalid", String(problem !== null));
      note.classList.toggle("problem", problem !== null);
      if (note.textContent !== (problem ?? hint)) note.textContent = problem ?? hint;
    },
  };
}
