import type { VNode } from "preact";
import { Icon } from "../parts/icon.tsx";
import { Copy, Heading } from "../parts/text.tsx";
import { Failure } from "../review/failure.tsx";
import { useScene } from "../scene.ts";
import { About } from "./about.tsx";
import { Actions, isAsked } from "./actions.tsx";
import { Receipt, Seen } from "./receipt.tsx";
import { stepsOf } from "./steps.ts";
import { Timeline } from "./timeline.tsx";
import { Transactions } from "./transactions.tsx";
import { lookOf, needOf, standingOf, titleOf } from "./words.ts";

/** One trade by itself: its progress, then its receipt. */
export function Entry(): VNode | null {
  const { swap, state, words, chainName } = useScene();
  const { entry } = state;
  if (!entry) return null;
  const { figures, sentence, purpose } = entry;
  const standing = standingOf(entry, words.entry);
  const isDone = entry.state === "done";
  const need = needOf(entry);
  const failure = entry.failure ?? state.failure;
  const goesOn = failure !== null || (need !== null && words.entry.needs[need].go !== "");
  return (
    <>
      <div class={`entry-title entry-is-${lookOf(entry)}`}>
        {isDone && <span class="entry-dot"><Icon name={lookOf(entry) === "done" ? "tick" : "unknown"} /></span>}
        <Heading>{titleOf(entry, words.entry)}</Heading>
      </div>
      {figures ? <Receipt entry={entry} figures={figures} /> : <p>{words.entry.purpose[purpose]}: <About entry={entry} /></p>}
      {isDone && figures && <Seen entry={entry} figures={figures} />}
      {standing && (
        <p class={need ? "note note-warn" : entry.state === "failed" ? "note note-stop" : "quiet"}>
          {(need || entry.state === "failed") && <Icon name="warning" />}<span>{standing}</span>
        </p>
      )}
      <Timeline steps={stepsOf(entry, words.entry, chainName)} />
      <Transactions entry={entry} />
      {figures && sentence && <Sentence text={sentence} />}
      {failure && <Failure failure={failure} />}
      <Actions entry={entry} kind={failure ? "secondary" : "primary"} />
      <button
        type="button"
        class={goesOn ? "secondary" : "primary"}
        aria-disabled={isAsked(state)}
        onClick={() => !isAsked(state) && swap.back()}
      >
        {words.entry.newSwap}
      </button>
    </>
  );
}

/** The sentence of Rust, word for word. */
function Sentence({ text }: { text: string }): VNode {
  const { facts } = useScene().words.entry;
  return (
    <details class="entry-sentence">
      <summary>{facts.signed}</summary>
      <p class="small-text"><bdi>{text}</bdi> <Copy text={text} name={facts.signed} /></p>
    </details>
  );
}
