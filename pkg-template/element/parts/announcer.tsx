import { useEffect, useRef } from "preact/hooks";
import type { SwapState } from "../../src/types/swap.ts";
import { endWords } from "../activity/news.tsx";
import { standingOf, titleOf } from "../entry/words.ts";
import { rounded } from "../format.ts";
import { useScene, type Scene } from "../scene.ts";
import { useSymbol } from "./text.tsx";

/** Has the live region read out each change that the screen shows: never a mere refresh. A failure is an alert of its own. */
export function Announcer(): null {
  const scene = useScene();
  const symbolOf = useSymbol();
  const before = useRef(scene.state);
  useEffect(() => {
    const news = before.current === scene.state ? null : newsBetween(before.current, scene, symbolOf);
    before.current = scene.state;
    if (news) scene.announce(news);
  });
  return null;
}

/** The gravest news first; one sentence at a time. */
function newsBetween(before: SwapState, scene: Scene, symbolOf: ReturnType<typeof useSymbol>): string | null {
  const { state: now, words } = scene;
  const texts = words.entry.announce;
  if (now.view === "refusal" && before.view !== "refusal") return texts.refused;
  if (now.view === "review" && before.view !== "review") {
    const { build, steps = [] } = now.review ?? {};
    if (steps.some(({ purpose }) => purpose === "cancelOrders" || purpose === "cancel")) return texts.cancel;
    return build?.kind === "delta" ? texts.order : texts.transaction;
  }
  const known = before.activity.entries.filter(({ isNews }) => isNews).map(({ id }) => id);
  const ended = now.activity.entries.find(({ id, isNews }) => isNews && !known.includes(id));
  if (ended) return endWords(ended, scene, symbolOf);
  const shown = shownWords(now, scene);
  if (shown && shown !== shownWords(before, scene)) return shown;
  if (now.busy && now.busy !== before.busy && words.review.busy[now.busy]) return words.review.busy[now.busy];
  if (now.moved && !before.moved) return texts.moved;
  if (now.review?.prompt && !before.review?.prompt) return texts.step;
  if (now.review?.isRenewed && now.review.build !== before.review?.build) return texts.renewed;
  return now.view === "form" && now.quote && !before.quote ? priceWords(scene, symbolOf) : null;
}

/** How the trade stands that is shown by itself. */
function shownWords({ view, entry }: SwapState, { words }: Scene): string | null {
  if (view !== "entry" || !entry) return null;
  return [titleOf(entry, words.entry), standingOf(entry, words.entry)].filter(Boolean).join(". ");
}

function priceWords({ state: { figures }, words, tokenOf }: Scene, symbolOf: ReturnType<typeof useSymbol>): string | null {
  if (!figures?.pay || !figures.get) return null;
  const { src, dest, pay, get } = figures;
  const [paid, got] = [tokenOf(src.chainId, src.token), tokenOf(dest.chainId, dest.token)];
  if (!paid || !got) return null;
  const sum = (amount: string, decimals: number, symbol: string): string => `${rounded(amount, decimals)} ${symbol}`;
  return words.entry.announce.price(
    sum(pay, paid.decimals, symbolOf(src.chainId, src.token)), sum(get, got.decimals, symbolOf(dest.chainId, dest.token)),
  );
}
