import type { ComponentChildren, VNode } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { messages } from "../../messages/en.ts";
import { Icon } from "./icon.tsx";

interface DialogProps {
  title: string;
  onClose(): void;
  children: ComponentChildren;
  /** Besides `sheet`, which is a bottom sheet on phones. `popover` stands below what opened it. */
  class?: string;
}

/**
 * A modal dialog while it is in the tree, with a title and a close button. Escape and a press beside it close it. The
 * focus returns to where it was.
 */
export function Dialog({ title, onClose, children, class: more = "" }: DialogProps): VNode {
  const node = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = node.current;
    if (!dialog) return;
    if (before && dialog.matches(".popover")) placeBelow(dialog, before);
    dialog.showModal();
    return () => {
      dialog.close();
      // Escape closed it before, and the user may be in a field by now.
      const now = document.activeElement;
      if (now && now !== document.body && !dialog.contains(now)) return;
      const there = before?.isConnected ? before : before && document.getElementById(before.id);
      if (there instanceof HTMLElement) there.focus();
    };
  }, []);
  return (
    <dialog
      ref={node}
      class={`sheet ${more}`}
      aria-labelledby={id}
      // One that made way for another dialog is closed, too, but by nobody.
      onClose={() => node.current && onClose()}
      onClick={({ target }) => target === node.current && onClose()}
    >
      <div class="sheet-body">
        <div class="title">
          <h2 id={id}>{title}</h2>
          <button type="button" class="quiet-button" aria-label={messages.form.close} onClick={onClose}>
            <Icon name="cross" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}

/** Its right edge is that of `opener`. The stylesheet takes no part of it on phones. */
function placeBelow(dialog: HTMLElement, opener: Element): void {
  const { right, bottom } = opener.getBoundingClientRect();
  dialog.style.setProperty("--below", `${bottom + scrollY}px`);
  dialog.style.setProperty("--right", `${document.documentElement.clientWidth - right}px`);
}
