// Every text of the element that Rust did not write, by view. An app's own (`messages`) take their place by name: a text the
// place of a text, a function that of a function with the same arguments.
import { foreign, membersOf } from "../src/module.ts";

/** The English texts. */
export const english = {
  form: {},
  review: {},
  entry: {},
  activity: {},
  wallets: {
    title: "Wallet",
    connect: "Connect a wallet",
    connecting: "Connecting…",
    connected: "Connected",
    disconnect: "Disconnect",
    change: (wallet: string, account: string) => `${wallet}, account ${account}. Change`,
    none: "No wallet was found in this browser. Install one, or open this page in a wallet’s own browser.",
    otherChain: (chain: string) => `Your wallet is on ${chain}.`,
    rejected: (wallet: string) => `${wallet} did not connect. Nothing was signed.`,
    ownWallet: "Wallet of this page",
  },
  parts: {
    name: "Swap",
    loading: "Loading the swap…",
    notLoaded: "The swap could not be loaded. Look at your connection.",
    notOpened: "The swap cannot start.",
    again: "Try again",
    close: "Close",
    back: "Back",
    copy: "Copy",
    copied: "Copied",
    copyOf: (name: string) => `Copy ${name}`,
    address: "the address",
    notKnown: "not known",
    unknownChain: (chainId: number) => `Chain ${chainId}`,
    unlisted: "not on a list",
    unknownAmount: "amount not known",
    noDate: "a time that no calendar has",
  },
  failures: {},
};

/** The texts by name. */
export type Words = typeof english;

/** The English texts with the app's own in their place; a value of another form than the text it is for is left out. */
export function wordsOf(own: object | null): Words {
  return foreign<Words>(merged(english, own));
}

function merged(base: unknown, own: unknown): unknown {
  if (typeof base !== "object") return typeof own === typeof base ? own : base;
  const [names, given] = [membersOf(base) ?? {}, membersOf(own)];
  return Object.fromEntries(Object.entries(names).map(([name, text]) => [name, merged(text, given?.[name])]));
}
