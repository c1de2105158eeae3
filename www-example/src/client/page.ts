import {
  createClient,
  isSupported,
  type Address,
  type ChainContracts,
  type Client,
  type ClientEvent,
  type ClientOptions,
} from "verified-swap";
import { messages } from "../messages/en.ts";
import { createSandboxWallet } from "../sandbox/sandbox-wallet.ts";
import { readConfig, type Chain, type SandboxConfig } from "../sandbox/sandbox.ts";
import type { Trouble, WalletChoice } from "../state/parts.ts";
import { placeOf, type State } from "../state/state.ts";
import type { Store } from "../state/store.ts";
import type { Page } from "../view/page.ts";
import { createAccounts } from "./accounts.ts";
import { createAttacks } from "../sandbox/attack.ts";
import { createErrands } from "./errands.ts";
import { createFollowing } from "./following.ts";
import { keptForm } from "./kept-form.ts";
import { createOrders } from "./orders.ts";
import { createPricing } from "./pricing.ts";
import { createPrompting } from "./prompting.ts";
import { createSending } from "./sending.ts";
import { createSwap, type Swap } from "./swap.ts";
import { createTokens, withOwnTokens } from "./tokens.ts";
import { createUnfinished } from "./unfinished.ts";
import { watchWallets } from "./wallets.ts";

/* What the page can do, and how it starts: the first price is asked for while the module is loading, and everything else
   comes after it. */

const START_AGAIN_SECS = [5, 10, 20];

/** Nothing is asked of anybody before `start`. */
export function createPage(store: Store<State>): Page {
  let client: Client | null = null;
  const current = (): Client => {
    if (!client) throw new Error("The page has not started.");
    return client;
  };
  const prompting = createPrompting(store);
  const bind = ({ provider: wallet }: WalletChoice, account: Address): void => {
    client = current().withWallet({ wallet, account });
  };
  const accounts = createAccounts(store, current, bind, () => {
    swap.compose();
    void unfinished.resume();
  });
  const pricing = createPricing(store, current);
  const errands = createErrands(store);
  const following = createFollowing(store, current, accounts, errands);
  const sending = createSending(store, current, accounts, errands);
  const unfinished = createUnfinished(store, current, prompting, following, sending, errands, () => swap);
  const swap: Swap = createSwap(store, current, {
    pricing,
    accounts,
    prompting,
    following,
    sending,
    errands,
    unfinished: () => unfinished,
  });
  const orders = createOrders(store, current, swap, accounts);
  const attacks = createAttacks(store, pricing, swap);

  let failedStarts = 0;

  function onEvent(event: ClientEvent): void {
    prompting.hear(event);
    attacks.hear(event);
  }

  async function start(): Promise<void> {
    const { unsupported, consequence, otherBrowser } = messages.start.failed;
    if (!isSupported()) return store.set({ starting: { message: unsupported, consequence, advice: otherBrowser } });
    store.set({ starting: "config" });
    try {
      const listed = await readConfig();
      const config = { ...listed, chains: withOwnTokens(listed.chains) };
      const place = placeOf(config);
      store.set({ ...place, ...keptForm(store.get(), place), starting: "module" });
      const opening = createClient({ ...optionsOf(config), onPrompt: prompting.onPrompt, onEvent });
      pricing.begin(opening.watchQuotes(null));
      const [opened, account] = await openSandboxWallet(config);
      const priced = pricing.refresh();
      client = await opening;
      bind(opened, account);
      store.set({ starting: null });
      await priced;
      await goOn(opened);
    } catch (error) {
      store.set({ starting: troubleOf(error) });
    }
  }

  /** Its accounts are known without a question: a price is for one owner. */
  async function openSandboxWallet({ chains, accounts: unlocked }: SandboxConfig): Promise<[WalletChoice, Address]> {
    const provider = await createSandboxWallet(chains, unlocked);
    const opened = { id: "sandbox", name: messages.start.wallet.sandboxWallet, icon: null, provider };
    const { address } = provider.account;
    store.set({ wallets: [opened], sandbox: { wallet: provider, unlocked }, wallet: opened, account: address });
    return [opened, address];
  }

  /** What has nothing to do with the first price. */
  async function goOn(opened: WalletChoice): Promise<void> {
    watchWallets((found) => store.set({ wallets: [opened, ...found] }));
    void current()
      .trades.storage()
      .then(({ state }) => store.set({ journal: state }));
    await accounts.connect(opened);
    await unfinished.resume();
  }

  function troubleOf(error: unknown): Trouble {
    const { failed } = messages.start;
    const secs = START_AGAIN_SECS[failedStarts++] ?? 30;
    return {
      message: store.get().starting === "config" ? failed.config : failed.module,
      consequence: failed.consequence,
      details: error instanceof Error ? error.message : String(error),
      retryAt: Date.now() + secs * 1000,
    };
  }

  return {
    store,
    start,
    pricing,
    tokens: createTokens(store),
    swap,
    accounts,
    orders,
    following,
    errands,
    attacks,
    unfinished,
  };
}

function optionsOf({ chains, bridgeTokens }: SandboxConfig): ClientOptions {
  return {
    baseUrl: location.origin,
    rpc: rpcOf(chains),
    contracts: contractsOf(chains),
    advanced: {
      references: Object.fromEntries(chains.map(({ chainId, references }) => [chainId, references])),
      bridgeTokens,
      // The sandbox limits nobody, unless a test makes it.
      rateLimit: { perSecond: 1_000, burst: 1_000, perDay: 1_000_000 },
    },
  };
}

/** Reads go to the sandbox's nodes, through the page's own origin. */
function rpcOf(chains: Chain[]): Record<number, string> {
  return Object.fromEntries(chains.map(({ chainId, rpc }) => [chainId, new URL(rpc, location.origin).href]));
}

/** The sandbox's contracts are not pinned, so the application passes them. */
function contractsOf(chains: Chain[]): Record<number, ChainContracts> {
  return Object.fromEntries(
    chains.map(({ chainId, delta, wrappedNative, router, rfq }) => [
      chainId,
      { delta, wrappedNative, ...(router && { router }), ...(rfq && { rfq }) },
    ]),
  );
}
