// `<verified-swap>`: the class alone. The interface is another file, which it loads once it is in a document.
import { foreign, membersOf, type Holds } from "../src/module.ts";
import type { Client } from "../src/types/client.ts";
import type { TradeError } from "../src/types/errors.ts";
import type * as published from "../src/types/element.ts";
import type { Eip1193Provider } from "../src/types/prompt.ts";
import type { ClientOptions, OpeningClient } from "../src/types/setup.ts";
import type { SwapToken } from "../src/types/swap.ts";
import { frame } from "./messages.ts";
import type { Emit, Given } from "./session.ts";
import { adopt } from "./style/sheets.ts";
import tokens from "./style/tokens.css";
import type { Shown } from "./view.tsx";

export type Entry = Holds<typeof import("./element.ts"), typeof published>;

type Served = Client | OpeningClient | ClientOptions | null;
const ATTRIBUTES = ["src", "dest", "amount", "kinds", "theme"] as const;
const PROPERTIES = ["client", "wallet", "tokens", "chains", "messages"] as const;

/** A server has no elements: there the class is never made. */
const Base = foreign<typeof HTMLElement>(globalThis.HTMLElement ?? class {});

/** The element, as types/element.ts documents it. */
class VerifiedSwap extends Base implements published.VerifiedSwapElement {
  static readonly observedAttributes = ATTRIBUTES;
  readonly #root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
  #client: Served = null;
  #wallet: Eip1193Provider | null = null;
  #tokens: readonly SwapToken[] = [];
  #chains: readonly published.SwapChain[] = [];
  #messages: object | null = null;
  /** The client whose interface is shown, or on its way. */
  #served: Served = null;
  #shown: Shown | null = null;
  /** Counts what was begun: an interface that comes too late is closed. */
  #turn = 0;
  #isDue = false;

  get client(): Served { return this.#client; }
  set client(client: Served) {
    // A framework may write the same options as a new object in each of its renders.
    if (isOptions(client) && isOptions(this.#client)) return;
    this.#client = client;
    this.#changed();
  }

  get wallet(): Eip1193Provider | null { return this.#wallet; }
  set wallet(wallet: Eip1193Provider | null) {
    this.#wallet = wallet ?? null;
    this.#changed();
  }

  get tokens(): readonly SwapToken[] { return this.#tokens; }
  set tokens(tokens: readonly SwapToken[]) {
    this.#tokens = tokens ?? [];
    this.#changed();
  }

  get chains(): readonly published.SwapChain[] { return this.#chains; }
  set chains(chains: readonly published.SwapChain[]) {
    this.#chains = chains ?? [];
    this.#changed();
  }

  get messages(): object | null { return this.#messages; }
  set messages(messages: object | null) {
    this.#messages = messages ?? null;
    this.#changed();
  }

  /** Upgrades properties that were set before the element was defined. */
  connectedCallback(): void {
    for (const name of [...PROPERTIES, ...ATTRIBUTES].filter((name) => Object.hasOwn(this, name))) {
      const value: unknown = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
    if (!this.#root.firstChild) this.#frame();
    this.#changed();
  }

  /** An element that is only moved is back before the next step. */
  disconnectedCallback(): void {
    this.#changed();
  }

  attributeChangedCallback(): void {
    this.#changed();
  }

  /** Takes several changes of one step together. */
  #changed(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      const client = this.isConnected ? this.#client : null;
      if (client !== this.#served) void this.#open(client);
      else if (client) this.#shown?.update(this.#given(client));
    });
  }

  async #open(client: Served): Promise<void> {
    const turn = ++this.#turn;
    this.#served = client;
    this.#shown?.close();
    this.#shown = null;
    const node = this.#frame();
    if (!client) return;
    let isLoaded = false;
    try {
      const { show } = await import("./view.tsx");
      isLoaded = true;
      if (turn !== this.#turn) return;
      const shown = await show(node, this.#given(client), this.#emit);
      if (turn !== this.#turn) return shown.close();
      this.#shown = shown;
      shown.update(this.#given(client));
      await shown.opened;
    } catch (cause) {
      if (turn === this.#turn) this.#fail(cause, client, isLoaded);
    }
  }

  /** A frame of about the form's height; the interface takes its place. */
  #frame(): HTMLElement {
    adopt(this.#root, [tokens]);
    const node = document.createElement("div");
    node.className = "vs";
    const card = node.appendChild(document.createElement("section"));
    card.className = "card frame";
    card.setAttribute("aria-busy", "true");
    if (this.#served) card.appendChild(document.createElement("p")).textContent = this.#text("loading");
    this.#root.replaceChildren(node);
    return node;
  }

  #fail(thrown: unknown, client: Served, isLoaded: boolean): void {
    const isList = membersOf(thrown)?.name === "NoTokens";
    const cause = isList ? membersOf(thrown)?.cause : thrown;
    const code = membersOf(cause)?.code;
    // The controller has told of its client's failure.
    if (code && !this.#shown) this.#emit("error", foreign<TradeError>(cause));
    if (!code) console.warn("<verified-swap>", cause);
    this.#shown?.close();
    this.#shown = null;
    const node = this.#frame();
    const [card, text, button] = ["section", "p", "button"].map((name) => document.createElement(name));
    if (!card || !text || !button) return;
    card.className = "card frame";
    const isModule = code === "MODULE_UNAVAILABLE" || code === "NETWORK";
    const why = isList ? "noTokens" : code === "WASM_UNAVAILABLE" ? "notSupported" : isModule || !isLoaded ? "notLoaded" : "notSetUp";
    text.textContent = this.#text(why);
    text.setAttribute("role", "alert");
    button.textContent = this.#text("again");
    button.addEventListener("click", () => void this.#open(client));
    card.append(text, button);
    node.replaceChildren(card);
  }

  #text(name: keyof typeof frame): string {
    const own = membersOf(membersOf(this.#messages)?.frame)?.[name];
    return typeof own === "string" ? own : frame[name];
  }

  #given(client: Exclude<Served, null>): Given {
    const { src, dest, amount, kinds } = this;
    return { client, src, dest, amount, kinds, wallet: this.#wallet, tokens: this.#tokens, chains: this.#chains, messages: this.#messages };
  }

  /** `error` does not bubble, as that of other elements: it would reach the page's own handler of failed scripts. */
  readonly #emit: Emit = (name, detail) => {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: name !== "error", composed: true }));
  };
}

/** The attributes as properties. */
interface VerifiedSwap extends Record<(typeof ATTRIBUTES)[number], string> {}

for (const name of ATTRIBUTES) {
  Object.defineProperty(VerifiedSwap.prototype, name, {
    configurable: true,
    enumerable: true,
    get(this: VerifiedSwap) { return this.getAttribute(name) ?? (name === "theme" ? "auto" : ""); },
    set(this: VerifiedSwap, text: unknown) { this.setAttribute(name, String(text)); },
  });
}

/** `defineElement` as types/element.ts documents it. */
export function defineElement(name = "verified-swap"): void {
  if (!globalThis.customElements || customElements.get(name)) return;
  // A class can have one name only.
  customElements.define(name, name === "verified-swap" ? VerifiedSwap : class extends VerifiedSwap {});
}

defineElement();

function isOptions(client: Served): client is ClientOptions {
  return client !== null && !("quote" in client);
}
