import type { VNode } from "preact";

/** The trades of the account: unfinished, open, ended. */
export function Activity(): VNode | null {
  return null;
}
