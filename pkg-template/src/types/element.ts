/**
 * `<verified-swap>`: the interface of a swap as one element. An import defines the element, loads and requests nothing,
 * and works on a server, where it does nothing; the interface is loaded once the element is in a document.
 */
import type { ClientOptions, OpeningClient } from "./setup.ts";
import type { Eip1193Provider } from "./prompt.ts";
import type { Client } from "./client.ts";
import type { TradeError } from "./errors.ts";
import type { SwapEntry, SwapRefusal, SwapReview, SwapToken } from "./swap.ts";

/** A chain as the element shows it. */
export interface SwapChain {
  /** The chain. */
  chainId: number;
  /** Its name. */
  name: string;
  /** The block explorer's URL, for links to `/tx/HASH`. */
  explorer?: string | undefined;
}

/**
 * The element: at most twelve attributes and properties. A shadow root is no boundary against scripts of the page: they can
 * read and change all that is shown.
 */
export interface VerifiedSwapElement extends HTMLElement {
  /**
   * The client, or options of one that the element makes, and closes once it has left the document. Options in the place of
   * others do nothing: make another element.
   */
  client: Client | OpeningClient | ClientOptions | null;
  /** The wallet, in place of those that announce themselves (EIP-6963); null: these. */
  wallet: Eip1193Provider | null;
  /** The tokens to choose from; a chain without any is listed by the service. */
  tokens: readonly SwapToken[];
  /** The chains to choose from, by their names. */
  chains: readonly SwapChain[];
  /** Attribute `src`: the token that is paid, as `CHAINID:ADDRESS`. */
  src: string;
  /** Attribute `dest`: the token that is received. */
  dest: string;
  /** Attribute `amount`: the amount to begin with, as text. */
  amount: string;
  /** Attribute `kinds`: which forms there are, of `swap limit slices crosschain`; default all. */
  kinds: string;
  /** Attribute `theme`: `auto` (default), `light`, `dark`. */
  theme: string;
  /** Messages that take the place of the English ones, by name. */
  messages: object | null;
}

/** Properties as the template of a framework sets them, for its own types of elements. */
export type VerifiedSwapProperties = Partial<Pick<
  VerifiedSwapElement,
  "client" | "wallet" | "tokens" | "chains" | "src" | "dest" | "amount" | "kinds" | "theme" | "messages"
>>;

/** The events, which cross shadow roots (`composed`). All but `error` bubble. */
export interface VerifiedSwapEvents {
  /** A trade was posted or sent, and whenever its state changes. */
  trade: CustomEvent<SwapEntry>;
  /** A payload was verified, and its review is shown: the first one, and each that takes its place. */
  review: CustomEvent<SwapReview>;
  /** A payload was not as requested. No prompt was opened. */
  refused: CustomEvent<SwapRefusal>;
  /** A failure that was shown. */
  error: CustomEvent<TradeError>;
}

/**
 * The variables of its look, set on the element or around it: colours of the card, of fields and chips (`sunken`), of text, of
 * lines, of borders of controls, of what is pressed (`accent`, with the text on it and a pale ground), of refusals (`stop`)
 * and warnings; the radius of corners, the shadow of the card, two font families.
 */
export type VerifiedSwapVariable =
  | "--vs-surface" | "--vs-sunken" | "--vs-ink" | "--vs-muted" | "--vs-line" | "--vs-control" | "--vs-accent" | "--vs-accent-ink"
  | "--vs-accent-soft" | "--vs-stop" | "--vs-stop-soft" | "--vs-warn" | "--vs-radius" | "--vs-shadow" | "--vs-font" | "--vs-mono";

/** Defines `<verified-swap>`; the import does that by itself under this name. */
export declare function defineElement(name?: string): void;

/** The element by its name, for `document.createElement` and `querySelector`. */
declare global {
  interface HTMLElementTagNameMap {
    "verified-swap": VerifiedSwapElement;
  }
}
