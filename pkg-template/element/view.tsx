// The interface of the element, which it loads once it is in a document.
import { render, type VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { SwapToken } from "../src/types/swap.ts";
import { wordsOf } from "./messages.ts";
import { SceneContext, type Scene } from "./scene.ts";
import type { Session } from "./session.ts";
import { Activity } from "./activity/activity.tsx";
import { Entry } from "./entry/entry.tsx";
import { Form } from "./form/form.tsx";
import { Refusal } from "./review/refusal.tsx";
import { Review } from "./review/review.tsx";
import { WalletDialog } from "./wallets/wallets.tsx";

const VIEWS = { form: Form, review: Review, refusal: Refusal, entry: Entry };

/** Draws the interface of a session into a shadow root; returns a function that takes it away. */
export function draw(root: Element, session: Session): () => void {
  render(<Root session={session} />, root);
  return () => render(null, root);
}

function Root({ session }: { session: Session }): VNode {
  const { swap, settings } = session;
  const [state, setState] = useState(swap.state);
  const [added, setAdded] = useState<readonly SwapToken[]>([]);
  const [isChoosing, setChoosing] = useState(false);
  const [spoken, setSpoken] = useState("");
  const [wallet, setWallet] = useState(session.wallets.connected);
  useEffect(() => swap.subscribe(setState), [swap]);
  useEffect(() => session.wallets.subscribe(() => setWallet(session.wallets.connected)), [session]);
  const words = useMemo(() => wordsOf(settings.messages), [settings.messages]);
  const tokens = useMemo(() => [...session.tokens, ...added], [session.tokens, added]);
  const scene: Scene = {
    swap, state, words, tokens,
    client: session.client,
    chains: settings.chains,
    kinds: settings.kinds,
    wallet: wallet?.name ?? null,
    tokenOf(chainId, address) {
      const isIt = (token: SwapToken): boolean => token.chainId === chainId && token.address.toLowerCase() === address.toLowerCase();
      return [...tokens, state.form.src, state.form.dest].find(isIt) ?? null;
    },
    chainName: (chainId) => settings.chains.find((chain) => chain.chainId === chainId)?.name ?? words.parts.unknownChain(chainId),
    addToken: (token) => setAdded((all) => [...all, token]),
    openWallets: () => setChoosing(true),
    announce: setSpoken,
  };
  const node = useViewFocus(`${state.view} ${state.entry?.id ?? ""}`);
  const View = VIEWS[state.view];
  return (
    <SceneContext.Provider value={scene}>
      <div class="vs" ref={node}>
        <section class="card" aria-label={words.parts.name}>
          <View />
        </section>
        <Activity />
        {isChoosing && <WalletDialog wallets={session.wallets} onClose={() => setChoosing(false)} />}
        <p class="visually-hidden" role="status">{spoken}</p>
      </div>
    </SceneContext.Provider>
  );
}

/** Moves the focus to the heading of a view that took the place of another one. */
function useViewFocus(view: string): { current: HTMLDivElement | null } {
  const node = useRef<HTMLDivElement>(null);
  const before = useRef(view);
  useLayoutEffect(() => {
    if (before.current === view) return;
    before.current = view;
    node.current?.querySelector<HTMLElement>(".heading")?.focus();
  }, [view]);
  return node;
}
