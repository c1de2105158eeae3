import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { SwapToken } from "../../src/types/swap.ts";
import { useScene } from "../scene.ts";
import { plainSymbol } from "./plain-text.ts";

/** Hues of drawn letters. */
const HUES = 6;

/** A token's image with its chain's badge; a letter where there is none. A token that no list has shows no image. */
export function TokenLogo({ token }: { token: SwapToken }): VNode {
  const { chains, chainName } = useScene();
  const [failed, setFailed] = useState<string | null>(null);
  const image = token.isUnlisted ? undefined : imageUrl(token.logoURI);
  return (
    <span class="logo" aria-hidden="true">
      {image && image !== failed ? (
        <img src={image} alt="" width={32} height={32} referrerpolicy="no-referrer" onError={() => setFailed(image)} />
      ) : (
        <span class={`logo-letter hue-${parseInt(token.address.slice(-4), 16) % HUES}`} data-letter={[...plainSymbol(token.symbol)][0]} />
      )}
      {chains.length > 1 && <span class="logo-chain" data-letter={[...chainName(token.chainId).split(" ").at(-1) ?? ""][0]} />}
    </span>
  );
}

function imageUrl(uri: string | undefined): string | undefined {
  if (uri?.startsWith("ipfs://")) return `https://ipfs.io/ipfs/${uri.slice(7)}`;
  return uri && /^(https:\/\/|data:image\/)/.test(uri) ? uri : undefined;
}
