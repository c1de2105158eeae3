import { useState } from "react";
import type { Answer, Prompt, PromptPart } from "verified-swap";
import { ChecksList } from "./check-groups";
import { addressWords, allowanceWords, permitWords, plain } from "./checks";
import { Questions } from "./questions";
import type { Reader } from "./reader";
import { Hardware, Member } from "./technical";

export interface PromptReviewProps {
  /** What `onPrompt` was given. */
  prompt: Prompt;
  /** Is called once for a prompt, with what `onPrompt` answers. */
  onAnswer(answer: Answer): void;
  reader: Reader;
  /** The id of the title, which takes the focus by script. */
  titleId?: string;
  level?: 1 | 2 | 3;
}

/**
 * A prompt of the wallet before it opens: its sentence, what it lets somebody take, what a person should know of first, its
 * questions, two buttons, and what the wallet is given.
 */
export function PromptReview({ prompt, onAnswer, reader, titleId, level = 2 }: PromptReviewProps) {
  const texts = reader.texts.prompt;
  // Of this very prompt: a tick is no consent to the next one, nor is an answer its answer.
  const [given, give] = useState({ prompt, accepted: [] as string[], isAnswered: false });
  const { accepted, isAnswered } = given.prompt === prompt ? given : { accepted: [] as string[], isAnswered: false };
  const { purpose, sentence, parts, permit, findings, questions, isRepeated } = prompt;
  const isOpen = questions.some(({ id }) => !accepted.includes(id));
  const [Title, Heading] = [`h${level}` as "h2", `h${level + 1}` as "h3"];
  const answer = (answer: Answer): void => {
    give({ prompt, accepted, isAnswered: true });
    onAnswer(answer);
  };
  return (
    <div className="vs-prompt">
      <Title id={titleId} tabIndex={-1}>
        {texts.titles[purpose] ?? plain(purpose)}
      </Title>
      <p className="vs-sentence">{plain(reader.sentence(sentence))}</p>
      {isRepeated && <p className="vs-quiet">{texts.repeated}</p>}
      {permit && <p className="vs-lets">{permitWords(permit, reader)}</p>}
      {parts.map(
        ({ approval, chainId }, place) =>
          approval && (
            <p key={place} className="vs-lets">
              {allowanceWords({ ...approval, chainId }, reader)}
            </p>
          ),
      )}
      {findings.length > 0 && (
        <div className="vs-findings">
          <Heading className="vs-heading">{texts.findings}</Heading>
          <ChecksList checks={findings} reader={reader} />
        </div>
      )}
      <Questions questions={questions} accepted={accepted} onChange={(accepted) => give({ prompt, accepted, isAnswered })} reader={reader} />
      {parts.length > 1 && <p className="vs-quiet">{texts.parts(parts.length)}</p>}
      <div className="vs-buttons">
        <button type="button" className="vs-primary" disabled={isOpen || isAnswered} onClick={() => answer({ accept: accepted })}>
          {texts.agree}
        </button>
        <button type="button" disabled={isAnswered} onClick={() => answer(false)}>
          {texts.decline}
        </button>
      </div>
      <PromptDetails prompt={prompt} reader={reader} />
    </div>
  );
}

function PromptDetails({ prompt, reader }: { prompt: Prompt; reader: Reader }) {
  const texts = reader.texts.prompt;
  const { parts, hardware, orderHash, orderIds = [], digests } = prompt;
  const hashes = Object.entries({ orderHash, ...(hardware ? {} : digests) }).filter(([, hash]) => hash !== undefined);
  return (
    <details className="vs-details vs-technical">
      <summary>{reader.texts.technical.title}</summary>
      <div className="vs-technical-body">
        {parts.map((part, place) => (
          <Part key={place} part={part} reader={reader} isAlone={parts.length === 1} />
        ))}
        <dl className="vs-members">
          {orderIds.length > 0 && <Member name={texts.orderIds}>{plain(orderIds.join(", "))}</Member>}
          {hashes.map(([name, hash]) => (
            <Member key={name} name={texts.digest[name] ?? name}>
              {hash}
            </Member>
          ))}
        </dl>
        {hardware && <Hardware screen={hardware} reader={reader} />}
      </div>
    </details>
  );
}

function Part({ part, reader, isAlone }: { part: PromptPart; reader: Reader; isAlone: boolean }) {
  const texts = reader.texts.prompt;
  const { sentence, from, chainId, to, value, data } = part;
  return (
    <>
      {!isAlone && <p>{plain(reader.sentence(sentence))}</p>}
      <dl className="vs-members">
        <Member name={texts.from}>{addressWords(from, reader)}</Member>
        {to !== undefined && <Member name={texts.to}>{addressWords(to, reader)}</Member>}
        {chainId !== undefined && <Member name={texts.chain}>{reader.chainName(chainId)}</Member>}
        {value !== undefined && value !== "0" && <Member name={texts.value}>{value}</Member>}
        {data !== undefined && <Member name={texts.data}>{data}</Member>}
      </dl>
    </>
  );
}
