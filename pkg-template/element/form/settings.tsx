import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { percent, shortAddress, units } from "../format.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { useScene } from "../scene.ts";
import { Chips, Entry } from "./controls.tsx";
import { faultWords } from "./faults.ts";

const PRESETS_BPS = [10, 50, 100];
const HIGHEST_BPS = 5_000;
/** Above it the package asks. */
const HIGH_BPS = 500;

/** The button that opens the settings, with the one that matters most. */
export function SettingsButton({ onOpen }: { onOpen: () => void }): VNode {
  const { state: { form }, words } = useScene();
  const slippage = percent(form.slippageBps);
  const isHigh = form.slippageBps > HIGH_BPS;
  return (
    <button type="button" class="form-settings" aria-haspopup="dialog" aria-label={words.form.settings.button(slippage)} onClick={onOpen}>
      {form.kind !== "limit" && <bdi class={isHigh ? "form-warns" : undefined}>{slippage}</bdi>}
      <Icon name="gear" />
    </button>
  );
}

/** The settings: how far the price may move, which path, how the account consents, and who receives. */
export function Settings({ onClose }: { onClose: () => void }): VNode {
  const { state, swap, words } = useScene();
  const { form, account } = state;
  const texts = words.form.settings;
  const isCrossing = form.src.chainId !== form.dest.chainId;
  const paths = (["gasless", "best", "market"] as const).map((path) => [path, texts.paths[path]] as const);
  return (
    <Dialog title={texts.title} onClose={onClose}>
      {form.kind !== "limit" && <Slippage />}
      {form.kind === "swap" && !isCrossing && (
        <Chips legend={texts.path} options={paths} value={form.path} onChoose={(path) => swap.change({ path, chosen: null })} />
      )}
      <Consent />
      <Entry
        label={texts.receiver}
        value={form.receiver ?? ""}
        inputMode="text"
        placeholder={account ? texts.you(shortAddress(account)) : "0x…"}
        fault={faultWords(state, "receiver", words)}
        hint={form.receiver === null ? texts.emptyIsYou : ""}
        onType={(text) => swap.change({ receiver: text.trim() === "" ? null : text })}
      />
    </Dialog>
  );
}

/** Approval or permit; signature or transaction, where the account can do both. */
function Consent(): VNode {
  const { state: { form, hasCode }, swap, words } = useScene();
  const texts = words.form.settings;
  return (
    <>
      {form.kind === "swap" && !form.preSign && (
        <div>
          <Chips
            legend={texts.spending}
            options={[["never", texts.never], ["whenPossible", texts.whenPossible]]}
            value={form.permit}
            onChoose={(permit) => swap.change({ permit })}
          />
          <p class="quiet">{texts.spendingHint}</p>
        </div>
      )}
      {hasCode && (
        <Chips
          legend={texts.consent}
          options={[["signature", texts.signature], ["transaction", texts.transaction]]}
          value={form.preSign ? "transaction" : "signature"}
          onChoose={(by) => swap.change({ preSign: by === "transaction" })}
        />
      )}
    </>
  );
}

/** How far the price may move, as a percentage. */
function Slippage(): VNode {
  const { state: { form: { slippageBps } }, swap, words } = useScene();
  const texts = words.form.settings;
  const [own, setOwn] = useState(PRESETS_BPS.includes(slippageBps) ? "" : units(String(slippageBps), 2));
  const isWrong = own.trim() !== "" && bpsOf(own) === null;
  const note = isWrong ? texts.notPercent : slippageBps > HIGH_BPS ? texts.muchLess : texts.nothingTraded;

  function read(text: string): void {
    setOwn(text);
    const bps = bpsOf(text);
    if (bps !== null) swap.change({ slippageBps: bps });
  }

  return (
    <div>
      <Chips
        legend={texts.slippage}
        options={PRESETS_BPS.map((bps) => [bps, percent(bps)] as const)}
        value={own === "" ? slippageBps : null}
        onChoose={(bps) => (setOwn(""), swap.change({ slippageBps: bps }))}
      >
        <input
          class="text form-percent"
          type="text"
          inputMode="decimal"
          autocomplete="off"
          placeholder={texts.other}
          aria-label={texts.otherLabel}
          aria-describedby="form-slippage-note"
          aria-invalid={isWrong}
          value={own}
          onInput={({ currentTarget }) => read(currentTarget.value)}
        />
      </Chips>
      <p id="form-slippage-note" class={isWrong ? "problem" : slippageBps > HIGH_BPS ? "quiet form-warns" : "quiet"}>{note}</p>
    </div>
  );
}

/** A percentage in bps; null if it is none, or too high. */
function bpsOf(text: string): number | null {
  const [, whole, fraction = ""] = /^\s*(\d{1,2})(?:[.,](\d{1,2}))?\s*%?\s*$/.exec(text) ?? [];
  const bps = whole === undefined ? null : Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
  return bps !== null && bps <= HIGHEST_BPS ? bps : null;
}
