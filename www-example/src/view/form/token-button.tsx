import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { messages } from "../../messages/en.ts";
import { chainName } from "../../state/state.ts";
import { useScene } from "../context.ts";
import { Icon } from "../parts/icon.tsx";
import { TokenLogo } from "../parts/token-logo.tsx";
import { TokenPicker } from "./token-picker.tsx";

/** The token of one side. A press lets another one be chosen. */
export function TokenButton({ of, label }: { of: "src" | "dest"; label: string }): VNode {
  const { state } = useScene();
  const [picking, setPicking] = useState(false);
  const token = state[of];
  const elsewhere = token.chainId === state.chain.chainId ? "" : ` ${chainName(state, token.chainId)}`;
  // One of no list has its address with it.
  const [symbol, mark = ""] = token.symbol.split(/(?=\()/);
  return (
    <>
      <button
        type="button"
        id={`${of}-token`}
        class="token"
        aria-label={messages.form.chooseToken(label, token.symbol, elsewhere)}
        onClick={() => setPicking(true)}
      >
        <TokenLogo token={token} />
        <span>
          {symbol}
          <small>{mark + elsewhere}</small>
        </span>
        <Icon name="down" />
      </button>
      {picking && <TokenPicker of={of} onClose={() => setPicking(false)} />}
    </>
  );
}
