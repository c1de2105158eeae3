import type { ComponentChildren, InputHTMLAttributes, VNode } from "preact";

type Option<T> = readonly [value: T, words: string];

interface ChoiceProps<T> {
  name: string;
  legend: string;
  options: readonly Option<T>[];
  value: T;
  onChoose(value: T): void;
  /** Beside the chips. */
  children?: ComponentChildren;
}

/** A row of choices of which one holds, as radio buttons. */
export function Choice<T extends string | number>(props: ChoiceProps<T>): VNode {
  const { name, legend, options, value, onChoose, children } = props;
  return (
    <fieldset class="choice-row">
      <legend>{legend}</legend>
      <div class="chips">
        {options.map(([one, words]) => (
          <label key={one} class="chip">
            <input type="radio" name={name} value={one} checked={one === value} onChange={() => onChoose(one)} />
            <span>{words}</span>
          </label>
        ))}
        {children}
      </div>
    </fieldset>
  );
}

interface SelectionProps<T> {
  name: string;
  options: readonly Option<T>[];
  value: T;
  onChoose(value: T): void;
}

/** One of several, from a list. */
export function Selection<T extends string | number>({ name, options, value, onChoose }: SelectionProps<T>): VNode {
  const choose = (index: number): void => {
    const option = options[index];
    if (option) onChoose(option[0]);
  };
  return (
    <label class="selection">
      <span>{name}</span>
      <select class="text" value={value} onChange={({ currentTarget }) => choose(currentTarget.selectedIndex)}>
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

interface CheckBoxProps {
  checked: boolean;
  onCheck(checked: boolean): void;
  children: ComponentChildren;
}

export function CheckBox({ checked, onCheck, children }: CheckBoxProps): VNode {
  return (
    <label class="check-box">
      <input type="checkbox" checked={checked} onChange={({ currentTarget }) => onCheck(currentTarget.checked)} />
      <span>{children}</span>
    </label>
  );
}

interface EntryProps {
  id: string;
  label: string;
  value: string;
  onType(text: string): void;
  problem?: string | null;
  hint?: string | null;
  mono?: boolean;
  inputMode?: InputHTMLAttributes["inputMode"];
  placeholder?: string;
}

/** A text field with its label above and, below it, room for what is wrong with it. */
export function Entry(props: EntryProps): VNode {
  const { id, label, value, onType, problem = null, hint = "", mono = false, inputMode, placeholder } = props;
  return (
    <div class="labelled">
      <label for={id}>{label}</label>
      <input
        id={id}
        class={mono ? "text mono" : "text"}
        type="text"
        autocomplete="off"
        spellcheck={false}
        inputMode={inputMode}
        placeholder={placeholder}
        aria-describedby={`${id}-note`}
        aria-invalid={problem !== null}
        value={value}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
      <p id={`${id}-note`} class={problem === null ? "note" : "note problem"}>
        {problem ?? hint}
      </p>
    </div>
  );
}
