import type { VNode } from "preact";
import { Icon } from "./icon.tsx";

/** What was checked to the end. A new one is stamped once, before the eyes of who waited for it. */
export function Seal({ isNew }: { isNew: boolean }): VNode {
  return (
    <span class={isNew ? "seal new" : "seal"}>
      <Icon name="seal" />
    </span>
  );
}
