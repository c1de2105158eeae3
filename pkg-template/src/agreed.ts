// The agreements of `onPrompt`. A client and a guard that were given the same function ask it once about the same payload: the
// client always asks, and notes here each yes; the guard does not ask again for a payload that is noted. Only code that has the function,
// and this file, could note anything: no entry exports it. Two copies of the package share no notes, so both ask.
import { membersOf } from "./module.ts";
import type { Prompt, Question } from "./types.ts";

/** The members of a prompt that an agreement is about. A guard's parts may have others, which are no agreement's. */
interface Agreed {
  readonly capabilities: unknown;
  readonly parts: readonly { sentence: string; from?: unknown; typedData?: unknown; chainId?: unknown; to?: unknown; value?: unknown; data?: unknown }[];
}

/** How long an agreement may take to get to the wallet, in milliseconds. */
const LASTING_MS = 60_000;
/** The last agreement of each function: the prompt as text, and the time. */
const agreements = /* @__PURE__ */ new WeakMap<object, readonly [text: string, at: number]>();

/** Whether an answer of `onPrompt` agrees, and leaves no question open. */
export function agrees(answer: unknown, questions: readonly Pick<Question, "id">[]): boolean {
  if (answer === true) return !questions.length;
  const accept = membersOf(answer)?.accept;
  return Array.isArray(accept) && questions.every(({ id }) => accept.includes(id));
}

/** A prompt's calls and typed data, as one text. Throws where it is not of the form that a client gives. */
const textOf = ({ parts, capabilities }: Agreed) =>
  JSON.stringify(capabilities) + parts
    .map(({ from, typedData, chainId, to, value, data }) =>
      JSON.stringify([...[from, chainId, to, data].map((one) => String(one).toLowerCase()), typedData ?? String(BigInt(String(value)))]))
    .join("\n");

/** The same options, whose `onPrompt` notes what it agrees to. */
export function noted(options: unknown): unknown {
  const given = membersOf(options);
  const onPrompt = given?.onPrompt;
  if (typeof onPrompt !== "function") return options;
  const noting = async (prompt: Prompt): Promise<unknown> => {
    const [text, questions] = [textOf(prompt), prompt.questions.map(({ id }) => ({ id }))]; // as they were asked
    const answer: unknown = await onPrompt(prompt);
    if (agrees(answer, questions)) agreements.set(onPrompt, [text, Date.now()]);
    return answer;
  };
  return { ...given, onPrompt: noting };
}

/** Whether that function agreed to the same prompt a moment ago. An agreement is used once. */
export function tookPlace(onPrompt: object, prompt: Agreed): boolean {
  const [text, at] = agreements.get(onPrompt) ?? ["", 0];
  try {
    if (text !== textOf(prompt) || Math.abs(Date.now() - at) > LASTING_MS) return false;
  } catch {
    return false;
  }
  return agreements.delete(onPrompt);
}
