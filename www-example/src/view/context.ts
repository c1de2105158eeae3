import { createContext } from "preact";
import { useContext, useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { State } from "../state/state.ts";
import type { Page } from "./page.ts";

/** What every component can reach: what the page may do, and the state as it is now. */
export interface Scene extends Page {
  state: State;
}

export const PageContext = createContext<Page | null>(null);

/** The page and its state, inside `App`. A change of what a component reads of it draws that component again. */
export function useScene(): Scene {
  const page = useContext(PageContext);
  if (!page) throw new Error("Outside of App.");
  const [, draw] = useState({});
  const { scene, follow } = useMemo(() => observed(page), [page]);
  useLayoutEffect(() => follow(() => draw({})), [follow]);
  return scene;
}

/** The page with a state that keeps which of its members were read, and a way to follow those. */
function observed(page: Page): { scene: Scene; follow(onChange: () => void): () => void } {
  let before = page.store.get();
  const read = new Set<keyof State>();
  const get = (_: State, name: string | symbol): unknown => {
    read.add(name as keyof State);
    return page.store.get()[name as keyof State];
  };
  return {
    scene: { ...page, state: new Proxy(before, { get }) },
    follow: (onChange) =>
      page.store.subscribe((now) => {
        const isNew = [...read].some((name) => now[name] !== before[name]);
        before = now;
        if (isNew) onChange();
      }),
  };
}
