import type { VNode } from "preact";
import type { Question } from "../../src/types/report.ts";
import type { Words } from "../messages.ts";
import { useScene } from "../scene.ts";
import { plain } from "./reading.ts";

/** A statement that only the user can agree to. */
export interface Consent {
  id: string;
  text: string;
}

/** A checkbox for each statement; none is checked by itself. */
export function Consents({ consents, accepted, onChange }: {
  consents: readonly Consent[];
  accepted: readonly string[];
  onChange(accepted: string[]): void;
}): VNode | null {
  const { words } = useScene();
  if (consents.length === 0) return null;
  const others = (id: string): string[] => accepted.filter((other) => other !== id);
  return (
    <fieldset class="review-consents">
      <legend class="visually-hidden">{words.review.open.legend}</legend>
      {consents.map(({ id, text }) => (
        <label key={id} class="review-consent">
          <input
            type="checkbox"
            checked={accepted.includes(id)}
            // A tick by a script of the page is not the user's; the change after it would count as one.
            onClick={(event) => event.isTrusted || event.preventDefault()}
            onChange={({ currentTarget }) => onChange(currentTarget.checked ? [...others(id), id] : others(id))}
          />
          <span><bdi>{text}</bdi></span>
        </label>
      ))}
    </fieldset>
  );
}

const ANSWERS: Partial<Record<Question["reason"], keyof Words["review"]["open"]["answers"]>> = {
  mayHaveBeenSent: "sent", receiverUnbound: "receiver",
  unlimitedPermit: "other", permitChainUnbound: "other", slippageHigh: "other", signatureUnread: "other",
};

/** The package's questions in its own words, each with the answer that a tick gives. */
export function consentsOf(questions: readonly Question[], words: Words): Consent[] {
  return questions.map(({ id, reason, text }) => {
    const sentence = plain(`${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? "" : "."}`);
    return { id, text: `${sentence} ${words.review.open.answers[ANSWERS[reason] ?? "price"]}` };
  });
}
