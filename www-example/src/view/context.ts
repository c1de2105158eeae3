import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { State } from "../state/state.ts";
import type { Page } from "./page.ts";

/** What every component can reach: what the page may do, and the state as it is now. */
export interface Scene extends Page {
  state: State;
}

export const SceneContext = createContext<Scene | null>(null);

/** The page and its state, inside `App`. */
export function useScene(): Scene {
  const scene = useContext(SceneContext);
  if (!scene) throw new Error("Outside of App.");
  return scene;
}
