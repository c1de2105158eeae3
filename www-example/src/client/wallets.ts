import type { Eip1193Provider } from "verified-swap";

/* Injected wallets that announce themselves (EIP-6963). */

export interface WalletChoice {
  /** Unique for this page load. */
  id: string;
  name: string;
  /** A `data:` image, or null. */
  icon: string | null;
  provider: Eip1193Provider & { on?: (event: string, listener: (value: unknown) => void) => void };
}

/** Calls `found` for every wallet, once each, now and whenever another one announces itself. */
export function watchAnnouncedWallets(found: (wallet: WalletChoice) => void): void {
  const known = new Set<string>();
  window.addEventListener("eip6963:announceProvider", (event) => {
    const { info, provider } = (event as CustomEvent<Announcement>).detail ?? {};
    if (!info || typeof info.uuid !== "string" || typeof provider?.request !== "function") return;
    if (known.has(info.uuid)) return;
    known.add(info.uuid);
    found({ id: info.uuid, name: String(info.name).slice(0, 40), icon: imageOf(info.icon), provider });
  });
  window.dispatchEvent(new Event("eip6963:requestProvider"));
}

interface Announcement {
  info?: { uuid?: string; name?: string; icon?: string };
  provider?: WalletChoice["provider"];
}

/** Only data: images: an address elsewhere would tell that host who uses this page. */
function imageOf(icon: unknown): string | null {
  return typeof icon === "string" && icon.startsWith("data:image/") ? icon : null;
}
