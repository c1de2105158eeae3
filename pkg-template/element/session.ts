// The parts of one element that outlive its views: the client, the controller, the tokens, the wallets.
import type { Client } from "../src/types/client.ts";
import type { OpeningClient } from "../src/types/setup.ts";
import type { Swap, SwapToken } from "../src/types/swap.ts";
import type { SwapChain } from "../src/types/element.ts";
import type { Kind } from "./scene.ts";
import type { Wallets } from "./wallets/store.ts";

/** The settings of an element that can change while it is shown. */
export interface Settings {
  chains: readonly SwapChain[];
  kinds: readonly Kind[];
  messages: object | null;
}

/** The parts of one element. */
export interface Session {
  swap: Swap;
  client: Client | OpeningClient;
  tokens: readonly SwapToken[];
  wallets: Wallets;
  settings: Settings;
}
