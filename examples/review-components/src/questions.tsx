import type { Question } from "verified-swap";
import { questionWords } from "./checks";
import type { Reader } from "./reader";

/** Something that is said yes to by a tick. */
export interface Consent {
  id: string;
  text: string;
}

export interface ConsentsProps {
  consents: readonly Consent[];
  /** The ids of those that are ticked. */
  accepted: readonly string[];
  onChange(accepted: string[]): void;
  reader: Pick<Reader, "texts">;
}

/** A tick for each thing that only the user can say yes to. None is ticked by itself. */
export function Consents({ consents, accepted, onChange, reader: { texts } }: ConsentsProps) {
  if (consents.length === 0) return null;
  const others = (id: string): string[] => accepted.filter((other) => other !== id);
  return (
    <fieldset className="vs-consents">
      <legend className="vs-hidden">{texts.questions.legend}</legend>
      {consents.map(({ id, text }) => (
        <label key={id} className="vs-consent">
          <input
            type="checkbox"
            checked={accepted.includes(id)}
            onChange={({ currentTarget }) => onChange(currentTarget.checked ? [...others(id), id] : others(id))}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}

export interface QuestionsProps extends Omit<ConsentsProps, "consents" | "reader"> {
  /** Of a report, a review, a prompt or an error. What is ticked goes into `accept`. */
  questions: readonly Question[];
  reader: Reader;
}

/** The package's questions, each to be ticked. */
export function Questions({ questions, reader, ...ticks }: QuestionsProps) {
  const consents = questions.map((question) => ({ id: question.id, text: questionWords(question, reader) }));
  return <Consents consents={consents} reader={reader} {...ticks} />;
}
