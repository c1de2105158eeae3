// The interface of the element, which it loads once it is in a document.
import { render, type VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { SwapToken } from "../src/types/swap.ts";
import { wordsOf } from "./messages.ts";
import { SceneContext, type Kind, type Scene } from "./scene.ts";
import { chainsOf, openSession, type Emit, type Given, type Session } from "./session.ts";
import { adopt } from "./style/sheets.ts";
import activity from "./style/activity.css";
import base from "./style/base.css";
import entry from "./style/entry.css";
import form from "./style/form.css";
import motion from "./style/motion.css";
import review from "./style/review.css";
import walletStyles from "./style/wallets.css";
import { Activity } from "./activity/activity.tsx";
import { Entry } from "./entry/entry.tsx";
import { Form } from "./form/form.tsx";
import { nodeOf } from "./form/unlisted.ts";
import { Announcer } from "./parts/announcer.tsx";
import { Refusal } from "./review/refusal.tsx";
import { Review } from "./review/review.tsx";
import { WalletDialog } from "./wallets/wallets.tsx";

const VIEWS = { form: Form, review: Review, refusal: Refusal, entry: Entry };

const SHEETS = [motion, base, form, review, entry, activity, walletStyles];
const KINDS: readonly Kind[] = ["swap", "limit", "slices", "crosschain"];

/** An interface that is shown. */
export interface Shown {
  /** Takes the attributes and properties as they are now; the client, and the tokens to begin with, stay. */
  update(given: Given): void;
  /** Rejects if the client cannot be made: there is nothing to show then. */
  opened: Promise<unknown>;
  /** Takes it away, and ends its parts. */
  close(): void;
}

/** Opens the parts of an element, and shows its interface in this node of a shadow root. */
export async function show(node: Element, given: Given, emit: Emit): Promise<Shown> {
  let now = given;
  let isDrawn = false;
  const session = await openSession(given, emit, (session) => isDrawn && draw(node, session, now));
  node.replaceChildren();
  isDrawn = true;
  draw(node, session, now);
  return {
    opened: Promise.resolve(session.client),
    update(given) {
      now = given;
      session.update(given);
      draw(node, session, now);
    },
    close() {
      render(null, node);
      session.close();
    },
  };
}

/** Draws the interface of a session. */
export function draw(node: Element, session: Parts, given: Given): void {
  const root = node.getRootNode();
  if (root instanceof ShadowRoot) adopt(root, SHEETS);
  const { swap, client, tokens, wallets } = session;
  render(<Root {...{ swap, client, tokens, wallets, given }} />, node);
}

/** The parts of a session that are drawn. */
type Parts = Pick<Session, "swap" | "client" | "tokens" | "wallets">;

function Root({ swap, client, tokens: listed, wallets, given }: Parts & { given: Given }): VNode {
  const [state, setState] = useState(swap.state);
  const [added, setAdded] = useState<readonly SwapToken[]>([]);
  const [isChoosing, setChoosing] = useState(false);
  const [spoken, setSpoken] = useState("");
  const [{ connected: wallet }, setWallets] = useState(wallets.state);
  useEffect(() => swap.subscribe(setState), [swap]);
  useEffect(() => (setWallets(wallets.state), wallets.subscribe(setWallets)), [wallets]);
  const words = useMemo(() => wordsOf(given.messages), [given.messages]);
  const tokens = useMemo(() => [...listed, ...added], [listed, added]);
  const chains = useMemo(() => chainsOf(given), [given.chains, given.tokens]);
  const scene: Scene = {
    swap, state, words, tokens, chains, client,
    ask: nodeOf(given.client, wallet?.provider ?? null, state.walletChainId),
    kinds: kindsOf(given.kinds),
    wallet: state.account && wallet && (wallet.name || words.wallets.ownWallet),
    tokenOf: (chainId, address) => tokenIn([...tokens, state.form.src, state.form.dest], chainId, address),
    chainName: (chainId) => chains.find((chain) => chain.chainId === chainId)?.name ?? words.parts.unknownChain(chainId),
    addToken: (token) => setAdded((all) => [...all, token]),
    openWallets: () => setChoosing(true),
    // A screen reader repeats a text only if it differs.
    announce: (text) => setSpoken((last) => (text === last ? `${text}\u00a0` : text)),
  };
  const node = useViewFocus(`${state.view} ${state.entry?.id ?? ""}`);
  const View = VIEWS[state.view];
  return (
    <SceneContext.Provider value={scene}>
      <div class="layout" ref={node}>
        <section class="card" aria-label={words.frame.name}>
          <View />
        </section>
        <Activity />
        {isChoosing && <WalletDialog wallets={wallets} onClose={() => setChoosing(false)} />}
        <Announcer />
        <p class="visually-hidden" role="status">{spoken}</p>
      </div>
    </SceneContext.Provider>
  );
}

function tokenIn(tokens: readonly SwapToken[], chainId: number, address: string): SwapToken | null {
  return tokens.find((token) => token.chainId === chainId && token.address.toLowerCase() === address.toLowerCase()) ?? null;
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

/** The forms of the attribute `kinds`; without one that is known, all. */
function kindsOf(text: string): readonly Kind[] {
  const named = text.split(/[\s,]+/);
  const some = KINDS.filter((kind) => named.includes(kind));
  return some.length > 0 ? some : KINDS;
}
