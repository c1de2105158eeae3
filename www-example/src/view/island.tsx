import { render, type ComponentType } from "preact";
import { SceneContext } from "./context.ts";
import { element } from "./element.ts";
import type { Page } from "./page.ts";

/** A component inside a view that still makes its own nodes. Goes with the last of those. */
export function island(page: Page, Part: ComponentType): HTMLElement {
  const host = element("div", { class: "island" });
  page.store.subscribe((state) =>
    render(
      <SceneContext.Provider value={{ ...page, state }}>
        <Part />
      </SceneContext.Provider>,
      host,
    ),
  );
  return host;
}
