import type { VNode } from "preact";
import { messages } from "../messages/en.ts";
import { troubleWords } from "../state/failure.ts";
import type { Trouble } from "../state/parts.ts";
import { useScene } from "./context.ts";
import { useRetryWords } from "./countdown.ts";
import { Icon } from "./parts/icon.tsx";

const words = messages.start.failed;

/** The line above a main button: what went wrong, what it means, and when it is tried again; else `words`. */
export function Message({ failure, words }: { failure: Trouble | null; words: string }): VNode {
  // Seen, and not announced each second.
  const retry = useRetryWords(failure?.retryAt);
  return (
    <p class={failure ? "message problem" : "message"}>
      {failure ? troubleWords(failure) : words}
      {retry && <span class="retry"> {retry}</span>}
    </p>
  );
}

/** In place of the card when the page cannot start; of all that would wait for it, if that is for good. */
export function CannotStart({ trouble }: { trouble: Trouble }): VNode {
  const { start } = useScene();
  const retry = useRetryWords(trouble.retryAt);
  const isForGood = trouble.retryAt === undefined;
  return (
    <section class={isForGood ? "stage cannot-start for-good" : "stage cannot-start"} aria-labelledby="cannot-start">
      <span class="vs-stop">
        <Icon name="warning" />
      </span>
      <h1 id="cannot-start" tabIndex={-1}>
        {words.title}
      </h1>
      <p class="sentence" role="alert">
        {troubleWords(trouble)}
      </p>
      <p>{trouble.advice ?? words.advice}</p>
      {trouble.details && (
        <details class="vs-details">
          <summary>{words.details}</summary>
          <p class="mono">{trouble.details}</p>
        </details>
      )}
      {!isForGood && (
        <div class="action">
          <p class="retry">{retry}</p>
          <button type="button" class="primary" aria-disabled="false" onClick={() => void start()}>
            {words.again}
          </button>
        </div>
      )}
    </section>
  );
}
