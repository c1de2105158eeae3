import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { firstSpending, isTaken, permitKinds } from "../../client/permits.ts";
import { beneficiaryOf } from "../../client/pricing.ts";
import { messages } from "../../messages/en.ts";
import { percent, readAmount, typed } from "../../state/money.ts";
import { isCrosschain, short, type Path } from "../../state/state.ts";
import { useScene } from "../context.ts";
import { Choice, Entry } from "../parts/choice.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";

const words = messages.form.settings;

const CHOICES_BPS = [10, 50, 100];
const HIGHEST_BPS = 5_000;
const HIGH_BPS = 300;

/** What opens the settings: it says the one that matters most. */
export function Settings(): VNode {
  const { state } = useScene();
  const [open, setOpen] = useState(false);
  const limits = state.tab === "limit";
  return (
    <>
      <button
        type="button"
        id="settings-button"
        class="settings-button"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <span class="settings-name">{limits ? words.title : `${words.slippageShort} `}</span>
        {!limits && <span>{percent(state.slippageBps)}</span>}
        <Icon name="gear" />
      </button>
      {open && (
        <Dialog title={words.title} class="popover" onClose={() => setOpen(false)}>
          <div class="settings" id="slippage">
            {!limits && <Slippage />}
            <PathChoice />
            <Spending />
            <Receiver />
          </div>
        </Dialog>
      )}
    </>
  );
}

/** How far the price may move. */
function Slippage(): VNode {
  const { state, store } = useScene();
  const { slippageBps } = state;
  const isPreset = CHOICES_BPS.includes(slippageBps);
  const [text, setText] = useState(isPreset ? "" : typed(String(slippageBps), 2));
  const { amount, problem } = readAmount(text, words.percentage, 2);
  const bps = amount === null ? null : Number(amount);
  const wrong = problem ?? (bps !== null && bps > HIGHEST_BPS ? words.atMost(percent(HIGHEST_BPS)) : null);

  function read(typedText: string): void {
    setText(typedText);
    const { amount } = readAmount(typedText, words.percentage, 2);
    if (amount !== null && Number(amount) <= HIGHEST_BPS) store.set({ slippageBps: Number(amount) });
  }

  return (
    <div>
      <Choice
        name="slippage"
        legend={words.slippage}
        options={CHOICES_BPS.map((one) => [one, percent(one)] as const)}
        value={text === "" ? slippageBps : 0}
        onChoose={(chosen) => {
          setText("");
          store.set({ slippageBps: chosen });
        }}
      >
        <input
          class="text short"
          type="text"
          inputMode="decimal"
          autocomplete="off"
          placeholder={words.other}
          aria-label={words.otherLabel}
          aria-describedby="slippage-note"
          aria-invalid={wrong !== null}
          value={text}
          onInput={({ currentTarget }) => read(currentTarget.value)}
        />
      </Choice>
      <p id="slippage-note" class={wrong ? "note problem" : "note"}>
        {wrong ?? (slippageBps > HIGH_BPS ? words.muchLess : words.nothingTraded)}
      </p>
    </div>
  );
}

/** Gasless, Market, or the better of both. */
function PathChoice(): VNode | null {
  const { state, store, pricing } = useScene();
  if (state.tab !== "swap" || isCrosschain(state)) return null;

  function choose(path: Path): void {
    const { spending, src } = state;
    const stays = spending === "approve" || isTaken(spending, path === "market");
    store.set({ path, ...(stays ? {} : { spending: firstSpending(src) }) });
    pricing.changed();
  }

  const options = (["fallback", "both", "market"] as const).map((path) => [path, words.paths[path]] as const);
  return <Choice name="path" legend={words.path} options={options} value={state.path} onChoose={choose} />;
}

/** How the contract gets to spend. */
function Spending(): VNode | null {
  const { state, store } = useScene();
  const kinds = permitKinds(state);
  if (state.tab !== "swap" || kinds.length === 0) return null;
  const offered = state.src.kind === "signOnly" ? kinds : (["approve", ...kinds] as const);
  return (
    <Choice
      name="spending"
      legend={words.spending}
      options={offered.map((kind) => [kind, words.kinds[kind]] as const)}
      value={state.spending}
      onChoose={(spending) => store.set({ spending })}
    />
  );
}

/** Whom it is paid to: empty, the owner. */
function Receiver(): VNode {
  const { state, store, pricing } = useScene();
  const read = beneficiaryOf(state);
  return (
    <Entry
      id="beneficiary"
      label={words.receiver}
      placeholder={state.account ? words.you(short(state.account)) : "0x…"}
      mono
      hint={state.beneficiaryText === null ? words.emptyIsYou : ""}
      value={state.beneficiaryText ?? ""}
      problem={read.ok || read.problem === "" ? null : read.problem}
      onType={(text) => {
        store.set({ beneficiaryText: text === "" ? null : text });
        pricing.changed();
      }}
    />
  );
}
