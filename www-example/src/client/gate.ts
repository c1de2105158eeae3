import type { Eip1193Provider } from "verified-swap";
import { RefusedHere } from "../state/failure.ts";
import type { Asked } from "../state/parts.ts";
import type { State } from "../state/state.ts";
import { until, type Store } from "../state/store.ts";
import { isOfOther } from "../state/steps.ts";
import { readPrompt, shownBy } from "./prompts.ts";

/* In front of the wallet: it opens for what the user confirmed on the page, and for nothing else. A step that no review
   has shown yet is held back and shown, one prompt for one click. The package verifies what it asks for; this sees to
   it that the page has shown that. */

export interface Gate {
  /** The wallet behind the gate. */
  guard(wallet: Eip1193Provider): Eip1193Provider;
  /** The user confirmed what the page shows: until it was answered the wallet may be asked for that. */
  confirm(): void;
  /** Waits for the user to confirm the questions on the page. Rejects if they go elsewhere. */
  ask(): Promise<void>;
  /** The user confirmed what is held back. */
  agree(): void;
  /** The user went elsewhere: what is held back is rejected. */
  refuse(): void;
}

/** They ask for nothing that is signed or sent. */
const HARMLESS = [
  /^eth_(accounts|requestAccounts|chainId|blockNumber|call|gasPrice)$/,
  /^eth_get(Balance|BlockByNumber|Code|Logs|Transaction\w+)$/,
  /^wallet_(getCapabilities|getCallsStatus|switchEthereumChain|addEthereumChain)$/,
];

export function createGate(store: Store<State>): Gate {
  let confirmed = new Set<string>();
  let held: { agree(): void; refuse(): void } | null = null;

  /** Shows it in its turn, and waits for the user. What the page did meanwhile goes on behind it. */
  async function review(asked: Asked): Promise<void> {
    const { account } = store.get();
    const isFree = (state: State): boolean => !state.isHeld && !(state.stage === "review" && isOfOther(asked, state));
    while (!isFree(store.get())) await until(store, isFree);
    const { stage, account: now } = store.get();
    if (now !== account) throw new RefusedHere("left");
    store.set({ asked, isHeld: true, stage: "review", failure: null });
    await new Promise<void>((agree, refuse) => (held = { agree, refuse: () => refuse(new RefusedHere("left")) }));
    // From the form, the review stays until there is more to review. Any other view is shown again.
    const stays = asked.kind !== "cancel" && (stage === "compose" || stage === "review");
    store.set({ isHeld: false, ...(stays ? {} : { stage, asked: null }) });
    // It is drawn, and has the focus, before the wallet takes that.
    await new Promise((drawn) => setTimeout(drawn));
  }

  return {
    guard(wallet) {
      return {
        async request(question) {
          if (HARMLESS.some((methods) => methods.test(question.method))) return wallet.request(question);
          const parts = readPrompt(question, store.get());
          if (!parts?.length) throw new RefusedHere("unshown");
          // Beside what was confirmed nothing is asked for that was not. A reset only begins an approval.
          const joins = parts.some(({ id, asked }) => confirmed.has(id) && asked?.kind !== "reset");
          for (const { id, asked } of parts) {
            if (confirmed.has(id)) continue;
            if (!asked || joins) throw new RefusedHere("unshown");
            await review(asked);
          }
          store.set({ prompts: store.get().prompts + 1 });
          const answer = await wallet.request(question);
          for (const { id } of parts) confirmed.delete(id);
          return answer;
        },
      };
    },
    confirm() {
      confirmed = new Set(shownBy(store.get()));
    },
    async ask() {
      store.set({ asked: null, isHeld: true, stage: "review", failure: null });
      await new Promise<void>((agree, refuse) => (held = { agree, refuse: () => refuse(new RefusedHere("left")) }));
      store.set({ isHeld: false });
    },
    agree() {
      held?.agree();
      held = null;
    },
    refuse() {
      confirmed = new Set();
      held?.refuse();
      if (held) store.set({ isHeld: false });
      held = null;
    },
  };
}
