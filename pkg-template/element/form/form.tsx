import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { Heading } from "../parts/text.tsx";
import { useScene } from "../scene.ts";
import { WalletButton } from "../wallets/wallets.tsx";
import { Action, mainOf } from "./action.tsx";
import { AmountField } from "./amount.tsx";
import { Choices } from "./choices.tsx";
import { Notices } from "./notices.tsx";
import { Outcome } from "./outcome.tsx";
import type { Side } from "./pair.ts";
import { TokenPicker } from "./picker.tsx";
import { Settings, SettingsButton } from "./settings.tsx";
import { useTabs } from "./tabs.tsx";
import { LimitTerms, SliceTerms } from "./terms.tsx";

/** The form: tokens, amounts, price and terms. A limit and slices are rows that are added to it. */
export function Form(): VNode {
  const scene = useScene();
  const { state, swap, words } = scene;
  const [open, setOpen] = useState<Side | "settings" | null>(null);
  const { tabs, stayed } = useTabs();
  const main = mainOf(scene);
  const close = (): void => setOpen(null);
  return (
    <>
      <div class="form-head">
        <Heading>{words.form.titles[state.form.kind]}</Heading>
        {tabs}
        <WalletButton />
        <SettingsButton onOpen={() => setOpen("settings")} />
      </div>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!state.failure) main.run?.();
        }}
      >
        <div class="form-fields">
          <AmountField side="src" onPick={() => setOpen("src")} />
          <button type="button" class="form-turn" aria-label={words.form.turn} onClick={swap.turn}><Icon name="turn" /></button>
          <AmountField side="dest" onPick={() => setOpen("dest")} />
        </div>
        <LimitTerms />
        <SliceTerms />
        <Choices />
        <Notices stayed={stayed} />
        <Outcome />
        <Action main={main} />
      </form>
      {open === "settings" && <Settings onClose={close} />}
      {(open === "src" || open === "dest") && <TokenPicker side={open} onClose={close} />}
    </>
  );
}
