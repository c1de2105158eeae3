import type { VNode } from "preact";
import { counted } from "../../../examples/review-components/src/index.ts";
import { messages } from "../messages/en.ts";
import { sentShown, type State } from "../state/state.ts";
import { AttackButton } from "./attack.tsx";
import { useScene } from "./context.ts";
import { Icon } from "./parts/icon.tsx";

const words = messages.start;

/** What the page is, and how far the trade is on its way to the wallet. */
export function Intro(): VNode {
  const { state } = useScene();
  const { step, isStopped, checked } = progressOf(state);
  const name = isStopped ? words.strip.stopped : words.strip.checked;
  return (
    <div class="intro">
      <p class="line">{words.line}</p>
      <AttackButton />
      <ol class="strip" aria-label={words.strip.name}>
        {[words.strip.asked, words.strip.built, name].map((text, position) => (
          <li
            key={position}
            class={position === 2 && isStopped ? "stopped" : position < step ? "done" : ""}
            aria-current={position === step - 1 ? "step" : undefined}
          >
            <span class="strip-mark">
              {position === 2 && step === 3 ? <Icon name={isStopped ? "cross" : "tick"} /> : position + 1}
            </span>
            {position === 2 && checked ? words.strip.passed(checked) : text}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** By the package's own report: nothing counts as checked without one. */
function progressOf(state: State): { step: number; isStopped: boolean; checked: number | null } {
  const { stage, build, refusal, shown } = state;
  if (stage === "refused" && refusal) return { step: 3, isStopped: true, checked: null };
  // An order of the history was checked some other time.
  const isUnderWay = build?.kind === "delta" ? stage === "progress" && shown === build.orderHash : isSent(state);
  if (!build || (stage !== "review" && !isUnderWay)) return { step: 1, isStopped: false, checked: null };
  return { step: 3, isStopped: false, checked: counted(build.report) };
}

function isSent(state: State): boolean {
  const sent = sentShown(state)?.sent;
  return sent !== undefined && sent.sentence === state.build?.report.sentence;
}
