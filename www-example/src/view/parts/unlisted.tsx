import type { VNode } from "preact";
import { messages } from "../../messages/en.ts";
import { chainName } from "../../state/state.ts";
import type { Token } from "../../sandbox/sandbox.ts";
import { useScene } from "../context.ts";
import { Dialog } from "./dialog.tsx";
import { Icon } from "./icon.tsx";
import { TokenLogo } from "./token-logo.tsx";

const words = messages.form.picker;

interface UnlistedProps {
  token: Token;
  onUse(): void;
  onBack(): void;
  onClose(): void;
}

/** Nobody vouches for a token that was found by its address: it is used only after this. */
export function UnlistedDialog({ token, onUse, onBack, onClose }: UnlistedProps): VNode {
  const { state } = useScene();
  const { symbol, name, decimals, chainId } = token;
  return (
    <Dialog title={words.unknownTitle} class="picker" onClose={onClose}>
      <div class="unknown">
        <TokenLogo token={token} />
        <strong>{symbol}</strong>
        <span class="quiet">{words.itself(name, decimals, chainName(state, chainId))}</span>
      </div>
      <UnlistedWarning token={token} />
      <div class="buttons">
        <button type="button" class="secondary" onClick={onBack}>
          {words.back}
        </button>
        <button type="button" class="primary" onClick={onUse}>
          {words.use(symbol)}
        </button>
      </div>
    </Dialog>
  );
}

export function UnlistedWarning({ token: { symbol, address, calls = "" } }: { token: Token }): VNode {
  const { chains } = useScene().state;
  const listed = chains.flatMap(({ tokens }) => tokens).filter(({ kind }) => kind !== "unknown");
  const posed = listed.find((one) => lettersOf(one.symbol) === lettersOf(calls));
  const isForeign = /[^!-~]/.test(calls);
  return (
    <p class="warning">
      <Icon name="warning" />
      <span>
        {posed && <strong>{words.poses(posed.symbol)} </strong>}
        {isForeign && <strong>{words.foreign} </strong>}
        {words.warning(symbol, address)}
      </span>
    </p>
  );
}

/** "000USDC" and "USDC.e" are read as USDC. */
function lettersOf(symbol: string): string {
  return symbol.replace(/[^a-z]/gi, "").toLowerCase();
}
