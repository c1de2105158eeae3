// The services of the element that every view takes.
//
// How to write a view: export one component from its folder. It takes no properties: `const { swap, state, words } =
// useScene()` has the controller, its state now (a component renders anew with each) and the texts. It calls `swap`'s
// functions and holds only what is of no interest elsewhere (whether a dialog is open). Rules:
// - A text for users is in messages.ts, in the section of the view; an amount is a `<Sum>`, a token's name a `<TokenSymbol>`,
//   an address an `<AddressText>`, a name with its value a `<Row>` within `<Rows>` (parts/).
// - A click that may open a wallet's prompt is `onClick={trusted(() => swap.confirm())}`: one that a script made does nothing.
// - A view begins with `<Heading>`, which gets the focus when the view opens.
// - Styles: style/NAME.css of the view, classes with its prefix (`form-`, `review-`, ...), lengths in px, the variables of
//   tokens.css, logical properties alone, `@container (width < 400px)` in place of media queries, no `style` attribute.
import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { Address } from "../src/types/values.ts";
import type { SwapChain } from "../src/types/element.ts";
import type { Swap, SwapState, SwapToken } from "../src/types/swap.ts";
import type { Client } from "../src/types/client.ts";
import type { OpeningClient } from "../src/types/setup.ts";
import type { Ask } from "./form/unlisted.ts";
import type { Words } from "./messages.ts";

/** A form that the element can offer: the attribute `kinds`. */
export type Kind = "swap" | "limit" | "slices" | "crosschain";

/** The services of a view. */
export interface Scene {
  /** The controller. */
  swap: Swap;
  /** Its state now. */
  state: SwapState;
  /** All texts. */
  words: Words;
  /** The client. */
  client: Client | OpeningClient;
  /** Asks a node of a chain. */
  ask: Ask;
  /** The tokens to choose from: the app's or the service's, and those that the user added. */
  tokens: readonly SwapToken[];
  /** The chains to choose from. */
  chains: readonly SwapChain[];
  /** The forms that are offered. */
  kinds: readonly Kind[];
  /** The connected wallet's name; null without one. */
  wallet: string | null;
  /** The token at an address; null if nothing is known of it. */
  tokenOf(chainId: number, address: Address): SwapToken | null;
  /** The name of a chain. */
  chainName(chainId: number): string;
  /** Lists a token that the user gave by its address, until the page is left. */
  addToken(token: SwapToken): void;
  /** Opens the choice of wallets. */
  openWallets(): void;
  /** Puts a sentence into the polite live region. */
  announce(text: string): void;
}

/** Where `useScene` takes the services from: the root of the view provides them. */
export const SceneContext = createContext<Scene | null>(null);

/** The services of the element; a component renders anew whenever they change. */
export function useScene(): Scene {
  const scene = useContext(SceneContext);
  if (!scene) throw new Error("a view is outside the element");
  return scene;
}

let ids = 0;

/** An id of the component. Preact's own begins anew with each `render`, as a changed attribute causes one. */
export function useId(): string {
  const [id] = useState(() => `vs-${(ids += 1)}`);
  return id;
}

/** A handler that runs only for an event of the user: one that a script of the page made opens no prompt. */
export function trusted<E extends Event>(handler: (event: E) => void): (event: E) => void {
  return (event) => {
    if (event.isTrusted) handler(event);
  };
}

/** Unix seconds now, kept up to date while a component is shown. */
export function useNow(everySecs = 1): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everySecs * 1000);
    return () => clearInterval(timer);
  }, [everySecs]);
  return Math.floor(now / 1000);
}
