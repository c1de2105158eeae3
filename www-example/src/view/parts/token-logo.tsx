import type { VNode } from "preact";
import btc from "cryptocurrency-icons/svg/color/btc.svg";
import dai from "cryptocurrency-icons/svg/color/dai.svg";
import eth from "cryptocurrency-icons/svg/color/eth.svg";
import usdc from "cryptocurrency-icons/svg/color/usdc.svg";
import usdt from "cryptocurrency-icons/svg/color/usdt.svg";
import wbtc from "cryptocurrency-icons/svg/color/wbtc.svg";
import type { Token } from "../../sandbox/sandbox.ts";
import { useScene } from "../context.ts";
import { chainName } from "../../state/state.ts";

const LOGOS: Record<string, string> = { BTC: btc, DAI: dai, ETH: eth, WETH: eth, USDC: usdc, USDT: usdt, WBTC: wbtc };

/** Hues of drawn marks. */
const HUES = 6;

/* Letters are drawn by the stylesheet: they are no part of the name of the button around them. */

/** A token's logo, with its chain's badge. A token that no list knows has a drawn letter, whatever it calls itself. */
export function TokenLogo({ token }: { token: Token }): VNode {
  const { state } = useScene();
  const { symbol, kind, address, chainId } = token;
  const logo = kind === "unknown" ? undefined : LOGOS[symbol];
  return (
    <span class="logo" aria-hidden="true">
      {logo ? (
        <img src={logo} alt="" width={32} height={32} />
      ) : (
        <span class={`letter hue-${parseInt(address.slice(-4), 16) % HUES}`}>{[...symbol][0]}</span>
      )}
      {state.chains.length > 1 && <ChainBadge chainId={chainId} />}
    </span>
  );
}

/** A chain's mark: the first letter of what tells its name from the others'. */
export function ChainBadge({ chainId }: { chainId: number }): VNode {
  const { state } = useScene();
  const position = state.chains.findIndex((chain) => chain.chainId === chainId);
  const letter = chainName(state, chainId).split(" ").at(-1)?.[0];
  return <span class={`badge hue-${(position + HUES) % HUES}`} aria-hidden="true" data-letter={letter} />;
}
