import type { ComponentChildren, VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useId, useScene } from "../scene.ts";
import { Icon } from "./icon.tsx";

interface DialogProps {
  title: string;
  onClose(): void;
  children: ComponentChildren;
}

/** A modal dialog while it is in the tree. Escape and a press beside it close it; the focus returns to where it was. */
export function Dialog({ title, onClose, children }: DialogProps): VNode {
  const { words } = useScene();
  const node = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = node.current;
    const tree = dialog?.getRootNode();
    const before = tree instanceof ShadowRoot ? tree.activeElement : null;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={node}
      class="dialog"
      aria-labelledby={id}
      onClose={() => node.current && onClose()}
      onClick={({ target }) => target === node.current && onClose()}
    >
      <div class="dialog-body">
        <div class="dialog-title">
          <h2 id={id}>{title}</h2>
          <button type="button" class="icon-button" aria-label={words.parts.close} onClick={onClose}>
            <Icon name="cross" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
