// The wallets that announce themselves to a page (EIP-6963).
import { foreign, membersOf } from "./module.ts";
import type { Eip1193Provider } from "./types.ts";
import type * as published from "./types/viem.ts";

const isText = (value: unknown): value is string => typeof value === "string";

/** Characters that would hide the text, or turn it around. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** `discoverWallets` of the entry `viem`, which the element takes without the rest of that. */
export function discoverWallets(onChange?: (wallets: readonly published.DiscoveredWallet[]) => void): ReturnType<typeof published.discoverWallets> {
  const known = new Map<string, published.DiscoveredWallet>();
  let wallets: readonly published.DiscoveredWallet[] = Object.freeze([]);
  const add = (event: Event) => {
    const { info: told, provider } = membersOf(membersOf(event)?.detail) ?? {};
    const { uuid, name, icon, rdns } = membersOf(told) ?? {};
    if (!isText(uuid) || !isText(name) || !isText(rdns) || typeof membersOf(provider)?.request !== "function" || known.has(uuid)) return;
    // Only data URLs: a picture elsewhere would reveal this page's user to that host.
    const image = isText(icon) && /^data:image\//.test(icon) ? icon : null;
    const info = Object.freeze({ uuid, name: name.replace(HIDDEN, "").slice(0, 64), icon: image, rdns });
    known.set(uuid, Object.freeze({ info, provider: foreign<Eip1193Provider>(provider) }));
    wallets = Object.freeze([...known.values()]);
    onChange?.(wallets);
  };
  // On a server there is none.
  const page = globalThis.window;
  page?.addEventListener("eip6963:announceProvider", add);
  page?.dispatchEvent(new Event("eip6963:requestProvider"));
  return {
    get wallets() {
      return wallets;
    },
    close: () => page?.removeEventListener("eip6963:announceProvider", add),
  };
}
