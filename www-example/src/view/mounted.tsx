import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useScene } from "./context.ts";
import type { Page } from "./page.ts";

/** A view that makes its own nodes and follows the store by itself. To be rewritten as a component. */
export function Mounted({ make, hidden = false }: { make: (page: Page) => HTMLElement; hidden?: boolean }): VNode {
  const scene = useScene();
  const node = useRef<HTMLElement | null>(null);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current!.append((node.current = make(scene))), []);
  useLayoutEffect(() => {
    if (node.current?.matches(".stage")) node.current.hidden = hidden;
  });
  return <div ref={place} class="mounted" />;
}
