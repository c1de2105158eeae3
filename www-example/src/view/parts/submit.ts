import type { TargetedKeyboardEvent } from "preact";

/** Enter in one of a form's own fields, not in a dialog above it. */
export function isSubmit({ key, target, defaultPrevented }: TargetedKeyboardEvent<HTMLElement>): boolean {
  const isField = target instanceof HTMLInputElement && target.type === "text" && !target.closest("dialog");
  return key === "Enter" && isField && !defaultPrevented;
}
