import { createClient, init, type ChainContracts, type Client } from "verified-swap";
import { createAccounts } from "./client/accounts.ts";
import { createAllowancesBook } from "./client/allowances.ts";
import { createAttacks, type Attacks } from "./client/attack.ts";
import { createGate } from "./client/gate.ts";
import { createFollowing } from "./client/following.ts";
import { createOffering } from "./client/offering.ts";
import { createOffersBook } from "./client/offers.ts";
import { createOrders } from "./client/orders.ts";
import { startPricing } from "./client/pricing.ts";
import { readConfig, type Chain } from "./sandbox/sandbox.ts";
import { createSending } from "./client/sending.ts";
import { firstState } from "./state/state.ts";
import { createStore } from "./state/store.ts";
import { createSwap, type Swap } from "./client/swap.ts";
import { createUnfinished } from "./client/unfinished.ts";
import { renderPage, renderUnavailable } from "./view/app.tsx";
import { watchAnnouncedWallets, type WalletChoice } from "./client/wallets.ts";
import { createSandboxWallet } from "./sandbox/sandbox-wallet.ts";

async function start(): Promise<void> {
  // Nobody waits for the module before there is a client; if it fails, that says so.
  init().catch(() => {});
  const { chains, accounts: unlocked, bridgeTokens } = await readConfig();
  let attacks: Attacks | null = null;
  const base = await createClient({
    baseUrl: location.origin,
    rpc: rpcOf(chains),
    contracts: contractsOf(chains),
    witnesses: Object.fromEntries(chains.map(({ chainId, witnesses }) => [chainId, witnesses])),
    bridgeTokens,
    // The sandbox limits nobody, unless a test makes it.
    rateLimit: { perSecond: 1_000, burst: 1_000, perDay: 1_000_000 },
    onEvent: (event) => attacks?.hear(event),
  });

  let client: Client = base;
  const current = (): Client => client;
  const store = createStore(firstState(chains));
  const gate = createGate(store);
  const accounts = createAccounts(
    store,
    base,
    gate,
    (bound) => (client = bound),
    () => {
      swap.compose();
      void unfinished.resume();
    },
  );
  const pricing = startPricing(store, current);
  const following = createFollowing(store, current, accounts);
  const sending = createSending(store, current, accounts);
  const offering = createOffering(store, current, accounts);
  const unfinished = createUnfinished(store, current, following, sending, offering, () => swap);
  const swap: Swap = createSwap(store, current, pricing, accounts, gate, following, sending, offering, () => unfinished);
  const orders = createOrders(store, current, swap, accounts);
  const offersBook = createOffersBook(store, current, swap);
  const allowancesBook = createAllowancesBook(store, current, swap);

  attacks = createAttacks(store, pricing, swap);

  const sandboxWallet = await createSandboxWallet(chains, unlocked);
  const opened: WalletChoice = { id: "sandbox", name: "Sandbox wallet", icon: null, provider: sandboxWallet };
  store.set({ wallets: [opened] });
  watchAnnouncedWallets((wallet) => store.set({ wallets: [...store.get().wallets, wallet] }));
  window.addEventListener("online", () => {
    store.set({ online: true, failure: null });
    // A build under review, or an order in progress, has its own price.
    if (store.get().stage === "compose") void pricing.refresh();
  });
  window.addEventListener("offline", () => store.set({ online: false }));

  renderPage({
    store,
    pricing,
    swap,
    accounts,
    orders,
    following,
    offering,
    offersBook,
    allowancesBook,
    attacks,
    unfinished,
    sandboxWallet,
    unlocked,
  });
  void base.journal().then(({ state }) => store.set({ journal: state }));
  await accounts.connect(opened);
  await unfinished.resume();
  if (store.get().stage === "compose") await pricing.refresh();
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

start().catch((error: unknown) => renderUnavailable(error));
