import { renderToString } from "preact-render-to-string";
import { createPage } from "./client/page.ts";
import { firstState } from "./state/state.ts";
import { createStore } from "./state/store.ts";
import { App } from "./view/app.tsx";

/** The first screen, for the HTML: what the script then draws before anything has answered. */
export function prerender(): string {
  return renderToString(<App page={createPage(createStore(firstState()))} />);
}
