import type { ComponentChildren, VNode } from "preact";
import { duration } from "../format.ts";
import { useId } from "../scene.ts";

/** A value and its text. */
export type Option<T> = readonly [value: T, text: ComponentChildren];

interface ChipsProps<T> {
  legend: string;
  options: readonly Option<T>[];
  value: T | null;
  onChoose(value: T): void;
  /** Beside the chips. */
  children?: ComponentChildren;
}

/** Choices of which one holds, as radio buttons in a row. */
export function Chips<T extends string | number>({ legend, options, value, onChoose, children }: ChipsProps<T>): VNode {
  const name = useId();
  return (
    <fieldset class="form-choice">
      <legend class="form-label">{legend}</legend>
      <div class="form-chips">
        {options.map(([one, text]) => (
          <label key={one} class="form-chip">
            <input type="radio" name={name} value={one} checked={one === value} onChange={() => onChoose(one)} />
            <span>{text}</span>
          </label>
        ))}
        {children}
      </div>
    </fieldset>
  );
}

interface EntryProps {
  label: string;
  value: string;
  onType(text: string): void;
  fault: string | null;
  hint?: string | undefined;
  inputMode?: "decimal" | "numeric" | "text";
  placeholder?: string | undefined;
}

/** A text field with its label above and, below it, room for its fault. */
export function Entry({ label, value, onType, fault, hint = "", inputMode = "decimal", placeholder = "0" }: EntryProps): VNode {
  const id = useId();
  return (
    <div class="form-entry">
      <label class="form-label" for={id}>{label}</label>
      <input
        id={id}
        class="text"
        type="text"
        autocomplete="off"
        spellcheck={false}
        inputMode={inputMode}
        placeholder={placeholder}
        aria-describedby={`${id}-note`}
        aria-invalid={fault !== null}
        value={value}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
      <p id={`${id}-note`} class={fault === null ? "quiet" : "problem"}>{fault ?? hint}</p>
    </div>
  );
}

interface SpansProps {
  label: string;
  /** Seconds. */
  options: readonly number[];
  value: number;
  onChoose(secs: number): void;
}

/** One of several spans of time. */
export function Spans({ label, options, value, onChoose }: SpansProps): VNode {
  return (
    <label class="form-entry">
      <span class="form-label">{label}</span>
      <select class="text" value={value} onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}>
        {options.map((secs) => <option key={secs} value={secs}>{duration(secs)}</option>)}
      </select>
    </label>
  );
}

/** A yes or no. */
export function CheckBox({ isChecked, onCheck, children }: {
  isChecked: boolean;
  onCheck(isChecked: boolean): void;
  children: ComponentChildren;
}): VNode {
  return (
    <label class="form-check">
      <input type="checkbox" checked={isChecked} onChange={({ currentTarget }) => onCheck(currentTarget.checked)} />
      <span>{children}</span>
    </label>
  );
}
